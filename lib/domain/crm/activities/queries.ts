import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { notRetired } from "#lib/domain/records/evidence/service.ts";
import { bookkeeping } from "#lib/domain/records/evidence/words.ts";
import type { Observation } from "#prisma/generated/client.ts";

// observations_bookings_idx, entities_pkey
const bookings = sql(
  "activities_bookings",
  `SELECT DISTINCT coalesce(e.merged_into, e.id) AS id FROM (
     SELECT entity_id FROM observations
     WHERE workspace_id = $workspace AND property = 'interaction.meeting_scheduled' AND external_id IS NOT NULL AND source = $1 AND external_id = ANY($2)
   ) AS o JOIN entities e ON e.workspace_id = $workspace AND e.id = o.entity_id ORDER BY 1`,
);

/** The contacts whose timelines hold one of these bookings, in order. */
export const findBooked = async (db: Db, source: string, externalIds: readonly string[]): Promise<string[]> =>
  (await db.query<{ id: string }>(bookings, [source, externalIds])).map(({ id }) => id);

/** An event that is to be corrected, removed or restored. `root`: the event as it was first recorded. */
export type EventToAmend = Pick<Observation, "id" | "entityId" | "property" | "source" | "observedAt"> & {
  root: string;
  value: unknown;
};

/** Events, by their ids. */
export async function findEventsToAmend(db: Db, ids: readonly string[]): Promise<EventToAmend[]> {
  const rows = await db.prisma.observation.findMany({
    where: { id: { in: [...ids] }, kind: "event" },
    select: {
      id: true,
      causedBy: true,
      entityId: true,
      property: true,
      value: true,
      source: true,
      observedAt: true,
    },
  });
  return rows.map(({ causedBy, ...event }) => ({ ...event, root: causedBy ?? event.id }));
}

/** What was last decided about an event. `value` null: it was restored; `private`: who has it does not share it any more. `current`: the latest correction. */
export type Retirement = {
  id: string;
  value: { removed: true; private?: true } | { replaced_by: string } | null;
  current: string | null;
};

// observations_retired_idx; observations_workspace_id_entity_id_property_seq_idx
const retirements = sql(
  "activity_retirements",
  `SELECT e.id AS event, r.id, r.value, (
     SELECT c.id FROM observations c JOIN observations o ON o.workspace_id = $workspace AND o.id = e.id
     WHERE c.workspace_id = $workspace AND c.entity_id = o.entity_id AND c.property = o.property AND c.caused_by = coalesce(o.caused_by, o.id)
     ORDER BY c.seq DESC LIMIT 1) AS current
   FROM unnest($1::uuid[]) AS e(id) CROSS JOIN LATERAL (
     SELECT r.id, r.value FROM observations r WHERE r.workspace_id = $workspace AND r.property LIKE '${bookkeeping.retired}%' AND r.caused_by = e.id
     ORDER BY r.seq DESC LIMIT 1) AS r`,
);

/** What was last decided about events, by their ids; nothing was about those that are left out. */
export const findRetirements = async (db: Db, ids: readonly string[]): Promise<Map<string, Retirement>> =>
  new Map(
    (await db.query<Retirement & { event: string }>(retirements, [ids])).map(({ event, ...row }) => [event, row]),
  );

type Later = { property: string; value: unknown; observedAt: Date; recordedAt: Date };

const MOST_LATER = 1_000;
// observations_recent_idx
const later = sql(
  "activities_later",
  `SELECT o.property, o.value, o.observed_at AS "observedAt", o.recorded_at AS "recordedAt" FROM observations o
   WHERE o.workspace_id = $workspace AND o.entity_id = ANY($1) AND o.seq > $2 AND o.kind = 'event' AND o.id <> ALL($3::uuid[]) AND ${notRetired("o.id")}
   ORDER BY o.seq LIMIT ${MOST_LATER}`,
);

/** What was learned of some entities after a number, in order, without some events and those that were retired. */
export const findLater = (db: Db, ids: readonly string[], seq: number, without: readonly string[]): Promise<Later[]> =>
  db.query<Later>(later, [ids, seq, without]);
