import type { Statement } from "#lib/core/context.ts";
import { sql } from "#lib/db/statement.ts";
import { inspect } from "./database.ts";

const COLUMNS = {
  observations: {
    names: "id, entity_id, kind, property, value, source, method, observed_at, actor",
    values: "gen_random_uuid(), e.id, 'state', 'p' || place, '1', 'test', 'asserted', now(), 'test'",
  },
  claims: {
    names:
      "id, entity_id, property, value, method, source, observation_id, observation_count, source_count, recorded_at, last_observed_at, seq",
    values:
      "gen_random_uuid(), e.id, 'p' || place, '1', 'asserted', 'test', gen_random_uuid(), 1, 1, now(), now(), place",
  },
  property_values: {
    names: "entity_id, property, subject, folded",
    values: "e.id, 'p' || place, 'person', 'one'",
  },
} as const;

/** The tables whose entities are checked once a statement. */
export const CHECKED_TABLES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** Inserts rows about the entities `$1` into one of these tables, in one statement. */
export const insertAbout = (table: keyof typeof COLUMNS): Statement =>
  sql(
    "",
    `INSERT INTO ${table} (workspace_id, ${COLUMNS[table].names})
     SELECT $workspace, ${COLUMNS[table].values} FROM unnest($1::uuid[]) WITH ORDINALITY AS e(id, place) RETURNING NULL`,
  );

/** How many rows of a workspace these tables have, in their order. */
export async function countAbout(workspaceId: string): Promise<number[]> {
  const counts = CHECKED_TABLES.map((table) => `(SELECT count(*)::int FROM ${table} WHERE workspace_id = $1)`);
  const [row] = await inspect<{ counts: number[] }>(`SELECT ARRAY[${counts.join()}] AS counts`, [workspaceId]);
  return row?.counts ?? [];
}
