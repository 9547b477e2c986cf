/**
 * Beginnings of the properties that say something about another record of ours, not about the contact: which booking took the
 * place of another, when an identifier was checked. They are evidence, but no field, and no claim to show or to dispute.
 */
export const bookkeeping = { superseded: "superseded.", identifier: "identifier." } as const;

export const isBookkeeping = (property: string): boolean =>
  Object.values(bookkeeping).some((beginning) => property.startsWith(beginning));

/** The same as a condition on a column. */
export const notBookkeeping = (column: string): string =>
  Object.values(bookkeeping)
    .map((beginning) => `${column} NOT LIKE '${beginning}%'`)
    .join(" AND ");
