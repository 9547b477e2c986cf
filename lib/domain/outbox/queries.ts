import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";

export type NewEvent = {
  /** `activity.<type>`, `stage.advanced`, `contact.created`, `fact.recorded`, `note.saved` */
  type: string;
  entityId: string;
  /** the evidence of it */
  observationId: string | null;
  /** what a reader needs besides the evidence */
  data?: Readonly<Record<string, unknown>>;
};

const insert = sqlOfRows(
  "outbox_insert",
  (limit) => `INSERT INTO outbox (workspace_id, type, entity_id, observation_id, data, at)
   SELECT $workspace, n.type, n.entity_id, n.observation_id, n.data, $1
   FROM unnest($2::text[], $3::uuid[], $4::uuid[], $5::jsonb[]) WITH ORDINALITY AS n(type, entity_id, observation_id, data, place)
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

// outbox_pkey: old rows have the low seqs, so the scan ends at the first that is young
const removeOldest = sql(
  "outbox_remove_oldest",
  `DELETE FROM outbox WHERE workspace_id = $workspace AND seq IN (
     SELECT seq FROM (SELECT seq, at FROM outbox WHERE workspace_id = $workspace ORDER BY seq LIMIT $2) AS oldest WHERE at < $1)
   RETURNING seq`,
);

/** Removes at most `limit` events from before `before`, and returns how many. */
export const removeEventsBefore = async (db: Db, before: Date, limit: number): Promise<number> =>
  (await db.query(removeOldest, [before, limit])).length;
