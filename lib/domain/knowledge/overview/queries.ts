import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/crm/people/contract.ts";
import { notRetired, retiredEvents } from "#lib/domain/records/evidence/service.ts";

/** Active people by stage, of a company or of all; a stage without people is absent. */
export async function countByStage(db: Db, companyId?: string): Promise<{ stage: Stage; people: number }[]> {
  const counted = await db.prisma.person.groupBy({
    by: ["pipelineStage"],
    where: { status: "active", ...(companyId === undefined ? {} : { companyId }) },
    _count: { _all: true },
  });
  return counted.map(({ pipelineStage: stage, _count }) => ({ stage, people: _count._all }));
}

// entities_pkey; people_company_idx, no more than 200 of a company; observations_timeline_idx, no more than 500 of a record
const trends = sql(
  "overview_trends",
  `WITH asked AS (
     SELECT e.id, e.absorbed FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1::uuid[]) AND e.type <> 'workspace'
   ), whose AS (
     SELECT asked.id AS owner, part.id FROM asked CROSS JOIN unnest(array_prepend(asked.id, asked.absorbed)) AS part(id)
     UNION ALL
     SELECT asked.id, part.id FROM asked CROSS JOIN LATERAL (
       SELECT p.id FROM people p WHERE p.workspace_id = $workspace AND p.company_id = asked.id AND p.last_activity_at >= ($2::timestamptz[])[1]
       ORDER BY p.last_activity_at DESC NULLS LAST, p.id DESC LIMIT 200
     ) AS staff JOIN entities e ON e.workspace_id = $workspace AND e.id = staff.id CROSS JOIN unnest(array_prepend(e.id, e.absorbed)) AS part(id)
   )
   SELECT whose.owner AS id, o.week, count(o.week)::int AS events FROM whose LEFT JOIN LATERAL (
     SELECT width_bucket(h.observed_at, $2::timestamptz[]) AS week FROM observations h
     WHERE h.workspace_id = $workspace AND h.entity_id = whose.id AND h.kind = 'event' AND h.observed_at >= ($2::timestamptz[])[1] AND h.observed_at <= $3
       AND ${notRetired("h.id")}
     ORDER BY h.observed_at DESC, h.seq DESC LIMIT 500
   ) AS o ON true GROUP BY 1, 2`,
);

/** Events of these people and companies since the first of `starts` until `until`, by the number of the span from 1; null: none. */
export const countTrends = (db: Db, ids: readonly string[], starts: readonly Date[], until: Date) =>
  db.query<{ id: string; week: number | null; events: number }>(trends, [ids, starts, until]);

const IN_SPAN = "o.kind = 'event' AND o.observed_at >= ($1::timestamptz[])[1] AND o.observed_at <= $2";
// observations_happened_idx, read alone; less those that were removed or corrected, by observations_pkey
const byDay = sql(
  "overview_activity",
  `SELECT day, property, sum(events)::int AS events FROM (
     SELECT width_bucket(o.observed_at, $1::timestamptz[]) AS day, o.property, count(*) AS events FROM observations o
     WHERE o.workspace_id = $workspace AND ${IN_SPAN} GROUP BY 1, 2
     UNION ALL
     SELECT width_bucket(o.observed_at, $1::timestamptz[]), o.property, -count(*) FROM (${retiredEvents}) AS gone
     CROSS JOIN LATERAL (SELECT * FROM observations o WHERE o.workspace_id = $workspace AND o.id = gone.id AND ${IN_SPAN} OFFSET 0) AS o GROUP BY 1, 2
   ) AS counted GROUP BY 1, 2 HAVING sum(events) > 0`,
);

/** Events since the first of `starts` until `until`, by property and by the number of the day, from 1, that began at a start. */
export const countByDay = (db: Db, starts: readonly Date[], until: Date) =>
  db.query<{ day: number; property: string; events: number }>(byDay, [starts, until]);

// observations_happened_idx, read alone
const sourceDays = sql(
  "overview_source_days",
  `SELECT source, max(last_at) AS "lastAt", array_agg(day ORDER BY day) AS days FROM (
     SELECT source, floor(extract(epoch FROM observed_at) / 86400)::int AS day, max(observed_at) AS last_at FROM observations
     WHERE workspace_id = $workspace AND kind = 'event' AND observed_at >= $1 AND observed_at <= $2 GROUP BY 1, 2
   ) AS active GROUP BY source ORDER BY source`,
);

/** When a source last reported an event, and the days (since 1970, UTC) on which it did. */
export type SourceDays = { source: string; lastAt: Date; days: number[] };

export const findSourceDays = (db: Db, since: Date, until: Date) => db.query<SourceDays>(sourceDays, [since, until]);

/** What happened in each of two spans that meet at `middle`. */
export type Halves = { now: number; before: number };

// people_created_idx, read alone
const newPeople = sql(
  "overview_new_people",
  `SELECT count(*) FILTER (WHERE created_at > $2)::int AS now, count(*) FILTER (WHERE created_at <= $2)::int AS before
   FROM people WHERE workspace_id = $workspace AND status = 'active' AND created_at > $1 AND created_at <= $3`,
);

// observations_happened_idx, read alone
const happened = sql(
  "overview_happened",
  `SELECT count(*) FILTER (WHERE observed_at > $2)::int AS now, count(*) FILTER (WHERE observed_at <= $2)::int AS before
   FROM observations WHERE workspace_id = $workspace AND kind = 'event' AND observed_at > $1 AND observed_at <= $3 AND property = $4`,
);

// observations_advances_idx for the moves; observations_workspace_id_entity_id_property_seq_idx for the stage before each, and
// entities_pkey where there is none: who was there before it was identified
const advances = sql(
  "overview_advances",
  `SELECT count(DISTINCT o.entity_id) FILTER (WHERE o.recorded_at > $2)::int AS now, count(DISTINCT o.entity_id) FILTER (WHERE o.recorded_at <= $2)::int AS before
   FROM observations o LEFT JOIN LATERAL (
     SELECT p.value FROM observations p WHERE p.workspace_id = $workspace AND p.entity_id = o.entity_id AND p.property = 'pipeline_stage' AND p.seq < o.seq AND p.kind = 'state'
     ORDER BY p.seq DESC LIMIT 1
   ) AS previous ON true
   LEFT JOIN entities e ON e.workspace_id = $workspace AND e.id = o.entity_id AND previous.value IS NULL
   WHERE o.workspace_id = $workspace AND o.property = 'pipeline_stage' AND o.kind = 'state' AND o.value <> '"identified"'::jsonb
     AND o.recorded_at > $1 AND o.recorded_at <= $3 AND CASE WHEN previous.value IS NULL THEN e.created_at < o.recorded_at
       ELSE array_position($4::text[], o.value #>> '{}') > array_position($4::text[], previous.value #>> '{}') END`,
);

type Spans = readonly [from: Date, middle: Date, until: Date];

const halves = async (db: Db, statement: Parameters<Db["query"]>[0], values: readonly unknown[]): Promise<Halves> =>
  (await db.query<Halves>(statement, values))[0] ?? { now: 0, before: 0 };

/** Active people who were added. */
export const countNewPeople = (db: Db, spans: Spans): Promise<Halves> => halves(db, newPeople, spans);

/** Events with a property, by when they happened. */
export const countHappened = (db: Db, spans: Spans, property: string): Promise<Halves> =>
  halves(db, happened, [...spans, property]);

/** People who moved up the ladder. */
export const countAdvances = (db: Db, spans: Spans, ladder: readonly string[]): Promise<Halves> =>
  halves(db, advances, [...spans, ladder]);
