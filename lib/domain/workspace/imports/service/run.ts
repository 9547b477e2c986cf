import { addImported } from "#lib/domain/crm/leads/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { beginBackfill } from "#lib/domain/integrations/bookings/service.ts";
import { findBookingConnection } from "#lib/domain/integrations/connections/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import type { JobHandler, JobRun } from "#lib/jobs/handler.ts";
import { inNameOf } from "#lib/jobs/inside.ts";
import { resumable } from "#lib/jobs/resumable.ts";
import { announce } from "#lib/live/announce.ts";
import { labelOfImport } from "#lib/text/client-label.ts";
import { keepChecked, keepRan } from "../queries/batches.ts";
import { advanceImport, type ImportRecord, setImport } from "../queries/imports.ts";
import { findImportedPeople } from "../queries/traces.ts";
import { counted, countsOf, packed, type RunCounts } from "../rules/progress.ts";
import type { ImportedBatch } from "./prepare.ts";
import { BadFile, readFile } from "./reading.ts";
import { type BatchTime, type State, type Work, workThrough } from "./through.ts";
import { checking, giveUp, insideImport, running, tellImports, turns } from "./work.ts";

type Ids = { import_id: string };

/** Reads an uploaded file in the background. */
export async function runReading({ caller }: JobRun, { import_id: id }: Ids): Promise<void> {
  try {
    await readFile(caller, id);
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    await insideImport(caller)((ctx) => setImport(ctx.db, id, { state: "failed", problem: error.message }));
  }
  announce(caller.workspaceId, { topic: "imports" });
}

/** A file that could not be read is not read for ever. */
export const giveUpReading = ({ caller }: Pick<JobRun, "caller">, { import_id: id }: Ids): Promise<void> =>
  giveUp(caller, id, "reading", {
    state: "failed",
    problem: "Something went wrong on our side. Delete it and upload the file again.",
  });

export const runCheck = working(checking, "checking", keepCheck, finishCheck);

export const runImporting = working(running, "running", keepRun, finishRun);

/** Works through the batches. How far it is is stored in the transaction that imports a batch. */
function working(kind: typeof running, state: State, keep: Work["keep"], finish: Work["finish"]): JobHandler {
  return resumable(kind, {
    ...turns,
    begin:
      ({ caller }, { import_id: id }) =>
      async (turn) =>
        (await workThrough(caller, id, state, { as: writerOf, keep, finish, turn })) ? "done" : "more",
    giveUp: ({ caller }, { import_id: id }) =>
      giveUp(caller, id, state, {
        state: state === "checking" ? "ready" : "failed",
        problem: "Something went wrong on our side. What was imported stays; run it again to continue.",
      }),
  });
}

async function keepCheck(
  ctx: Ctx,
  record: ImportRecord,
  { results, leftOut }: ImportedBatch,
  { ms }: BatchTime,
): Promise<void> {
  const { id, position } = record;
  keepChecked(ctx.db, id, position, packed(results), countsOf(results));
  advanceImport(ctx.db, id, position + 1, { check: counted(begunOf(record.check), results, ms, leftOut) });
}

async function keepRun(ctx: Ctx, record: ImportRecord, imported: ImportedBatch, { at, ms }: BatchTime): Promise<void> {
  const { id, position, listId } = record;
  if (listId) await addImported(ctx, { listId, importId: id }, peopleIn(imported));
  keepTrace(ctx, record, imported, at);
  advanceImport(ctx.db, id, position + 1, {
    run: counted(begunOf(record.run), imported.results, ms, imported.leftOut),
  });
}

function begunOf(progress: RunCounts | null): RunCounts {
  if (!progress) throw new Error("an import under way has its progress");
  return progress;
}

/** The people of a batch; companies that were written with them aside. */
const peopleIn = ({ results }: ImportedBatch): string[] => [
  ...new Set(results.flatMap((result) => (result?.entityId ? [result.entityId] : []))),
];

/** The one who asked for the import; its label tells the evidence of one import from all other. */
function writerOf<C extends Pick<Ctx, "actor" | "client">>(ctx: C, { id, runBy }: ImportRecord): C {
  return { ...(runBy ? inNameOf(ctx, runBy) : ctx), client: labelOfImport(id) };
}

function keepTrace(ctx: Ctx, { id, position }: ImportRecord, imported: ImportedBatch, at: Date): void {
  const { results, traces } = imported;
  const { touched, created, attached, times } = traces;
  const isNew = new Set(created);
  const newIdentifiers = attached.filter(({ entityId }) => !isNew.has(entityId));
  const before = { updatedAt: times, at: at.toISOString(), attached: newIdentifiers };
  keepRan(ctx.db, id, position, packed(results), countsOf(results), { touched, created, before });
}

async function finishCheck(ctx: Ctx, { id, check }: ImportRecord): Promise<void> {
  const finishedAt = new Date().toISOString();
  await setImport(ctx.db, id, { state: "ready", ...(check ? { check: { ...check, finishedAt } } : {}) });
  tellImports(ctx);
}

async function finishRun(ctx: Ctx, record: ImportRecord): Promise<void> {
  const run = record.run && { ...record.run, finishedAt: new Date().toISOString() };
  await setImport(ctx.db, record.id, { state: "done", ...(run ? { run } : {}) });
  const by = writerOf(ctx, record);
  await recordAudit({ ...by, client: null }, "import.finished", record.id, { name: record.name, ...run?.counts });
  await lookForBookings(by, record);
  tellImports(ctx);
}

/** Past bookings of the imported people are looked up when a provider is connected. */
async function lookForBookings(ctx: Ctx, { id, kind }: ImportRecord): Promise<void> {
  if (kind !== "people" || !(await findBookingConnection(ctx))) return;
  const people = await findImportedPeople(ctx.db, id);
  if (people.length === 0) return;
  const { id: backfillId } = await beginBackfill(ctx, people);
  await setImport(ctx.db, id, { backfillId });
}
