import type { Db } from "#lib/db/handle.ts";
import { formFor, sql, sqlOfIds } from "#lib/db/statement.ts";
import { evidenceIds } from "#lib/domain/records/entities/service.ts";
import { notRetired, valueBefore } from "#lib/domain/records/evidence/service.ts";

export type EventRow = {
  id: string;
  seq: number;
  property: string;
  value: unknown;
  source: string;
  externalId: string | null;
  observedAt: Date;
  recordedAt: Date;
  /** the event, as it was first recorded, that this one corrects */
  corrects: string | null;
  /** the person or company it was recorded about, after merging */
  entityId: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  linkedinUrl: string | null;
};

/** Where a page begins: what comes after this event, newest first. `properties` null: all. */
export type Page = {
  before: { at: Date | null; seq: number };
  knownAt: Date | null;
  properties: readonly string[] | null;
  /** Only from this source. */
  source?: string | null;
  limit: number;
};

/** Larger than every seq: a page that begins with it includes all events of its moment. */
export const LAST_SEQ = Number.MAX_SAFE_INTEGER;

const CONDITION = `o.kind = 'event' AND (o.observed_at, o.seq) < (coalesce($2::timestamptz, 'infinity'), $3::bigint)
     AND o.recorded_at <= coalesce($4::timestamptz, 'infinity') AND ($5::text[] IS NULL OR o.property = ANY($5)) AND ($8::text IS NULL OR o.source = $8) AND ${notRetired("o.id", "$4::timestamptz")}`;
/** The external id of an event `o`; a correction has that of what it corrects. */
export const EXTERNAL_ID = `CASE WHEN o.caused_by IS NULL THEN o.external_id ELSE (
     SELECT first.external_id FROM observations first WHERE first.workspace_id = $workspace AND first.id = o.caused_by) END`;
/** Of an observation `o`. */
export const EVENT_COLUMNS = `o.id, o.seq, o.property, o.value, o.source, ${EXTERNAL_ID} AS "externalId", o.observed_at AS "observedAt", o.recorded_at AS "recordedAt",
     o.caused_by AS corrects`;

// observations_timeline_idx
const ofEntity = sqlOfIds(
  "timeline_of_entity",
  (
    these,
  ) => `SELECT ${EVENT_COLUMNS}, $7::uuid AS "entityId", NULL AS "firstName", NULL AS "lastName", NULL AS email, NULL AS "linkedinUrl"
   FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id ${these} AND ${CONDITION}
   ORDER BY o.observed_at DESC, o.seq DESC LIMIT $6`,
);

// people_company_idx, entities_pkey by a plain id; observations_timeline_idx once for the company and each of its people, a page of each
const ofCompany = sql(
  "timeline_of_company",
  `WITH whose AS (
     SELECT own.id AS evidence_of, $7::uuid AS id, NULL AS first_name, NULL AS last_name, NULL AS email, NULL AS linkedin_url FROM unnest($1::uuid[]) AS own(id)
     UNION ALL
     SELECT part.id, p.id, p.first_name, p.last_name, p.email, p.linkedin_url FROM people p
     CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = p.id OFFSET 0) AS e
     CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
     WHERE p.workspace_id = $workspace AND p.company_id = $7
   )
   SELECT ${EVENT_COLUMNS}, whose.id AS "entityId",
     whose.first_name AS "firstName", whose.last_name AS "lastName", whose.email, whose.linkedin_url AS "linkedinUrl"
   FROM whose CROSS JOIN LATERAL (
     SELECT o.* FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = whose.evidence_of AND ${CONDITION}
     ORDER BY o.observed_at DESC, o.seq DESC LIMIT $6
   ) AS o ORDER BY o.observed_at DESC, o.seq DESC LIMIT $6`,
);

// observations_timeline_idx; no more than 5,000 events are read
const countsOf = sql(
  "timeline_counts",
  `WITH whose AS (
     SELECT own.id FROM unnest($1::uuid[]) AS own(id)
     UNION ALL
     SELECT part.id FROM people p
     CROSS JOIN LATERAL (SELECT * FROM entities e WHERE e.workspace_id = $workspace AND e.id = p.id OFFSET 0) AS e
     CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
     WHERE p.workspace_id = $workspace AND p.company_id = $2
   ), seen AS (
     SELECT o.property, o.observed_at FROM whose
     CROSS JOIN LATERAL (SELECT * FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = whose.id OFFSET 0) AS o
     WHERE o.kind = 'event' AND o.observed_at <= coalesce($3::timestamptz, 'infinity') AND o.recorded_at <= coalesce($4::timestamptz, 'infinity')
       AND ${notRetired("o.id", "$4::timestamptz")} LIMIT 5000
   )
   SELECT property, count(*)::int AS count, max(observed_at) AS latest FROM seen GROUP BY property ORDER BY 2 DESC, 1`,
);

/** How many events of each kind a timeline holds; above 5,000 together the numbers stop. */
export const countEvents = (
  db: Db,
  entity: Owner,
  { asOf, knownAt }: { asOf: Date | null; knownAt: Date | null },
): Promise<{ property: string; count: number; latest: Date }[]> =>
  db.query(countsOf, [evidenceIds(entity), entity.type === "company" ? entity.id : null, asOf, knownAt]);

type Owner = { id: string; type: string; absorbed: readonly string[] };

/** A page of events, newest first; a company's are mixed with those of its people. */
export const findEvents = (
  db: Db,
  entity: Owner,
  { before, knownAt, properties, source = null, limit }: Page,
): Promise<EventRow[]> =>
  db.query<EventRow>(entity.type === "company" ? ofCompany : formFor(ofEntity, 1 + entity.absorbed.length), [
    evidenceIds(entity),
    before.at,
    before.seq,
    knownAt,
    properties,
    limit,
    entity.id,
    source,
  ]);

export type StageChange = { id: string; causedBy: string; from: string | null; to: string | null };

// observations_moves_idx, entities_pkey, observations_workspace_id_entity_id_property_seq_idx
const moves = sql(
  "timeline_stage_changes",
  `SELECT s.id, s.caused_by AS "causedBy", (${valueBefore({ owner: "coalesce(k.id, e.id)", absorbed: "coalesce(k.absorbed, e.absorbed)", property: "s.property", seq: "s.seq" })}) #>> '{}' AS from, s.value #>> '{}' AS to FROM observations s
   JOIN entities e ON e.workspace_id = $workspace AND e.id = s.entity_id
   LEFT JOIN entities k ON k.workspace_id = $workspace AND k.id = e.merged_into
   WHERE s.workspace_id = $workspace AND s.property = 'pipeline_stage' AND s.caused_by = ANY($1::uuid[]) ORDER BY s.seq`,
);

/** The changes of stage that these events caused, in the order they were recorded. */
export const findStageChanges = (db: Db, eventIds: readonly string[]): Promise<StageChange[]> =>
  db.query<StageChange>(moves, [eventIds]);

// claims_workspace_id_entity_id_property_key
const superseded = sql(
  "timeline_superseded",
  `SELECT c.entity_id AS "entityId", c.property, c.value #>> '{}' AS by FROM unnest($1::uuid[], $2::text[]) AS asked(entity, property)
   JOIN claims c ON c.workspace_id = $workspace AND c.entity_id = asked.entity AND c.property = asked.property AND c.ended_at IS NULL`,
);

/** What replaced bookings: asked and answered by the entity and the property that records it. */
export const findSuperseded = (db: Db, asked: readonly { entityId: string; property: string }[]) =>
  db.query<{ entityId: string; property: string; by: string }>(superseded, [
    asked.map(({ entityId }) => entityId),
    asked.map(({ property }) => property),
  ]);

// observations_pkey, twice for a correction
const externalIds = sql(
  "timeline_external_ids",
  `SELECT o.id, ${EXTERNAL_ID} AS "externalId" FROM unnest($1::uuid[]) AS wanted(id)
   CROSS JOIN LATERAL (SELECT * FROM observations o WHERE o.workspace_id = $workspace AND o.id = wanted.id OFFSET 0) AS o`,
);

/** The external ids of the observations that are there, by id; null where one has none. */
export const findExternalIds = async (db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> =>
  ids.length === 0
    ? new Map()
    : new Map(
        (await db.query<{ id: string; externalId: string | null }>(externalIds, [[...new Set(ids)]])).map(
          ({ id, externalId }) => [id, externalId],
        ),
      );
