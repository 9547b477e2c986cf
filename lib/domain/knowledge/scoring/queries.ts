import { columnsOf } from "#lib/db/columns.ts";
import { unchanged } from "#lib/db/generated-columns.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Signal } from "#lib/domain/crm/scores/contract.ts";
import type { PersonToScore } from "#lib/domain/crm/scores/service.ts";
import type { ScoreChange, ScoringModel } from "#prisma/generated/client.ts";

export type Builder = "given" | "rules" | "llm";

const versionColumns = {
  ...{ version: true, signals: true, builder: true, createdAt: true, createdBy: true },
  ...{ scored: true, changed: true, finishedAt: true },
} as const;

export type Version = Omit<Pick<ScoringModel, keyof typeof versionColumns>, "signals" | "builder"> & {
  signals: Signal[];
  builder: Builder;
};

/** Versions before `before`, the latest first. */
export const findVersions = (db: Db, before: number, limit: number): Promise<Version[]> =>
  db.prisma.scoringModel.findMany({
    where: { version: { lt: before } },
    select: versionColumns,
    orderBy: { version: "desc" },
    take: limit,
  }) as Promise<object[]> as Promise<Version[]>;

/** Higher than every version. */
export const ANY_VERSION = 2_147_483_647;

export const findLatest = async (db: Db): Promise<Version | null> =>
  (await findVersions(db, ANY_VERSION, 1))[0] ?? null;

/** Adds a version. The caller holds the workspace's lock, so that versions have no gaps. */
export const insertVersion = (
  db: Db,
  { by, signals, ...given }: { id: string; version: number; signals: readonly Signal[]; builder: Builder; by: string },
): Promise<{ version: number }> =>
  db.prisma.scoringModel.create({
    data: { ...given, signals: [...signals], createdBy: by },
    select: { version: true },
  });

/** Removes all versions and the history of scores; the job of scoring then takes the scores off the records. */
export async function removeModel(db: Db): Promise<void> {
  await db.prisma.scoringModel.deleteMany();
  await db.prisma.scoreChange.deleteMany();
}

// Like the writing of scores: rows that another transaction holds are left out.
const unscoreOf = (table: "people" | "companies") =>
  sql(
    `unscore_${table}`,
    `UPDATE ${table} t SET icp_score = NULL, scored = false, ${unchanged("t", "search")}
     WHERE t.workspace_id = $workspace AND t.id = ANY (ARRAY(
       SELECT t.id FROM ${table} t WHERE t.workspace_id = $workspace AND t.scored ORDER BY t.id LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))
     RETURNING t.id`,
  );
const unscored = [unscoreOf("people"), unscoreOf("companies")];

/** Takes the scores off some records of a workspace without a model; returns off how many. */
export async function removeScores(db: Db, limit: number): Promise<number> {
  let count = 0;
  for (const statement of unscored) count += (await db.query(statement, [limit])).length;
  return count;
}

/** Whether a record still has a score. */
export async function hasScores(db: Db): Promise<boolean> {
  const scored = { where: { scored: true }, select: { id: true } } as const;
  return (await db.prisma.person.findFirst(scored)) !== null || (await db.prisma.company.findFirst(scored)) !== null;
}

/** Where the job that scores everyone with the current model is. */
export type Run = {
  version: number;
  signals: Signal[];
  stage: "companies" | "people" | "rest" | "done";
  after: string | null;
};

// Locked, so that two runs of the job take turns.
const run = sql(
  "scoring_run",
  `SELECT version, signals, stage, after FROM scoring_models WHERE workspace_id = $workspace ORDER BY version DESC LIMIT 1 FOR NO KEY UPDATE`,
);

export const findRun = async (db: Db): Promise<Run | null> => (await db.query<Run>(run))[0] ?? null;

/** Remembers how far the run of a version is, with the scores it wrote. */
export async function advanceRun(
  db: Db,
  { version, stage, after }: Pick<Run, "version" | "stage" | "after">,
  done: { scored: number; changed: number },
): Promise<void> {
  await db.prisma.scoringModel.updateMany({
    where: { version },
    data: {
      stage,
      after,
      scored: { increment: done.scored },
      changed: { increment: done.changed },
      finishedAt: stage === "done" ? new Date() : null,
    },
  });
}

// score_queue_pkey: the oldest; what another run of the job holds is left to it. A record that is being deleted is left out:
// its scores would wait for the deletion, and the deletion for its place in the queue. So it is locked first: a row that is left out
// keeps the locks that it got until then.
const take = sql(
  "score_queue_take",
  `DELETE FROM score_queue WHERE workspace_id = $workspace AND seq = ANY (ARRAY(
     SELECT q.seq FROM score_queue q JOIN entities e ON e.workspace_id = q.workspace_id AND e.id = q.entity_id
     WHERE q.workspace_id = $workspace ORDER BY q.seq LIMIT $1 FOR KEY SHARE OF e SKIP LOCKED FOR UPDATE OF q SKIP LOCKED))
   RETURNING entity_id AS id`,
);

/** Takes some of those who wait to be scored again off the queue. */
export const takeQueued = async (db: Db, limit: number): Promise<string[]> => [
  ...new Set((await db.query<{ id: string }>(take, [limit])).map(({ id }) => id)),
];

// Records that are being deleted are left out here too: the foreign key would wait for the deletion.
const requeue = sql(
  "score_queue_return",
  `WITH held AS (
     SELECT e.id FROM entities e WHERE e.workspace_id = $workspace AND e.id = ANY($1::uuid[]) FOR KEY SHARE OF e SKIP LOCKED)
   INSERT INTO score_queue (workspace_id, entity_id) SELECT $workspace, id FROM held RETURNING NULL`,
);

/** Queues some again. */
export const returnToQueue = (db: Db, ids: readonly string[]): Promise<unknown> => db.query(requeue, [ids]);

// people_company_idx, entities_pkey
const queueEmployees = sql(
  "score_queue_employees",
  `WITH held AS (
     SELECT e.id FROM people p CROSS JOIN LATERAL (
       SELECT e.id FROM entities e WHERE e.workspace_id = $workspace AND e.id = p.id FOR KEY SHARE SKIP LOCKED
     ) AS e WHERE p.workspace_id = $workspace AND p.company_id = ANY($1::uuid[]))
   INSERT INTO score_queue (workspace_id, entity_id) SELECT $workspace, id FROM held RETURNING NULL`,
);

/** Queues the people of companies, whose features are theirs too. */
export const queuePeopleOf = (db: Db, companyIds: readonly string[]): Promise<unknown> =>
  db.query(queueEmployees, [companyIds]);

/** Whether anyone waits to be scored. */
export async function isWaiting(db: Db): Promise<boolean> {
  if (await db.prisma.scoreQueueEntry.findFirst({ select: { seq: true } })) return true;
  const latest = await db.prisma.scoringModel.findFirst({ select: { stage: true }, orderBy: { version: "desc" } });
  return latest !== null && latest.stage !== "done";
}

/** A row's new score; `previous` is what it had. */
export type NewScore = { id: string; score: number | null };

// Rows that another transaction holds are left out, and those of records that are being deleted, so that this one never waits for it
// while it holds others.
const writeOf = (table: "people" | "companies") =>
  sql(
    `score_${table}`,
    `WITH given AS (SELECT * FROM unnest($1::uuid[], $2::int[]) AS g(id, score)),
     held AS (SELECT t.id FROM ${table} t JOIN entities e ON e.workspace_id = t.workspace_id AND e.id = t.id
       WHERE t.workspace_id = $workspace AND t.id = ANY($1::uuid[]) AND e.id = ANY($1::uuid[]) ORDER BY t.id FOR KEY SHARE OF e SKIP LOCKED FOR NO KEY UPDATE OF t SKIP LOCKED)
     UPDATE ${table} t SET icp_score = given.score, scored = true, ${unchanged("t", "search")},
       updated_at = CASE WHEN t.icp_score IS DISTINCT FROM given.score THEN greatest(t.updated_at, $3) ELSE t.updated_at END
     FROM given JOIN held ON held.id = given.id WHERE t.workspace_id = $workspace AND t.id = given.id RETURNING t.id`,
  );
// people_pkey, companies_pkey; entities_pkey
const writes = { person: writeOf("people"), company: writeOf("companies") } as const;

/** Writes scores, and returns the ids of the rows that were free. */
export const writeScores = async (
  db: Db,
  type: "person" | "company",
  at: Date,
  scores: readonly NewScore[],
): Promise<Set<string>> => {
  const values = [scores.map(({ id }) => id), scores.map(({ score }) => score), at];
  return new Set((await db.query<{ id: string }>(writes[type], values)).map(({ id }) => id));
};

// score_changes_entity_idx
const last = sql(
  "score_last_of",
  `SELECT g.id, s.score FROM unnest($1::uuid[]) AS g(id) CROSS JOIN LATERAL (
     SELECT score FROM score_changes WHERE workspace_id = $workspace AND entity_id = g.id ORDER BY at DESC, id DESC LIMIT 1) AS s`,
);

/** The last score of some whose rows are new, as after a merge that was undone. */
export const findLastScores = async (db: Db, ids: readonly string[]): Promise<Map<string, number | null>> =>
  new Map((await db.query<{ id: string; score: number | null }>(last, [ids])).map(({ id, score }) => [id, score]));

export type Change = {
  id: string;
  entityId: string;
  modelVersion: number;
  score: number | null;
  previous: number | null;
  cause: "model" | "evidence";
  observationId: string | null;
  points: Readonly<Record<string, number>>;
};

const changeColumns = columnsOf<Change>(
  [
    ["id", "uuid", (change) => change.id],
    ["entity_id", "uuid", (change) => change.entityId],
    { name: "at", from: "$1" },
    ["model_version", "int", (change) => change.modelVersion],
    ["score", "int", (change) => change.score],
    ["previous", "int", (change) => change.previous],
    ["cause", "text", (change) => change.cause],
    ["observation_id", "uuid", (change) => change.observationId],
    ["points", "jsonb", (change) => JSON.stringify(change.points)],
  ],
  { first: 2 },
);
const insertChanges = sql(
  "score_changes_insert",
  `INSERT INTO score_changes (workspace_id, ${changeColumns.names}) SELECT $workspace, ${changeColumns.selected}
   FROM unnest(${changeColumns.arrays}) AS g(${changeColumns.given}) RETURNING NULL`,
);

/** Adds to the histories; sent with the COMMIT. */
export const deferChanges = (db: Db, at: Date, changes: readonly Change[]): void =>
  void db.defer(insertChanges, [at, ...changeColumns.values(changes)]);

// observations_workspace_id_entity_id_property_seq_idx
const evidence = sql(
  "score_evidence",
  `SELECT g.id, o.id AS "observationId" FROM unnest($1::uuid[], $2::uuid[]) AS g(id, company_id) CROSS JOIN LATERAL (
     SELECT o.id FROM observations o WHERE o.workspace_id = $workspace AND o.entity_id IN (g.id, g.company_id) AND o.property = ANY($3) AND o.kind = 'state'
     ORDER BY o.seq DESC LIMIT 1) AS o`,
);

/** The latest evidence on some properties of people or their companies: what moved their scores. */
export const findCauses = async (
  db: Db,
  whose: readonly { id: string; companyId: string | null }[],
  properties: readonly string[],
): Promise<Map<string, string>> => {
  const values = [whose.map(({ id }) => id), whose.map(({ companyId }) => companyId), properties];
  const rows = await db.query<{ id: string; observationId: string }>(evidence, values);
  return new Map(rows.map(({ id, observationId }) => [id, observationId]));
};

const historyColumns = {
  at: true,
  score: true,
  previous: true,
  modelVersion: true,
  cause: true,
  points: true,
  observationId: true,
} as const;

export type HistoryRow = Omit<Pick<ScoreChange, keyof typeof historyColumns>, "cause" | "points"> &
  Pick<Change, "cause" | "points"> & { property: string | null; value: unknown; source: string | null };

/** The latest changes of someone's score, with the evidence behind each. */
export async function findHistory(db: Db, entityId: string, limit: number): Promise<HistoryRow[]> {
  const changes = await db.prisma.scoreChange.findMany({
    where: { entityId },
    select: historyColumns,
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: limit,
  });
  const evidence = await db.prisma.observation.findMany({
    where: { id: { in: changes.flatMap(({ observationId }) => observationId ?? []) } },
    select: { id: true, property: true, value: true, source: true },
  });
  const behind = new Map(evidence.map(({ id, ...said }) => [id, said]));
  const nothing = { property: null, value: null, source: null };
  return changes.map(({ cause, points, ...change }) => ({
    ...change,
    ...{ cause: cause as Change["cause"], points: points as Change["points"] },
    ...((change.observationId && behind.get(change.observationId)) || nothing),
  }));
}

export type PersonToTry = PersonToScore & { firstName: string | null; lastName: string | null; email: string | null };

// people_activity_idx, companies_pkey
const active = sql(
  "score_people_active",
  `SELECT p.id, p.icp_score AS score, p.scored, p.source, p.first_name AS "firstName", p.last_name AS "lastName", p.email,
     p.job_title AS "jobTitle", p.company, p.custom,
     c.id AS "companyId", c.name AS "companyName", c.industry, c.employee_count AS "employeeCount", c.country, c.custom AS "companyCustom"
   FROM (SELECT * FROM people WHERE workspace_id = $workspace AND status = 'active' ORDER BY last_activity_at DESC NULLS LAST, id DESC LIMIT $1) AS p
   LEFT JOIN companies c ON c.workspace_id = $workspace AND c.id = p.company_id`,
);

/** The people active last, with what the scorer looks at. */
export const findActive = (db: Db, limit: number): Promise<PersonToTry[]> => db.query<PersonToTry>(active, [limit]);
