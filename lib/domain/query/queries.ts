import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

/** How many observations one question looks at, at most; part of the statements, so that the planner knows it. */
export const EXAMINED = 20_000;

export type Condition = {
  kind: "event" | "state" | null;
  low: string;
  high: string;
  source: string | null;
  from: Date | null;
  to: Date | null;
};

export type Question = {
  /** whose observations are looked at; null: everybody's */
  entityIds: readonly string[] | null;
  scope: Condition;
  /** `LIKE` patterns that the value must match */
  patterns: readonly string[];
  /** entities that are left out */
  leftOut: readonly string[];
};

export type Totals = {
  examined: number;
  observations: number;
  byType: Record<string, number> | null;
  bySource: Record<string, number> | null;
  byValue: Record<string, number> | null;
};

export type ObservationItem = Totals & {
  id: string | null;
  ownerId: string;
  kind: "event" | "state";
  property: string;
  value: unknown;
  source: string;
  observedAt: Date;
  recordedAt: Date;
};

export type EntityItem = Totals & { entities: number; ownerId: string | null; count: number; lastObservedAt: Date };

// The statements have no name: each question has conditions of its own, and one plan for all would suit none.

/** What is looked at (observations_learned_idx for everybody's, observations_recent_idx for an entity's), and what of it is in scope. */
const scoped = (whose: string) => `
  WITH looked AS MATERIALIZED (
    SELECT o.id, o.seq, o.entity_id, o.kind, o.property, o.value, o.source, o.observed_at, o.recorded_at
    FROM observations o WHERE o.workspace_id = $workspace AND ${whose} ORDER BY o.seq DESC LIMIT ${EXAMINED}
  ), matched AS MATERIALIZED (
    SELECT * FROM looked l
    WHERE ($2::text IS NULL OR l.kind = $2::observation_kind) AND l.property >= $3 AND l.property < $4
      AND ($5::text IS NULL OR l.source = $5) AND ($6::timestamptz IS NULL OR l.observed_at >= $6) AND ($7::timestamptz IS NULL OR l.observed_at < $7)
      AND ($8::text[] IS NULL OR l.value::text ILIKE ALL ($8)) AND ($9::uuid[] IS NULL OR l.entity_id <> ALL ($9))
  )`;

const counted = (whose: string) => `${scoped(whose)}, types AS (
    SELECT property, count(*)::int AS n FROM matched GROUP BY property ORDER BY 2 DESC, 1 LIMIT 50
  ), sources AS (
    SELECT source, count(*)::int AS n FROM matched GROUP BY source ORDER BY 2 DESC, 1 LIMIT 50
  ), worth AS (
    SELECT value #>> '{}' AS value, count(*)::int AS n FROM matched
    WHERE (SELECT count(*) FROM types) = 1 AND jsonb_typeof(value) IN ('string', 'number', 'boolean') AND pg_column_size(value) < 200
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
  ), totals AS (
    SELECT (SELECT count(*)::int FROM looked) AS examined, (SELECT count(*)::int FROM matched) AS observations,
      (SELECT jsonb_object_agg(property, n) FROM types) AS "byType", (SELECT jsonb_object_agg(source, n) FROM sources) AS "bySource",
      (SELECT jsonb_object_agg(value, n) FROM worth) AS "byValue"
  )`;

// entities_pkey, once for each of at most 200 items
const observations = (whose: string) => `${counted(whose)}
  SELECT totals.*, item.id, item.owner_id AS "ownerId", item.kind::text, item.property, item.value, item.source, item.observed_at AS "observedAt",
    item.recorded_at AS "recordedAt"
  FROM totals LEFT JOIN (
    SELECT latest.*, coalesce(e.merged_into, e.id) AS owner_id FROM (SELECT * FROM matched ORDER BY seq DESC LIMIT $1) AS latest
    JOIN entities e ON e.workspace_id = $workspace AND e.id = latest.entity_id
  ) AS item ON true ORDER BY item.seq DESC`;

// entities_pkey, once for each entity that matches
const entities = (whose: string) => `${counted(whose)}, owners AS MATERIALIZED (
    SELECT coalesce(e.merged_into, e.id) AS owner_id, sum(found.count)::int AS count, max(found.last_observed_at) AS last_observed_at, max(found.seq) AS seq
    FROM (SELECT entity_id, count(*) AS count, max(observed_at) AS last_observed_at, max(seq) AS seq FROM matched GROUP BY entity_id) AS found
    JOIN entities e ON e.workspace_id = $workspace AND e.id = found.entity_id GROUP BY 1
  )
  SELECT totals.*, (SELECT count(*)::int FROM owners) AS entities, item.owner_id AS "ownerId", item.count, item.last_observed_at AS "lastObservedAt"
  FROM totals LEFT JOIN (SELECT * FROM owners ORDER BY seq DESC LIMIT $1) AS item ON true ORDER BY item.seq DESC`;

const matchedIds = (whose: string) => `${scoped(whose)}
  SELECT DISTINCT entity_id AS id FROM matched WHERE $1::int IS NOT NULL`;

const EVERYBODY = "$10::uuid[] IS NULL";
const ENTITY = "o.entity_id = ANY($10)";
const forBoth = (text: (whose: string) => string) => ({ all: sql("", text(EVERYBODY)), one: sql("", text(ENTITY)) });

const statements = { observations: forBoth(observations), entities: forBoth(entities), ids: forBoth(matchedIds) };

function ask<Row extends object>(db: Db, what: keyof typeof statements, question: Question, limit: number) {
  const { entityIds, scope, patterns, leftOut } = question;
  return db.query<Row>(statements[what][entityIds ? "one" : "all"], [
    limit,
    scope.kind,
    scope.low,
    scope.high,
    scope.source,
    scope.from,
    scope.to,
    patterns.length > 0 ? patterns : null,
    leftOut.length > 0 ? leftOut : null,
    entityIds,
  ]);
}

/** The matches learned last, each row with the totals; without a match one row, whose `id` is null. */
export const findObservations = (db: Db, question: Question, limit: number): Promise<ObservationItem[]> =>
  ask<ObservationItem>(db, "observations", question, limit);

/**
 * Entities with matches, the latest learned first, each row with the totals; without a match one row, whose `ownerId`
 * is null.
 */
export const findEntities = (db: Db, question: Question, limit: number): Promise<EntityItem[]> =>
  ask<EntityItem>(db, "entities", question, limit);

/** The entities with matches. */
export const findMatchedIds = async (db: Db, question: Question): Promise<string[]> =>
  (await ask<{ id: string }>(db, "ids", question, 0)).map((row) => row.id);

// entities_pkey by the ids; observations_workspace_id_entity_id_property_seq_idx for each of them and those it was merged with
const having = sql(
  "",
  `SELECT DISTINCT found.id FROM unnest($1::uuid[]) AS found(id)
   JOIN entities e ON e.workspace_id = $workspace AND e.id = found.id
   LEFT JOIN entities k ON k.workspace_id = $workspace AND k.id = e.merged_into
   CROSS JOIN unnest(array_prepend(coalesce(k.id, e.id), coalesce(k.absorbed, e.absorbed))) AS part(id)
   JOIN observations w ON w.workspace_id = $workspace AND w.entity_id = part.id AND w.property >= $3 AND w.property < $4
   WHERE ($2::text IS NULL OR w.kind = $2::observation_kind) AND ($5::text IS NULL OR w.source = $5)
     AND ($6::timestamptz IS NULL OR w.observed_at >= $6) AND ($7::timestamptz IS NULL OR w.observed_at < $7)`,
);

/** Which of these entities have an observation like that, however long ago it was learned. */
export const findHaving = async (db: Db, ids: readonly string[], condition: Condition): Promise<string[]> => {
  const { kind, low, high, source, from, to } = condition;
  return (await db.query<{ id: string }>(having, [ids, kind, low, high, source, from, to])).map((row) => row.id);
};
