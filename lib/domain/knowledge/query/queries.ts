import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { retiredEvents } from "#lib/domain/records/evidence/service.ts";
import { bookkeeping } from "#lib/domain/records/evidence/words.ts";

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
  /** whose observations are looked at; null: everyone's */
  entityIds: readonly string[] | null;
  scope: Condition;
  /** words that must all be found; none: anything */
  terms: readonly string[];
  /** entities that are left out */
  leftOut: readonly string[];
  /** what was learned later is not looked at: a page is of what its first page looked at */
  until: number | null;
};

/** `after`: the seq that the last item of the page before has. */
export type PageRequest = { limit: number; after: number | null };

export type Totals = {
  examined: number;
  /** of what was looked at, the seq learned last */
  latest: string | null;
  observations: number;
  byType: Record<string, number> | null;
  bySource: Record<string, number> | null;
  byValue: Record<string, number> | null;
};

export type ObservationItem = Totals & {
  id: string | null;
  seq: string;
  ownerId: string;
  kind: "event" | "state";
  property: string;
  value: unknown;
  source: string;
  observedAt: Date;
  recordedAt: Date;
  causedBy: string | null;
};

export type EntityItem = Totals & {
  entities: number;
  ownerId: string | null;
  seq: string;
  count: number;
  lastObservedAt: Date;
  lastValue: unknown;
};

// The statements have no name: each question has conditions of its own, and one plan for all would suit none.

/**
 * What is looked at (observations_learned_idx for everyone's, observations_recent_idx for an entity's), and what of it is in
 * scope. A question is asked by the stems of its words, with the text of the values and the property; the pattern before it
 * is cheap and leaves little for the dictionary to read. All of the words must be found.
 */
const scoped = (whose: string) => `
  WITH asked AS MATERIALIZED (
    SELECT plainto_tsquery('english', term) AS query, coalesce((ts_lexize('english_stem', term))[1], term) AS stem FROM unnest($8::text[]) AS term
  ), looked AS MATERIALIZED (
    SELECT o.id, o.seq, o.entity_id, o.kind, o.property, o.value, o.source, o.observed_at, o.recorded_at, o.caused_by
    FROM observations o WHERE o.workspace_id = $workspace AND ${whose} AND ($11::bigint IS NULL OR o.seq <= $11) ORDER BY o.seq DESC LIMIT ${EXAMINED}
  ), candidates AS MATERIALIZED (
    SELECT * FROM looked l
    WHERE ($2::text IS NULL OR l.kind = $2::observation_kind) AND l.property >= $3 AND l.property < $4
      AND ($5::text IS NULL OR l.source = $5) AND ($6::timestamptz IS NULL OR l.observed_at >= $6) AND ($7::timestamptz IS NULL OR l.observed_at < $7)
      AND ($8::text[] IS NULL OR (l.property || ' ' || l.value::text) ILIKE ANY ((
        SELECT array_agg('%' || left(stem, greatest(2, length(stem) - 1)) || '%') FROM asked)::text[]))
      AND ($9::uuid[] IS NULL OR l.entity_id <> ALL ($9)) AND l.id NOT IN (${retiredEvents})
      AND l.property NOT LIKE '${bookkeeping.retired}%'
  ), matched AS MATERIALIZED (
    SELECT c.* FROM candidates c
    CROSS JOIN LATERAL (SELECT CASE WHEN $8::text[] IS NOT NULL THEN
      to_tsvector('english', translate(c.property, '._', '  ')) || jsonb_to_tsvector('english', c.value, '["string", "numeric"]') END AS words OFFSET 0) AS text
    WHERE $8::text[] IS NULL OR NOT EXISTS (SELECT FROM asked WHERE NOT text.words @@ asked.query)
  )`;

// entities_pkey; claims_workspace_id_entity_id_property_key, for the property asked about
const counted = (whose: string) => `${scoped(whose)}, types AS (
    SELECT property, regexp_replace(property, '^interaction\\.', '') AS type, count(*)::int AS n FROM matched GROUP BY property ORDER BY 3 DESC, 1 LIMIT 50
  ), sources AS (
    SELECT source, count(*)::int AS n FROM matched GROUP BY source ORDER BY 2 DESC, 1 LIMIT 50
  ), holders AS (
    SELECT DISTINCT coalesce(e.merged_into, e.id) AS id, m.property FROM matched m
    JOIN entities e ON e.workspace_id = $workspace AND e.id = m.entity_id
    WHERE m.kind = 'state' AND (SELECT count(*) FROM types) = 1
  ), worth AS (
    SELECT k.value #>> '{}' AS value, count(*)::int AS n FROM holders h
    JOIN claims k ON k.workspace_id = $workspace AND k.entity_id = h.id AND k.property = h.property AND k.ended_at IS NULL
    WHERE jsonb_typeof(k.value) IN ('string', 'number', 'boolean') AND pg_column_size(k.value) < 200
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
  ), totals AS (
    SELECT (SELECT count(*)::int FROM looked) AS examined, (SELECT max(seq) FROM looked) AS latest, (SELECT count(*)::int FROM matched) AS observations,
      (SELECT jsonb_object_agg(type, n) FROM types) AS "byType", (SELECT jsonb_object_agg(source, n) FROM sources) AS "bySource",
      (SELECT jsonb_object_agg(value, n) FROM worth) AS "byValue"
  )`;

// entities_pkey, once for each of at most 200 items
const observations = (whose: string) => `${counted(whose)}
  SELECT totals.*, item.id, item.seq, item.owner_id AS "ownerId", item.kind::text, item.property, item.value, item.source, item.observed_at AS "observedAt",
    item.recorded_at AS "recordedAt", item.caused_by AS "causedBy"
  FROM totals LEFT JOIN (
    SELECT best.*, coalesce(e.merged_into, e.id) AS owner_id FROM (SELECT * FROM matched WHERE $12::bigint IS NULL OR seq < $12 ORDER BY seq DESC LIMIT $1) AS best
    JOIN entities e ON e.workspace_id = $workspace AND e.id = best.entity_id
  ) AS item ON true ORDER BY item.seq DESC`;

// entities_pkey, once for each entity that matches
const entities = (whose: string) => `${counted(whose)}, owners AS MATERIALIZED (
    SELECT DISTINCT ON (owner_id) owner_id, (count(*) OVER whole)::int AS count, max(seq) OVER whole AS last_seq, observed_at, value, seq
    FROM (
      SELECT coalesce(e.merged_into, e.id) AS owner_id, m.observed_at, m.value, m.seq FROM matched m
      JOIN entities e ON e.workspace_id = $workspace AND e.id = m.entity_id
    ) AS owned
    WINDOW whole AS (PARTITION BY owner_id)
    ORDER BY owner_id, observed_at DESC, seq DESC
  )
  SELECT totals.*, (SELECT count(*)::int FROM owners) AS entities, item.owner_id AS "ownerId", item.last_seq AS seq, item.count, item.observed_at AS "lastObservedAt",
    item.value AS "lastValue"
  FROM totals LEFT JOIN (
    SELECT * FROM owners WHERE $12::bigint IS NULL OR last_seq < $12 ORDER BY last_seq DESC LIMIT $1
  ) AS item ON true ORDER BY item.last_seq DESC`;

const matchedIds = (whose: string) => `${scoped(whose)}
  SELECT DISTINCT entity_id AS id FROM matched WHERE $1::int IS NOT NULL AND $12::bigint IS NULL`;

const EVERYBODY = "$10::uuid[] IS NULL";
const ENTITY = "o.entity_id = ANY($10)";
const forBoth = (text: (whose: string) => string) => ({ all: sql("", text(EVERYBODY)), one: sql("", text(ENTITY)) });

const statements = { observations: forBoth(observations), entities: forBoth(entities), ids: forBoth(matchedIds) };

function ask<Row extends object>(db: Db, what: keyof typeof statements, question: Question, page: PageRequest) {
  const { entityIds, scope, terms, leftOut, until } = question;
  return db.query<Row>(statements[what][entityIds ? "one" : "all"], [
    page.limit,
    scope.kind,
    scope.low,
    scope.high,
    scope.source,
    scope.from,
    scope.to,
    terms.length > 0 ? terms : null,
    leftOut.length > 0 ? leftOut : null,
    entityIds,
    until,
    page.after,
  ]);
}

/** The matches learned last, each row with the totals; without a match one row, whose `id` is null. */
export const findObservations = (db: Db, question: Question, page: PageRequest): Promise<ObservationItem[]> =>
  ask<ObservationItem>(db, "observations", question, page);

/**
 * Entities with matches, the latest learned first, each row with the totals; without a match one row, whose `ownerId`
 * is null.
 */
export const findEntities = (db: Db, question: Question, page: PageRequest): Promise<EntityItem[]> =>
  ask<EntityItem>(db, "entities", question, page);

/** The entities with matches. */
export const findMatchedIds = async (db: Db, question: Question): Promise<string[]> =>
  (await ask<{ id: string }>(db, "ids", question, { limit: 0, after: null })).map((row) => row.id);

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
