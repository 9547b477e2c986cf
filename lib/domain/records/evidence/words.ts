/**
 * Beginnings of the properties that say something about another record of ours, not about the contact: which booking took the
 * place of another, when an identifier was checked, which event was removed or corrected. They are evidence, but no field, and no claim to show or to dispute.
 */
export const bookkeeping = { superseded: "superseded.", identifier: "identifier.", retired: "retired." } as const;

export const isBookkeeping = (property: string): boolean =>
  Object.values(bookkeeping).some((beginning) => property.startsWith(beginning));

/** The same as a condition on a column. */
export const notBookkeeping = (column: string): string =>
  Object.values(bookkeeping)
    .map((beginning) => `${column} NOT LIKE '${beginning}%'`)
    .join(" AND ");
