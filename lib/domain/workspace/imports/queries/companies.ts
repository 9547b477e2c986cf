import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Namesake } from "../rules/named.ts";

// companies_name_idx: `sort_name` has the first letters of the folded name; identifiers_workspace_id_entity_id_idx. `search` is the
// folded name, a line break and the domain.
const named = sql(
  "companies_named",
  `SELECT split_part(c.search, E'\\n', 1) AS name, c.domain, i.kind, i.value FROM companies c
   CROSS JOIN LATERAL (SELECT kind, value FROM identifiers i WHERE i.workspace_id = $workspace AND i.entity_id = c.id AND i.retired_at IS NULL
     ORDER BY kind = 'name' DESC, created_at DESC, id DESC LIMIT 1) AS i
   WHERE c.workspace_id = $workspace AND c.status = 'active' AND c.sort_name = ANY($1::text[]) AND split_part(c.search, E'\\n', 1) = ANY($2::text[])`,
);

/** Letters of a name in `sort_name`. */
const SORTED = 100;

/** Companies with exactly these folded names, each with an identifier. */
export const findNamed = (db: Db, names: readonly string[]): Promise<(Namesake & { name: string })[]> =>
  db.query<Namesake & { name: string }>(named, [
    names.map((name) => Array.from(name).slice(0, SORTED).join("")),
    names,
  ]);
