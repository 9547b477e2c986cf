/** When something last happened with an entity, by its evidence. */
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { ownEvents } from "#lib/domain/records/evidence/contract.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";

/** SQL of the time for some entities: the expressions of an array of their ids, and of `ownEvents`. */
// observations_timeline_idx; observations_pkey for a correction, which happened no later than it was first recorded
export const latestEventOf = (ids: string, own: string): string =>
  `SELECT max(least(o.observed_at, o.recorded_at, CASE WHEN o.caused_by IS NOT NULL THEN (
     SELECT first.recorded_at FROM observations first WHERE first.workspace_id = $workspace AND first.id = o.caused_by) END)) AS at FROM observations o
   WHERE o.workspace_id = $workspace AND o.entity_id = ANY(${ids}) AND o.kind = 'event' AND o.property <> ALL(${own}) AND ${notRetired("o.id")}`;

const latestEvent = sql("latest_event_of_entities", latestEventOf("$1", "$2"));

/** When something last happened with an entity, as the list shows it. */
export const findLatestActivity = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvent, [ids, ownEvents]))[0]?.at ?? null;

// observations_recent_idx
const latestEvidence = sql(
  "latest_evidence_of_entities",
  "SELECT max(recorded_at) AS at FROM observations WHERE workspace_id = $workspace AND entity_id = ANY($1)",
);

/** When anything was last recorded about an entity. */
export const findLatestEvidence = async (db: Db, ids: readonly string[]): Promise<Date | null> =>
  (await db.query<{ at: Date | null }>(latestEvidence, [ids]))[0]?.at ?? null;
