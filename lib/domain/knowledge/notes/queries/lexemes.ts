import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// Pure computation by Postgres' own English Snowball stemmer and stop words; no table is read.
const stems = sql(
  "note_stems",
  "SELECT form, (ts_lexize('english_stem', form))[1] AS term FROM unnest($1::text[]) AS form",
);

/** The stem of each form; null for a stop word. */
export const findStems = (db: Db, forms: readonly string[]) =>
  db.query<{ form: string; term: string | null }>(stems, [forms]);
