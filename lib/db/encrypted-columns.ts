/** A column that holds values sealed by `encrypt`. Names are of the schema, never of a caller. */
export type EncryptedColumn = {
  table: string;
  column: string;
  /** SQL: which rows are sealed. */
  where: string;
  /** SQL expression that `purpose` needs of the row. */
  of: string;
  /** What the row's value is sealed for. */
  purpose: (of: string) => string;
};

/** A kept answer is sealed for its Idempotency-Key. */
export const purposeOfAnswer = (key: string): string => `idempotency:${key}`;

/** Every encrypted column there is; `rapport admin rotate-encryption` walks this table. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  { table: "idempotency", column: "body", where: "encrypted", of: "key", purpose: purposeOfAnswer },
];
