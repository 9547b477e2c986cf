import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** An event as it was written with its cause. */
export type EventRow = {
  seq: number;
  type: string;
  entityId: string;
  observationId: string | null;
  data: Readonly<Record<string, unknown>>;
  at: Date;
};

// outbox_pkey. Events are taken in the order in which they became visible, and of those by seq: one that commits late is
// taken late, and none is passed over, because nothing but the rows themselves says what was taken. Rows that an erasure
// deletes are not waited for: it may wait for a delivery that this transaction has settled.
const take = sql(
  "outbox_take",
  `WITH taken AS (
     DELETE FROM outbox WHERE workspace_id = $workspace AND seq = ANY (ARRAY(SELECT seq FROM outbox WHERE workspace_id = $workspace ORDER BY seq LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING seq, type, entity_id AS "entityId", observation_id AS "observationId", data, at)
   SELECT * FROM taken ORDER BY seq`,
);

/** Takes events out of the outbox, at most `limit`, in order. The caller turns them into deliveries in this transaction. */
export const takeEvents = (db: Db, limit: number): Promise<EventRow[]> => db.query<EventRow>(take, [limit]);

// outbox_pkey, triggers_pkey
const drop = sql(
  "outbox_drop",
  `DELETE FROM outbox WHERE workspace_id = $workspace AND seq = ANY (ARRAY(SELECT seq FROM outbox WHERE workspace_id = $workspace ORDER BY seq LIMIT $1))
   AND NOT EXISTS (SELECT FROM triggers WHERE workspace_id = $workspace) RETURNING seq`,
);

/** Removes events of a workspace that has no triggers, at most `limit`, and returns how many. */
export const dropEvents = async (db: Db, limit: number): Promise<number> => (await db.query(drop, [limit])).length;

/** What is known about an event besides its own row. */
export type Facts = {
  seq: number;
  /** after merging */
  entityId: string;
  type: "person" | "company" | "workspace";
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  email: string | null;
  domain: string | null;
  stage: string | null;
  /** the lead lists that a person is in; null when not asked for */
  lists: string[] | null;
  /** where the record came from */
  origin: string | null;
  property: string | null;
  value: unknown;
  source: string | null;
  observedAt: Date | null;
  externalId: string | null;
  causedBy: string | null;
  note: { title: string | null; type: string; date: string } | null;
  /** of a fact: the one that it took the place of */
  superseded: { category?: string; content?: string } | null;
};

// For each event: entities_pkey, observations_pkey, people_pkey, companies_pkey, notes_pkey, claims_workspace_id_entity_id_property_key; leads_entity_idx
const facts = sql(
  "trigger_event_facts",
  `SELECT w.seq, e.owner AS "entityId", e.type::text, p.first_name AS "firstName", p.last_name AS "lastName",
     CASE WHEN e.type = 'workspace' THEN (SELECT name FROM workspaces WHERE id = $workspace) ELSE c.name END AS name, p.email, coalesce(c.domain, employer.domain) AS domain,
     p.pipeline_stage::text AS stage, p.source AS origin,
     CASE WHEN $5 THEN ARRAY(SELECT l.list_id::text FROM leads l WHERE l.workspace_id = $workspace AND l.entity_id = e.owner AND NOT l.hidden) END AS lists, o.property, o.value, o.source, o.observed_at AS "observedAt", o.external_id AS "externalId", o.caused_by AS "causedBy",
     n.note, s.value AS superseded
   FROM unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::uuid[]) AS w(seq, entity_id, observation_id, note_id)
   CROSS JOIN LATERAL (
     SELECT coalesce(e.merged_into, e.id) AS owner, e.type FROM entities e WHERE e.workspace_id = $workspace AND e.id = w.entity_id LIMIT 1) AS e
   LEFT JOIN LATERAL (SELECT * FROM people p WHERE p.workspace_id = $workspace AND p.id = e.owner LIMIT 1) AS p ON true
   LEFT JOIN LATERAL (SELECT * FROM companies c WHERE c.workspace_id = $workspace AND c.id = e.owner LIMIT 1) AS c ON true
   LEFT JOIN LATERAL (SELECT c.domain FROM companies c WHERE c.workspace_id = $workspace AND c.id = p.company_id LIMIT 1) AS employer ON true
   LEFT JOIN LATERAL (SELECT * FROM observations o WHERE o.workspace_id = $workspace AND o.id = w.observation_id LIMIT 1) AS o ON true
   LEFT JOIN LATERAL (
     SELECT json_build_object('title', n.title, 'type', n.type, 'date', to_char(n.date, CASE WHEN n.date_only THEN 'YYYY-MM-DD' ELSE 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' END)) AS note
     FROM notes n WHERE n.workspace_id = $workspace AND n.id = w.note_id LIMIT 1) AS n ON true
   LEFT JOIN LATERAL (
     SELECT c.value FROM claims c WHERE c.workspace_id = $workspace AND c.entity_id = w.entity_id AND c.property = 'note.' || (o.value ->> 'supersedes') LIMIT 1) AS s ON w.entity_id = $workspace
   ORDER BY w.seq`,
);

/** What bodies and filters need about events, in their order; events about records that were erased are left out. */
export const findFacts = (db: Db, events: readonly EventRow[], withLists: boolean): Promise<Facts[]> =>
  db.query<Facts>(facts, [
    events.map(({ seq }) => seq),
    events.map(({ entityId }) => entityId),
    events.map(({ observationId }) => observationId),
    events.map(({ data }) => (typeof data.note_id === "string" ? data.note_id : null)),
    withLists,
  ]);

// claims_workspace_id_entity_id_property_key
const believed = sql(
  "trigger_event_claims",
  `SELECT entity_id AS "entityId", property, value FROM claims
   WHERE workspace_id = $workspace AND entity_id = ANY($1::uuid[]) AND property = ANY($2::text[]) AND ended_at IS NULL`,
);

/** What is believed of some records' properties. */
export const findBelieved = (db: Db, ids: readonly string[], properties: readonly string[]) =>
  db.query<{ entityId: string; property: string; value: unknown }>(believed, [ids, properties]);

export type NewDelivery = { id: string; triggerId: string; type: string; entityId: string; body: string };

const insert = sql(
  "trigger_deliveries_insert",
  `INSERT INTO trigger_deliveries (workspace_id, id, trigger_id, type, entity_id, body)
   SELECT $workspace, n.id, n.trigger_id, n.type, n.entity_id, n.body
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[]) WITH ORDINALITY AS n(id, trigger_id, type, entity_id, body, place)
   ORDER BY n.place RETURNING NULL`,
);

/** Queues deliveries behind those that wait, in this order. */
export async function insertDeliveries(db: Db, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(insert, [
    rows.map(({ id }) => id),
    rows.map(({ triggerId }) => triggerId),
    rows.map(({ type }) => type),
    rows.map(({ entityId }) => entityId),
    rows.map(({ body }) => body),
  ]);
}
