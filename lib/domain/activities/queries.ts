import { bookkeeping } from "#lib/core/bookkeeping.ts";
import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import { notRetired } from "#lib/domain/evidence/service.ts";
import type { Stage } from "#lib/domain/people/service.ts";

/** What identifies a signal's contact, and the signal itself. */
export type Reference = {
  email?: string | null | undefined;
  contactId?: string | undefined;
  source: string;
  externalId?: string | null | undefined;
};

export type ContactRow = {
  /** by the database's clock */
  now: Date;
  /** null: there is no such contact */
  id: string | null;
  type: "person" | "company" | "workspace" | null;
  absorbed: string[] | null;
  stage: Stage | null;
  /** it is or was in a lead list; null: there is no such contact */
  isLead: boolean | null;
  /** who has the address, when both an id and an address were given */
  emailOf: string | null;
  /** what was recorded under the same source and external id */
  known: KnownActivity | null;
};

// identifiers_active_key, entities_pkey, people_pkey, observations_external_id_key, each by plain values: a LATERAL that
// returns one row is never turned into a join over the whole table
const read = sqlOfRows(
  "contacts_read",
  (
    limit,
  ) => `SELECT (SELECT date_trunc('milliseconds', clock_timestamp())) AS now, e.id, e.type::text, e.absorbed, e.is_lead AS "isLead", p.pipeline_stage::text AS stage,
     CASE WHEN n.contact IS NOT NULL THEN i.entity_id END AS "emailOf", k.known
   FROM (
     SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS u(email, contact, source, external_id, place) ${limit}
   ) AS n
   LEFT JOIN LATERAL (
     SELECT entity_id FROM identifiers WHERE workspace_id = $workspace AND kind = 'email' AND value = n.email AND retired_at IS NULL LIMIT 1
   ) AS i ON true
   LEFT JOIN LATERAL (
     SELECT coalesce(merged_into, id) AS id FROM entities WHERE workspace_id = $workspace AND id = n.contact LIMIT 1
   ) AS c ON true
   LEFT JOIN LATERAL (
     SELECT id, type, absorbed, is_lead FROM entities WHERE workspace_id = $workspace AND id = CASE WHEN n.contact IS NULL THEN i.entity_id ELSE c.id END LIMIT 1
   ) AS e ON true
   LEFT JOIN LATERAL (
     SELECT pipeline_stage FROM people WHERE workspace_id = $workspace AND id = e.id LIMIT 1
   ) AS p ON true
   LEFT JOIN LATERAL (
     SELECT json_build_object('id', o.id, 'of', o.entity_id, 'before', o.stage_before, 'after', o.stage_after) AS known FROM observations o
     WHERE o.workspace_id = $workspace AND o.entity_id = ANY(array_prepend(e.id, e.absorbed)) AND o.source = n.source AND o.external_id = n.external_id
     ORDER BY o.seq LIMIT 1
   ) AS k ON true
   ORDER BY n.place`,
  { plannedOnce: true },
);

/** What is known about each contact now, in the order given. */
export const readContacts = (db: Db, references: readonly Reference[]): Promise<ContactRow[]> =>
  db.query<ContactRow>(formFor(read, references.length), [
    references.map(({ email }) => email ?? null),
    references.map(({ contactId }) => contactId ?? null),
    references.map(({ source }) => source),
    references.map(({ externalId }) => externalId ?? null),
  ]);

type KnownActivity = { id: string; of: string; before: Stage | null; after: Stage | null };

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
export type EventToAmend = {
  id: string;
  root: string;
  entityId: string;
  property: string;
  value: unknown;
  source: string;
  observedAt: Date;
};

// observations_pkey
const toAmend = sql(
  "activity_to_amend",
  `SELECT id, coalesce(caused_by, id) AS root, entity_id AS "entityId", property, value, source, observed_at AS "observedAt"
   FROM observations WHERE workspace_id = $workspace AND id = $1 AND kind = 'event'`,
);

export const findEventToAmend = async (db: Db, id: string): Promise<EventToAmend | null> =>
  (await db.query<EventToAmend>(toAmend, [id]))[0] ?? null;

/** What was last decided about an event. `value` null: it was restored. `current`: the latest correction. */
export type Retirement = {
  id: string;
  value: { removed: true } | { replaced_by: string } | null;
  current: string | null;
};

// observations_retired_idx; observations_workspace_id_entity_id_property_seq_idx
const retirement = sql(
  "activity_retirement",
  `SELECT r.id, r.value, (
     SELECT c.id FROM observations c JOIN observations o ON o.workspace_id = $workspace AND o.id = $1
     WHERE c.workspace_id = $workspace AND c.entity_id = o.entity_id AND c.property = o.property AND c.caused_by = coalesce(o.caused_by, o.id)
     ORDER BY c.seq DESC LIMIT 1) AS current
   FROM observations r WHERE r.workspace_id = $workspace AND r.property LIKE '${bookkeeping.retired}%' AND r.caused_by = $1 ORDER BY r.seq DESC LIMIT 1`,
);

export const findRetirement = async (db: Db, id: string): Promise<Retirement | null> =>
  (await db.query<Retirement>(retirement, [id]))[0] ?? null;

type Later = { property: string; value: unknown; observedAt: Date; recordedAt: Date };

const MOST_LATER = 1_000;
// observations_recent_idx
const later = sql(
  "activities_later",
  `SELECT o.property, o.value, o.observed_at AS "observedAt", o.recorded_at AS "recordedAt" FROM observations o
   WHERE o.workspace_id = $workspace AND o.entity_id = ANY($1) AND o.seq > $2 AND o.kind = 'event' AND o.id <> $3 AND ${notRetired("o.id")}
   ORDER BY o.seq LIMIT ${MOST_LATER}`,
);

/** What was learned of some entities after a number, in order, without one event and those that were retired. */
export const findLater = (db: Db, ids: readonly string[], seq: number, without: string): Promise<Later[]> =>
  db.query<Later>(later, [ids, seq, without]);
