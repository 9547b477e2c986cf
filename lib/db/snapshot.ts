import type { Db } from "./handle.ts";
import { sql } from "./statement.ts";

/** Makes later reads of this transaction see one moment, and makes it read-only. Must be its first statement. */
export const holdSnapshot = (db: Db): Promise<unknown> =>
  db.query(sql("", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"));
