import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";

export type NewEvent = {
  /** a name in `triggers/events.ts` */
  type: string;
  entityId: string;
  /** the evidence of it */
  observationId: string | null;
  /** what a reader needs besides the evidence */
  data?: Readonly<Record<string, unknown>>;
};

// triggers_pkey. Only triggers read events, so a workspace without any keeps none. A trigger of any status counts: events wait for
// one that is paused. This statement is sent with the COMMIT and sees every trigger that was committed before.
const insert = sqlOfRows(
  "outbox_insert",
  (limit) => `INSERT INTO outbox (workspace_id, type, entity_id, observation_id, data, at)
   SELECT $workspace, n.type, n.entity_id, n.observation_id, n.data, $1
   FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::jsonb[]) WITH ORDINALITY AS n(type, entity_id, observation_id, data, place)
   WHERE EXISTS (SELECT FROM triggers WHERE workspace_id = $workspace)
   ORDER BY n.place ${limit} RETURNING NULL`,
);

export function deferEvents(db: Db, at: Date, events: readonly NewEvent[]): void {
  void db.defer(formFor(insert, events.length), [
    at,
    events.map(({ type }) => type),
    events.map(({ entityId }) => entityId),
    events.map(({ observationId }) => observationId),
    events.map(({ data = {} }) => JSON.stringify(data)),
  ]);
}

// outbox_entity_idx
const forget = sql(
  "outbox_forget",
  `DELETE FROM outbox WHERE workspace_id = $workspace AND seq = ANY (ARRAY(
     SELECT seq FROM outbox WHERE workspace_id = $workspace AND entity_id = ANY($1) ORDER BY seq FOR UPDATE))`,
);

/** Removes the events of entities that are erased, once no one is turning them into deliveries any more. */
export async function forgetEvents(db: Db, entityIds: readonly string[]): Promise<void> {
  await db.query(forget, [entityIds]);
}
