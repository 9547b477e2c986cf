import { type Db, sql } from "#lib/db/transaction.ts";

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
  without: Condition | null;
  /** `LIKE` patterns that the value must match */
  patterns: readonly string[];
  examined: number;
  limit: number;
};

export type Totals = {
  examined: number;
  observations: number;
  entities: number;
  byType: Record<string, number> | null;
  bySource: Record<string, number> | null;
  byValue: Record<string, number> | null;
};

type Named = {
  type: "person" | "company" | "workspace" | null;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  email: string | null;
  domain: string | null;
};

export type ObservationItem = Totals &
  Named & {
    id: string | null;
    ownerId: string;
    kind: "event" | "state";
    property: string;
    value: unknown;
    source: string;
    observedAt: Date;
    recordedAt: Date;
  };

export type EntityItem = Totals & Named & { ownerId: string | null; count: number; lastObservedAt: Date };

/**
 * The part of the evidence that is looked at, what of it is in scope, whose it is (after merging), and who is left out.
 * `looked` names the rows: observations_learned_idx for everybody's, observations_recent_idx for an entity's. The rest
 * works on at most $1 rows: entities_pkey by the ids found, and observations_workspace_id_entity_id_property_seq_idx
 * for those that `without` asks about.
 */
const matching = (looked: string) => `
  WITH looked AS MATERIALIZED (
    SELECT o.id, o.seq, o.entity_id, o.kind, o.property, o.value, o.source, o.observed_at, o.recorded_at
    FROM observations o WHERE o.workspace_id = rapport_workspace() AND ${looked} ORDER BY o.seq DESC LIMIT $1
  ), scoped AS (
    SELECT * FROM looked l
    WHERE ($3::text IS NULL OR l.kind = $3::observation_kind) AND l.property >= $4 AND l.property < $5
      AND ($6::text IS NULL OR l.source = $6) AND ($7::timestamptz IS NULL OR l.observed_at >= $7) AND ($8::timestamptz IS NULL OR l.observed_at < $8)
      AND ($9::text[] IS NULL OR l.value::text ILIKE ALL ($9))
  ), owners AS (
    SELECT found.entity_id, coalesce(e.merged_into, e.id) AS owner_id
    FROM (SELECT DISTINCT entity_id FROM scoped) AS found JOIN entities e ON e.workspace_id = rapport_workspace() AND e.id = found.entity_id
  ), left_out AS (
    SELECT DISTINCT k.id FROM (SELECT DISTINCT owner_id FROM owners) AS owner
    JOIN entities k ON k.workspace_id = rapport_workspace() AND k.id = owner.owner_id
    CROSS JOIN unnest(array_prepend(k.id, k.absorbed)) AS part(id)
    JOIN observations w ON w.workspace_id = rapport_workspace() AND w.entity_id = part.id AND w.property >= $11 AND w.property < $12
    WHERE $10 AND ($13::text IS NULL OR w.kind = $13::observation_kind) AND ($14::text IS NULL OR w.source = $14)
      AND ($15::timestamptz IS NULL OR w.observed_at >= $15) AND ($16::timestamptz IS NULL OR w.observed_at < $16)
  ), matched AS MATERIALIZED (
    SELECT s.*, o.owner_id FROM scoped s JOIN owners o ON o.entity_id = s.entity_id LEFT JOIN left_out x ON x.id = o.owner_id WHERE x.id IS NULL
  ), types AS (
    SELECT property, count(*)::int AS n FROM matched GROUP BY property ORDER BY 2 DESC, 1 LIMIT 50
  ), sources AS (
    SELECT source, count(*)::int AS n FROM matched GROUP BY source ORDER BY 2 DESC, 1 LIMIT 50
  ), worth AS (
    SELECT value #>> '{}' AS value, count(*)::int AS n FROM matched
    WHERE (SELECT count(*) FROM types) = 1 AND jsonb_typeof(value) IN ('string', 'number', 'boolean') AND pg_column_size(value) < 200
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 50
  ), totals AS (
    SELECT (SELECT count(*)::int FROM looked) AS examined, (SELECT count(*)::int FROM matched) AS observations,
      (SELECT count(DISTINCT owner_id)::int FROM matched) AS entities, (SELECT jsonb_object_agg(property, n) FROM types) AS "byType",
      (SELECT jsonb_object_agg(source, n) FROM sources) AS "bySource", (SELECT jsonb_object_agg(value, n) FROM worth) AS "byValue"
  )`;

const NAMES = `e.type::text, p.first_name AS "firstName", p.last_name AS "lastName", coalesce(c.name, ws.name) AS name, p.email, c.domain`;
const NAMED = `LEFT JOIN entities e ON e.workspace_id = rapport_workspace() AND e.id = item.owner_id
  LEFT JOIN people p ON p.workspace_id = rapport_workspace() AND p.id = item.owner_id
  LEFT JOIN companies c ON c.workspace_id = rapport_workspace() AND c.id = item.owner_id
  LEFT JOIN workspaces ws ON ws.id = rapport_workspace() AND ws.id = item.owner_id`;

const observations = (looked: string) => `${matching(looked)}
  SELECT totals.*, item.id, item.owner_id AS "ownerId", item.kind::text, item.property, item.value, item.source, item.observed_at AS "observedAt",
    item.recorded_at AS "recordedAt", ${NAMES}
  FROM totals LEFT JOIN (SELECT * FROM matched ORDER BY seq DESC LIMIT $2) AS item ON true ${NAMED} ORDER BY item.seq DESC`;

const entities = (looked: string) => `${matching(looked)}
  SELECT totals.*, item.owner_id AS "ownerId", item.count, item.last_observed_at AS "lastObservedAt", ${NAMES}
  FROM totals LEFT JOIN (
    SELECT owner_id, count(*)::int AS count, max(observed_at) AS last_observed_at, max(seq) AS seq FROM matched GROUP BY owner_id ORDER BY max(seq) DESC LIMIT $2
  ) AS item ON true ${NAMED} ORDER BY item.seq DESC`;

const EVERYBODY = "$17::uuid[] IS NULL";
const ENTITY = "o.entity_id = ANY($17)";

const observationsOfAll = sql("query_observations", observations(EVERYBODY));
const observationsOfEntity = sql("query_observations_of_entity", observations(ENTITY));
const entitiesOfAll = sql("query_entities", entities(EVERYBODY));
const entitiesOfEntity = sql("query_entities_of_entity", entities(ENTITY));

const parameters = ({ entityIds, scope, without, patterns, examined, limit }: Question): unknown[] => [
  examined,
  limit,
  scope.kind,
  scope.low,
  scope.high,
  scope.source,
  scope.from,
  scope.to,
  patterns.length > 0 ? patterns : null,
  without !== null,
  without?.low ?? "",
  without?.high ?? "",
  without?.kind ?? null,
  without?.source ?? null,
  without?.from ?? null,
  without?.to ?? null,
  entityIds,
];

/** The matches learned last, each row with the totals; without a match one row, whose `id` is null. */
export const findObservations = (db: Db, question: Question): Promise<ObservationItem[]> =>
  db.query<ObservationItem>(question.entityIds ? observationsOfEntity : observationsOfAll, parameters(question));

/** Who has matches, the latest learned first, each row with the totals; without a match one row, whose `ownerId` is null. */
export const findEntities = (db: Db, question: Question): Promise<EntityItem[]> =>
  db.query<EntityItem>(question.entityIds ? entitiesOfEntity : entitiesOfAll, parameters(question));
