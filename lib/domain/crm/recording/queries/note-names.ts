import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

const forget = sql(
  "note_names_forget",
  "DELETE FROM note_names WHERE workspace_id = $workspace AND entity_id = ANY($1)",
);
const add = sql(
  "note_names_keep",
  `INSERT INTO note_names (workspace_id, word, entity_id)
   SELECT DISTINCT $workspace, left(split.word, 64), g.id FROM unnest($1::uuid[], $2::text[]) AS g(id, search)
   CROSS JOIN LATERAL regexp_split_to_table(g.search, '[^[:alnum:]]+') AS split(word) WHERE length(split.word) > 1
   ON CONFLICT DO NOTHING`,
);

/** Makes notes findable by the current names of the people and companies they are about. Sent with the COMMIT. */
export function keepNoteNames(db: Db, rows: readonly { id: string; search: string }[]): void {
  const ids = rows.map(({ id }) => id);
  void db.defer(forget, [ids]);
  void db.defer(add, [ids, rows.map(({ search }) => search)]);
}
