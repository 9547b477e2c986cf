import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import { fold } from "#lib/text/fold.ts";

// companies_search_idx: `search` is the folded name, a line break and the domain; identifiers_workspace_id_entity_id_idx
const named = sql(
  "companies_named",
  `SELECT split_part(c.search, E'\\n', 1) AS name, i.kind, i.value FROM companies c
   CROSS JOIN LATERAL (SELECT kind, value FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = c.id AND i.retired_at IS NULL
     ORDER BY created_at DESC, id DESC LIMIT 1) AS i
   WHERE c.workspace_id = $workspace AND c.status = 'active' AND c.search LIKE ANY($1::text[])`,
);

/** Companies with exactly these names, folded, each with an identifier. */
export const findNamed = (db: Db, names: readonly string[]): Promise<(Identifier & { name: string })[]> =>
  db.query<Identifier & { name: string }>(named, [
    [...new Set(names.map(fold))].map((name) => `${name.replaceAll(/[\\%_]/g, "\\$&")}\n%`),
  ]);
