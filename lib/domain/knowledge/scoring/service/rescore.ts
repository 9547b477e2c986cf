import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import {
  type CompanyToScore,
  companiesToScore,
  companyFactsOf,
  featuresOfCompany,
  featuresOfPerson,
  findModel,
  type Model,
  type PersonToScore,
  peopleToScore,
  personFactsOf,
  pointsByKey,
  propertiesOf,
  reasonOf,
  rescoring,
  type ScoreResult,
  scorerFor,
} from "#lib/domain/crm/scores/service.ts";
import { readClock } from "#lib/domain/records/evidence/service.ts";
import { enqueue } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
import {
  advanceRun,
  type Change,
  deferChanges,
  findCauses,
  findLastScores,
  findRun,
  hasScores,
  isWaiting,
  queuePeopleOf,
  type Run,
  removeScores,
  returnToQueue,
  takeQueued,
  writeScores,
} from "../queries.ts";
import { scoresChanged } from "./changed.ts";

/** Rows of one transaction: few enough that another writer waits for milliseconds. */
const BATCH = 1_000;

/** A row that someone else was writing is left alone for a moment. */
const HELD: StepResult = { waitMs: 300 };

const START = "00000000-0000-0000-0000-000000000000";

/** Scores what waits in a workspace, a batch in a transaction. */
export const rescore = resumable(rescoring, {
  turnMs: 5_000,
  begin:
    ({ caller }) =>
    () =>
      scoreSome(caller.workspaceId),
});

/** Scores everything that waits, at once; for the operator's rebuild and for tests. */
export async function rescoreAll(workspaceId: WorkspaceId): Promise<void> {
  while ((await scoreSome(workspaceId)) !== "done");
}

/** Scores records in the caller's transaction, which holds them. */
export async function rescoreRecords(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const model = await findModel(ctx.db);
  if (model)
    await scoreRows(
      ctx,
      model,
      () => "model",
      await peopleToScore.given(ctx.db, ids),
      await companiesToScore.given(ctx.db, ids),
    );
}

/** Queues the job where someone waits without one. */
export const queueRescoring = (workspaceId: WorkspaceId): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    if (await isWaiting(db)) await enqueue(db, rescoring, {});
  });

/** One batch. */
export const scoreSome = (workspaceId: WorkspaceId, limit = BATCH): Promise<StepResult> =>
  withWorkspace(
    workspaceId,
    async (db) => {
      const run = await findRun(db);
      if (!run) return removeSome(db, limit);
      const ctx = { db, workspaceId };
      const queued = await takeQueued(db, limit);
      if (queued.length > 0) return scoreQueued(ctx, run, queued);
      return run.stage === "done" ? "done" : scoreNext(ctx, run, limit);
    },
    { operation: "ICP scores" },
  );

/** In a workspace whose model was removed: takes scores off records. */
async function removeSome(db: Db, limit: number): Promise<StepResult> {
  if ((await removeScores(db, limit)) > 0) return "more";
  return (await hasScores(db)) ? HELD : "done";
}

type Ctx = { db: Db; workspaceId: WorkspaceId };

/** Records with new evidence, and the people of companies among them. */
async function scoreQueued(ctx: Ctx, run: Run, ids: readonly string[]): Promise<StepResult> {
  const people = await peopleToScore.given(ctx.db, ids);
  const companies = await companiesToScore.given(ctx.db, ids);
  const done = await scoreRows(ctx, run, (row) => (isReached(run, row) ? "evidence" : "model"), people, companies);
  if (companies.length > 0)
    await queuePeopleOf(
      ctx.db,
      companies.map(({ companyId }) => companyId),
    );
  return done.waiting === ids.length ? HELD : "more";
}

/** Whether the run of the current model has been past a row; before that, the model is what moves its score. */
const isReached = ({ stage, after }: Run, { type, id }: Pick<Row, "type" | "id">): boolean =>
  stage === "done" ||
  stage === "rest" ||
  (type === "company" ? stage === "people" || id <= (after ?? START) : stage === "people" && id <= (after ?? START));

/** The next of everyone, after the model changed. Rows that are still without a score are found at the end. */
async function scoreNext(ctx: Ctx, run: Run, limit: number): Promise<StepResult> {
  const { db } = ctx;
  const after = run.after ?? START;
  const people =
    run.stage === "people"
      ? await peopleToScore.after(db, after, limit)
      : run.stage === "rest"
        ? await peopleToScore.missed(db, limit)
        : [];
  const companies =
    run.stage === "companies"
      ? await companiesToScore.after(db, after, limit)
      : run.stage === "rest"
        ? await companiesToScore.missed(db, limit)
        : [];
  const done = await scoreRows(ctx, run, () => "model", people, companies);
  const count = people.length + companies.length;
  const next: Pick<Run, "stage" | "after"> =
    run.stage === "rest"
      ? { stage: count > 0 ? "rest" : "done", after: null }
      : count < limit
        ? { stage: run.stage === "companies" ? "people" : "rest", after: null }
        : { stage: run.stage, after: people.at(-1)?.id ?? companies.at(-1)?.companyId ?? null };
  await advanceRun(db, { version: run.version, ...next }, { scored: count - done.waiting, changed: done.changed });
  return run.stage === "rest" && count > 0 && done.waiting === count ? HELD : "more";
}

type Row = {
  id: string;
  type: "person" | "company";
  companyId: string | null;
  source: string;
  before: number | null;
  isScored: boolean;
  scored: ScoreResult | null;
};

/** Scores rows and writes what changed: rows, histories, events. Rows that others hold go back to the queue. */
async function scoreRows(
  ctx: Ctx,
  model: Model,
  causeOf: (row: Row) => "model" | "evidence",
  people: readonly PersonToScore[],
  companies: readonly CompanyToScore[],
): Promise<{ changed: number; waiting: number }> {
  const scorer = scorerFor(ctx.workspaceId, model.version, () => model.signals);
  const rows: Row[] = [
    ...people.map((row) => ({
      ...standing(row),
      id: row.id,
      type: "person" as const,
      companyId: row.companyId,
      scored: scorer.score(featuresOfPerson(personFactsOf(row))),
    })),
    ...companies.map((row) => ({
      ...standing(row),
      id: row.companyId,
      type: "company" as const,
      companyId: null,
      scored: scorer.score(featuresOfCompany(companyFactsOf(row))),
    })),
  ];
  const fresh = rows.filter(({ isScored }) => !isScored).map(({ id }) => id);
  const last = fresh.length > 0 ? await findLastScores(ctx.db, fresh) : new Map<string, number | null>();
  const wanted = rows.filter((row) => !row.isScored || row.before !== scoreOf(row));
  if (wanted.length === 0) return { changed: 0, waiting: 0 };
  const at = await readClock(ctx.db);
  const written = new Set<string>();
  for (const type of ["company", "person"] as const) {
    const some = wanted.filter((row) => row.type === type);
    if (some.length === 0) continue;
    const scores = some.map((row) => ({ id: row.id, score: scoreOf(row) }));
    for (const id of await writeScores(ctx.db, type, at, scores)) written.add(id);
  }
  const waitingIds = wanted.filter(({ id }) => !written.has(id)).map(({ id }) => id);
  if (waitingIds.length > 0) await returnToQueue(ctx.db, waitingIds);
  const moved = wanted
    .filter(({ id }) => written.has(id))
    .map((row) => ({ ...row, previous: row.isScored ? row.before : (last.get(row.id) ?? null) }))
    .filter((row) => row.previous !== scoreOf(row));
  if (moved.length === 0) return { changed: 0, waiting: waitingIds.length };
  const learned = moved.filter((row) => causeOf(row) === "evidence");
  const causes =
    learned.length > 0 ? await findCauses(ctx.db, learned, propertiesBehind(model)) : new Map<string, string>();
  const changes = moved.map((row): Change => {
    const observationId = causes.get(row.id) ?? null;
    const points = row.scored ? pointsByKey(scorer, row.scored) : {};
    const { previous, id: entityId } = row;
    const score = scoreOf(row);
    return {
      ...{ id: newId(), entityId, modelVersion: model.version, score, previous },
      ...{ cause: causeOf(row), observationId, points },
    };
  });
  deferChanges(ctx.db, at, changes);
  await scoresChanged(
    ctx,
    at,
    moved.map((row) => ({
      entityId: row.id,
      type: row.type,
      source: row.source,
      previous: row.previous,
      score: scoreOf(row),
      reason: row.scored && reasonOf(model.signals, row.scored),
      cause:
        causeOf(row) === "model"
          ? { type: "model", version: model.version }
          : { type: "evidence", observationId: causes.get(row.id) ?? null },
    })),
  );
  return { changed: moved.length, waiting: waitingIds.length };
}

/** A score that a source reported is none of the model's. */
const standing = ({ score, scored, source }: { score: number | null; scored: boolean; source: string }) => ({
  before: scored ? score : null,
  isScored: scored,
  source,
});

const scoreOf = ({ scored }: Pick<Row, "scored">): number | null => scored?.score ?? null;

/** The properties that the features of a model are read from. */
const propertiesBehind = ({ signals }: Model): string[] => [
  ...new Set(
    signals.flatMap(
      ({ rule: { feature } }) =>
        (propertiesOf as Readonly<Record<string, readonly string[]>>)[feature] ?? [
          feature.replace(/^(person|company)\./, ""),
        ],
    ),
  ),
];
