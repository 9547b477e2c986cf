import { createHash } from "node:crypto";

/** A column that holds values sealed by `encrypt`. Names are of the schema, never of a caller. */
export type EncryptedColumn = {
  table: string;
  column: string;
  /** SQL: which rows are sealed. */
  where: string;
  /** SQL expression that `purposes` needs of the row. */
  of: string;
  /** What a value may be sealed for; the first that opens it seals it again. */
  purposes: (of: string) => readonly string[];
};

/**
 * Every encrypted column there is; `rapport admin rotate-encryption` walks this table. `sensitive` names the operations
 * whose answers are kept sealed: a kept answer does not say which of them gave it.
 */
export const encryptedColumns = (sensitive: readonly string[]): readonly EncryptedColumn[] => [
  {
    table: "idempotency",
    column: "body",
    where: "encrypted",
    of: "key",
    purposes: (key) =>
      sensitive.map((name) => `idempotency:${name}:${createHash("sha256").update(key).digest("base64url")}`),
  },
];
