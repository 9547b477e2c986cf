import { together } from "#lib/core/together.ts";
import { columnsOf } from "#lib/db/columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { holdsLocks, lock } from "#lib/db/locks.ts";
import { formFor, sql, sqlOfRows } from "#lib/db/statement.ts";
import { labelOfImport } from "#lib/text/client-label.ts";
import type { Belief, Evidence } from "./rules/derivation.ts";
import { bookkeeping } from "./words.ts";

export type StoredEvidence = Evidence & { seq: number; externalId: string | null };

/** Whose evidence it is: an entity, with those that were merged into it. */
export type Subject = string | { readonly id: string; readonly absorbed: readonly string[] };

const idsOf = (subject: Subject): string[] =>
  typeof subject === "string" ? [subject] : [subject.id, ...subject.absorbed];

const clock = sql("clock", "SELECT date_trunc('milliseconds', clock_timestamp()) AS now");

/** The database's time, the one clock for all instances. Read it after locking what is recorded about. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(clock);
  if (!row) throw new Error("the database did not tell its time");
  return row.now;
}

/**
 * Makes this transaction the only writer of an entity's evidence until it ends, and returns the database's time after
 * the wait. A statement issued after this one, even without awaiting it, sees everything the previous writer committed.
 */
export async function lockEntity(db: Db, entityId: string): Promise<Date> {
  const [, now] = await together([lockEntities(db, [entityId]), readClock(db)]);
  return now;
}

/** Locks several entities. */
export const lockEntities = (db: Db, entityIds: readonly string[]): Promise<void> => lock(db, "entity", entityIds);

/** True when this transaction has locked all of these. */
export const holdsEntities = (db: Db, entityIds: readonly string[]): boolean => holdsLocks(db, "entity", entityIds);

const COLUMNS = `o.id, o.seq, o.kind::text, o.property, o.value, o.source, o.method::text, o.observed_at AS "observedAt",
  o.recorded_at AS "recordedAt", o.external_id AS "externalId", o.caused_by AS "causedBy"`;

/**
 * SQL of the value that a property last had before a number, for a record and those merged into it: an expression. `alone`: a
 * condition that none were. It is looked for in the entries of the property alone, however many others a record has: an equality would also allow the index
 * that goes back through all of them.
 */
// observations_workspace_id_entity_id_property_seq_idx
export function valueBefore({
  owner,
  absorbed,
  alone = `${absorbed} = '{}'`,
  property,
  seq,
}: Record<"owner" | "absorbed" | "property" | "seq", string> & { alone?: string }): string {
  const of = (
    id: string,
  ) => `SELECT p.seq, p.value FROM observations p WHERE p.workspace_id = $workspace AND p.entity_id = ${id}
       AND (p.property, p.seq) < (${property} COLLATE "C", ${seq}) AND p.property >= ${property} COLLATE "C" AND p.kind = 'state'
     ORDER BY p.property DESC, p.seq DESC LIMIT 1`;
  return `CASE WHEN ${alone} THEN (SELECT value FROM (${of(owner)}) AS p)
     ELSE (SELECT p.value FROM unnest(array_prepend(${owner}, ${absorbed})) AS part(id) CROSS JOIN LATERAL (${of("part.id")}) AS p ORDER BY p.seq DESC LIMIT 1) END`;
}

const RETIRED = `r.workspace_id = $workspace AND r.property LIKE '${bookkeeping.retired}%'`;

/**
 * SQL condition: an event, of which `id` is a column, was neither removed nor corrected, as far as was known at `knownAt`.
 * For the events of a few records; `retiredEvents` is for those of everyone.
 */
// observations_retired_idx
export const notRetired = (id: string, knownAt: string | null = null): string =>
  `coalesce((SELECT r.value FROM observations r WHERE ${RETIRED} AND r.caused_by = ${id}${
    knownAt === null ? "" : ` AND r.recorded_at <= coalesce(${knownAt}, 'infinity')`
  } ORDER BY r.seq DESC LIMIT 1), 'null') = 'null'::jsonb`;

/** SQL of the ids of all events that were removed or corrected: few. */
// observations_retired_idx
export const retiredEvents = `SELECT id FROM (
     SELECT DISTINCT ON (r.caused_by) r.caused_by AS id, r.value FROM observations r WHERE ${RETIRED} AND r.caused_by IS NOT NULL
     ORDER BY r.caused_by DESC, r.seq DESC
   ) AS decided WHERE decided.value <> 'null'::jsonb`;

/** Sorted here: with ORDER BY, the planner of a young table reads all of an entity's evidence by seq instead. */
const inOrder = <E extends StoredEvidence>(evidence: E[]): E[] => evidence.sort((a, b) => a.seq - b.seq);

// observations_workspace_id_entity_id_property_seq_idx; LATERAL keeps it in use however much the table grew since
// ANALYZE
const ofProperties = (whose: string, those: string) =>
  `SELECT o.entity_id AS "entityId", ${COLUMNS} FROM ${whose}
   CROSS JOIN LATERAL (SELECT * FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id = whose.id
     AND o.property ${those} OFFSET 0) AS o`;
const ofPropertiesMany = sql(
  "observations_of_properties",
  ofProperties("unnest($1::uuid[]) AS whose(id)", "= ANY($2::text[])"),
);
const ofPropertiesOne = sql(
  "observations_of_property",
  ofProperties("(SELECT ($1::uuid[])[1] AS id) AS whose", "= ($2::text[])[1]"),
);

/** Evidence, and the entity it was recorded about. */
export type EvidenceOf = StoredEvidence & { entityId: string };

/** All evidence on some properties of an entity, in the order it was learned. */
export const findEvidence = (db: Db, subject: Subject, properties: readonly string[]): Promise<EvidenceOf[]> =>
  findEvidenceOn(db, idsOf(subject), properties);

/** All evidence on some properties of several entities (those merged into them given too), in the order it was learned. */
export async function findEvidenceOn(
  db: Db,
  entityIds: readonly string[],
  properties: readonly string[],
): Promise<EvidenceOf[]> {
  const ids = [...new Set(entityIds)];
  const statement = ids.length === 1 && properties.length === 1 ? ofPropertiesOne : ofPropertiesMany;
  return inOrder(await db.query<EvidenceOf>(statement, [ids, properties]));
}

// observations_workspace_id_entity_id_property_seq_idx
const saidByPeople = sql(
  "observations_said_by_people",
  `SELECT o.id FROM unnest($1::uuid[]) AS whose(id)
   CROSS JOIN LATERAL (SELECT id, actor, method, caused_by, client FROM observations o WHERE o.workspace_id = $workspace
     AND o.entity_id = whose.id AND o.property = ANY($2::text[]) AND o.kind = 'state' OFFSET 0) AS o
   WHERE o.actor LIKE 'user:%' AND o.method = 'asserted' AND o.caused_by IS NULL
     AND (o.client IS NULL OR NOT starts_with(o.client, '${labelOfImport("")}'))`,
);

/**
 * The ids of the states that people gave, in the app or by approving them, on some properties of entities. What only bears
 * their name is not among them: rows of a file that they imported, what was inferred, and the stage that an activity moved.
 */
export const findSaidByPeople = async (
  db: Db,
  entityIds: readonly string[],
  properties: readonly string[],
): Promise<string[]> => (await db.query<{ id: string }>(saidByPeople, [entityIds, properties])).map(({ id }) => id);

// observations_workspace_id_entity_id_property_seq_idx (prefix scan: the collation is C or the range is re-checked)
const ofPrefix = sql(
  "observations_of_prefix",
  `SELECT ${COLUMNS} FROM observations o
   WHERE o.workspace_id = $workspace AND o.entity_id = ANY($1) AND o.property >= $2 AND o.property < $3
     AND starts_with(o.property, $2)`,
);

/** All evidence on the properties of an entity that begin with `prefix` (ASCII). */
export const findEvidenceByPrefix = async (db: Db, subject: Subject, prefix: string): Promise<StoredEvidence[]> =>
  inOrder(await db.query<StoredEvidence>(ofPrefix, [idsOf(subject), prefix, `${prefix}\u{10FFFF}`]));

// observations_workspace_id_entity_id_property_seq_idx, once for each of them
const ofEntities = sql("observations_of_entities", ofProperties("unnest($1::uuid[]) AS whose(id)", "IS NOT NULL"));

/** All evidence on some entities (those merged into them given too), in the order it was learned. */
export const findEvidenceOf = async (db: Db, entityIds: readonly string[]): Promise<EvidenceOf[]> =>
  inOrder(await db.query<EvidenceOf>(ofEntities, [entityIds]));

export type NewEvidence = Evidence & {
  entityId: string;
  externalId: string | null;
  /** for an activity: the person's stage before and after it */
  stageBefore?: string | null;
  stageAfter?: string | null;
};

/** The claim row that follows from all evidence on one property of an entity. */
export type NewClaim = {
  entityId: string;
  property: string;
  category: string | null;
  supersedes: string | null;
  claimId: string;
  belief: Belief;
};

const evidenceColumns = columnsOf<NewEvidence>(
  [
    ["id", "uuid", (row) => row.id],
    ["entity_id", "uuid", (row) => row.entityId],
    ["kind", "text", (row) => row.kind, { as: "observation_kind", required: true }],
    ["property", "text", (row) => row.property],
    ["value", "jsonb", (row) => JSON.stringify(row.value)],
    ["source", "text", (row) => row.source, { required: true }],
    ["method", "text", (row) => row.method, { as: "method", required: true }],
    ["observed_at", "timestamptz", (row) => row.observedAt, { required: true }],
    { name: "recorded_at", from: "$1" },
    ["external_id", "text", (row) => row.externalId],
    ["caused_by", "uuid", (row) => row.causedBy],
    ["stage_before", "text", (row) => row.stageBefore ?? null, { as: "pipeline_stage" }],
    ["stage_after", "text", (row) => row.stageAfter ?? null, { as: "pipeline_stage" }],
    { name: "actor", from: "$2" },
    { name: "client", from: "$3" },
  ],
  { alias: "n", first: 4 },
);

/** A claim with the seq of its observation, if that was stored before. */
type ClaimWrite = { claim: NewClaim; seq: number | null };

const claimColumns = columnsOf<ClaimWrite>(
  [
    ["id", "uuid", ({ claim }) => claim.claimId],
    ["entity_id", "uuid", ({ claim }) => claim.entityId],
    ["property", "text", ({ claim }) => claim.property],
    ["value", "jsonb", ({ claim }) => JSON.stringify(claim.belief.value)],
    ["category", "text", ({ claim }) => claim.category],
    ["method", "text", ({ claim }) => claim.belief.method, { as: "method" }],
    ["source", "text", ({ claim }) => claim.belief.source],
    ["observation_id", "uuid", ({ claim }) => claim.belief.observationId],
    ["observation_count", "int", ({ claim }) => claim.belief.support.length],
    ["source_count", "int", ({ claim }) => claim.belief.sourceCount],
    ["recorded_at", "timestamptz", ({ claim }) => claim.belief.recordedAt],
    ["last_observed_at", "timestamptz", ({ claim }) => claim.belief.lastObservedAt],
    ["seq", "bigint", ({ seq }) => seq, { from: "coalesce(p.seq, recorded.seq)" }],
    ["conflicts", "jsonb", ({ claim }) => JSON.stringify(claim.belief.conflicts)],
    ["ended_at", "timestamptz", ({ claim }) => claim.belief.ended?.at ?? null],
    ["superseded_by", "uuid", ({ claim }) => claim.belief.ended?.causedBy ?? null],
    ["supersedes", "uuid", ({ claim }) => claim.supersedes],
  ],
  { alias: "p", first: 16, keys: ["id", "entity_id", "property"] },
);

// Rows are inserted in the given order, so seq follows it.
const insertEvidence = (limit: string) => `INSERT INTO observations (workspace_id, ${evidenceColumns.names})
   SELECT $workspace, ${evidenceColumns.selected} FROM unnest(${evidenceColumns.arrays})
     WITH ORDINALITY AS n(${evidenceColumns.given}, place)
   ORDER BY n.place ${limit} RETURNING id, entity_id, seq`;

const append = sqlOfRows(
  "observations_append",
  (limit) => `WITH recorded AS (${insertEvidence(limit)}) SELECT entity_id AS "entityId", seq FROM recorded`,
);

// One statement writes evidence and belief.
const write = sql(
  "observations_write",
  `WITH recorded AS (${insertEvidence("")}), believed AS (
     INSERT INTO claims AS c (workspace_id, ${claimColumns.names})
     SELECT $workspace, ${claimColumns.selected} FROM unnest(${claimColumns.arrays})
       AS p(${claimColumns.given})
       LEFT JOIN recorded ON recorded.id = p.observation_id
     ON CONFLICT (workspace_id, entity_id, property) DO UPDATE SET ${claimColumns.merged} WHERE ${claimColumns.changes("c")}
   )
   SELECT entity_id AS "entityId", seq FROM recorded`,
);

/** Evidence as it was written, in the order given. */
export type EvidencePlace = { entityId: string; seq: number };

/**
 * Writes evidence and the beliefs that follow from it, in one statement that is sent with the COMMIT. `seqOf` gives the
 * seq of evidence stored earlier.
 */
export function writeEvidence(
  db: Db,
  at: Date,
  by: { actor: string; client: string | null },
  evidence: readonly NewEvidence[],
  claims: readonly NewClaim[],
  seqOf: ReadonlyMap<string, number>,
): Promise<EvidencePlace[]> {
  const values = [at, by.actor, by.client, ...evidenceColumns.values(evidence)];
  if (claims.length === 0) return db.defer<EvidencePlace>(formFor(append, evidence.length), values);
  const believed = claims.map((claim) => ({ claim, seq: seqOf.get(claim.belief.observationId) ?? null }));
  return db.defer<EvidencePlace>(write, [...values, ...claimColumns.values(believed)]);
}

/** Removes the claims of entities that were merged away. */
export async function removeClaims(db: Db, entityIds: readonly string[]): Promise<void> {
  await db.prisma.claim.deleteMany({ where: { entityId: { in: [...entityIds] } } });
}

// claims_workspace_id_entity_id_property_key. NOT IN is a look into a hash table, however many are derived.
const deleteOtherClaims = sql(
  "claims_delete_others",
  `DELETE FROM claims c WHERE c.workspace_id = $workspace AND c.entity_id = ANY($1::uuid[])
     AND (c.id, c.entity_id, c.property) NOT IN (SELECT g.id, g.entity_id, g.property FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS g(id, entity_id, property))`,
);

/** Removes claims of entities that the derivation no longer has. `derived` has all claims of these entities. */
export async function keepClaims(db: Db, entityIds: readonly string[], derived: readonly NewClaim[]): Promise<void> {
  await db.query(deleteOtherClaims, [
    entityIds,
    derived.map(({ claimId }) => claimId),
    derived.map(({ entityId }) => entityId),
    derived.map(({ property }) => property),
  ]);
}

// claims_workspace_id_entity_id_property_key
const deleteClaimsOn = sql(
  "claims_delete_of_properties",
  `DELETE FROM claims c USING unnest($1::uuid[], $2::text[]) AS g(entity_id, property)
   WHERE c.workspace_id = $workspace AND c.entity_id = g.entity_id AND c.property = g.property
   RETURNING c.entity_id AS owner, c.property, CASE WHEN c.ended_at IS NULL THEN c.value END AS value`,
);

/** What is believed of a property; null: nothing any more. */
export type PropertyBelief = { owner: string; property: string; value: unknown };

/** Removes the claims on some properties, to derive them again, and returns what they said. */
export const removeClaimsOn = (
  db: Db,
  pairs: readonly { owner: string; property: string }[],
): Promise<PropertyBelief[]> =>
  db.query<PropertyBelief>(deleteClaimsOn, [pairs.map(({ owner }) => owner), pairs.map(({ property }) => property)]);
