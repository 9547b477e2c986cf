import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfIds } from "#lib/db/statement.ts";

// entities_pkey, people_pkey, companies_pkey, notes_entity_date_idx, note_names_entity_idx
const withNotes = sqlOfIds(
  "note_names_known",
  (these) => `SELECT e.id, coalesce(p.search, c.search) AS search,
     EXISTS (SELECT FROM note_names n WHERE n.workspace_id = $workspace AND n.entity_id = e.id) AS named
   FROM entities e
   LEFT JOIN people p ON p.workspace_id = $workspace AND p.id = e.id
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = e.id
   WHERE e.workspace_id = $workspace AND e.id ${these} AND EXISTS (
     SELECT FROM notes n WHERE n.workspace_id = $workspace AND n.entity_id = ANY(array_prepend(e.id, e.absorbed)))`,
);

/** The words by which someone's notes are found; null when there are none yet. */
export type NamedInNotes = { id: string; search: string | null; named: boolean };

/** Those of people or companies who have notes, including notes of what was merged into them. */
export const findNamedInNotes = (db: Db, ids: readonly string[]): Promise<NamedInNotes[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.query<NamedInNotes>(formFor(withNotes, ids.length), [ids]);

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
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  void db.defer(forget, [ids]);
  void db.defer(add, [ids, rows.map(({ search }) => search)]);
}
