/** When something last happened with an entity, by its evidence. */
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { ownEvents } from "#lib/domain/records/evidence/contract.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";

/** SQL of the time for some entities: the expressions of an array of their ids, and of `ownEvents`. */
// observations_timeline_idx; observations_pkey for a correction, which happened no later than it was first recorded
export const latestEventOf = (ids: string, own: string): string =>
  `SELECT max(least(o.observed_at, o.recorded_at, CASE WHEN o.caused_by IS NOT NULL THEN (
     SELECT first.recorded_at FROM observations first WHERE first.workspace_id = $workspace AND first.id = o.caused_by) END)) AS at
   FROM unnest(${ids}) AS part(id) JOIN observations o ON o.workspace_id = $workspace AND o.entity_id = part.id
   WHERE o.kind = 'event' AND o.property <> ALL(${own}) AND ${notRetired("o.id")}`;

/** When something last happened with an entity, as the list shows it, and when anything was last recorded about it. */
export type Latest = { activityAt: Date | null; learnedAt: Date | null };

// observations_recent_idx
const latest = sql(
  "latest_of_entities",
  `SELECT e.id, (${latestEventOf("array_prepend(e.id, e.absorbed)", "$2")}) AS "activityAt",
     (SELECT max(o.recorded_at) FROM unnest(array_prepend(e.id, e.absorbed)) AS part(id)
      JOIN observations o ON o.workspace_id = $workspace AND o.entity_id = part.id) AS "learnedAt"
   FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1::uuid[])`,
);

/** By the ids of the entities, with what was merged into them. */
export async function findLatest(db: Db, ids: readonly string[]): Promise<Map<string, Latest>> {
  const rows = await db.query<Latest & { id: string }>(latest, [ids, ownEvents]);
  return new Map(rows.map(({ id, ...times }) => [id, times]));
}
