import { labelOfImport } from "#lib/core/client-label.ts";
import type { Caller } from "#lib/core/context.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { beginBackfill } from "#lib/domain/bookings/service.ts";
import { findBookingAccount } from "#lib/domain/connections/service.ts";
import { readClock } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { addImported } from "#lib/domain/leads/service.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { announce } from "#lib/live/announce.ts";
import { type Batch, findBatch, keepChecked, keepRan } from "../queries/batches.ts";
import { findImport, findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { findImportedPeople } from "../queries/traces.ts";
import { counted, countsOf, packed } from "../rules/progress.ts";
import { type Imported, importBatch, look } from "./batch.ts";
import { BadFile, insideOf, readFile } from "./reading.ts";
import { forgetSeen, keepSeen, Seen, seenUntil } from "./seen.ts";
import { checking, queue, running, tellImports } from "./work.ts";

type Ids = { import_id: string };

/** One run of a job works this long, then queues the rest, so that other imports of the workspace get their turn. */
const RUN_MS = 10_000;

/** How often open pages are told how far it is. */
const TELL_MS = 500;

/** Reads an uploaded file in the background. */
export async function runReading({ caller }: JobRun, { import_id: id }: Ids): Promise<void> {
  try {
    await readFile(caller, id);
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    await insideOf(caller)((ctx) => setImport(ctx.db, id, { state: "failed", problem: error.message }));
  }
  announce(caller.workspaceId, { topic: "imports" });
}

export const runCheck = (job: JobRun, { import_id }: Ids): Promise<void> => work(job, import_id, "checking");

export const runImporting = (job: JobRun, { import_id }: Ids): Promise<void> => work(job, import_id, "running");

type State = "checking" | "running";

/** Works through the batches. How far it is is stored in the transaction that imports a batch. */
async function work({ caller, last, signal }: JobRun, id: string, state: State): Promise<void> {
  const inside = insideOf(caller);
  const until = Date.now() + RUN_MS;
  let told = 0;
  for (;;) {
    try {
      if (!(await step(caller, id, state))) break;
    } catch (error) {
      if (last && !isUnavailable(error)) await giveUp(caller, id, state);
      throw error;
    }
    if (Date.now() - told > TELL_MS) {
      told = Date.now();
      announce(caller.workspaceId, { topic: "imports" });
    }
    if (signal.aborted || Date.now() > until) {
      await inside((ctx) => queue(ctx, state === "checking" ? checking : running, id));
      return;
    }
  }
  announce(caller.workspaceId, { topic: "imports" });
}

/** The import stays as far as it is, and says so. */
const giveUp = (caller: Caller, id: string, state: State): Promise<void> =>
  insideOf(caller)(async (ctx) => {
    const record = await findImportToChange(ctx.db, id);
    if (record?.state !== state) return;
    const problem = "Something went wrong on our side. What was imported stays; run it again to go on.";
    await setImport(ctx.db, id, state === "checking" ? { state: "ready", problem } : { state: "failed", problem });
    tellImports(ctx);
  });

/** One batch, in one transaction; false when the work is over. */
async function step(caller: Caller, id: string, state: State): Promise<boolean> {
  const inside = insideOf(caller);
  const record = await inside((ctx) => findImport(ctx.db, id));
  if (record?.state !== state) return false;
  const key = `${id} ${state}`;
  const { position } = record;
  const seen = seenUntil(key, position) ?? (await lookBack(caller, record));
  forgetSeen(key); // it is right again only when this batch is committed
  const began = performance.now();
  const outcome = await inside(async (ctx) => {
    const current = await findImportToChange(ctx.db, id);
    if (current?.state !== state || current.position !== position) return "elsewhere";
    const batch = await findBatch(ctx.db, id, position);
    if (!batch) return finish(ctx, current, state);
    await takeBatch(ctx, current, batch, seen, state, began);
    return "done";
  });
  if (outcome === "done") keepSeen(key, position + 1, seen);
  return outcome === "done";
}

async function takeBatch(
  ctx: Ctx,
  record: ImportRecord,
  batch: Batch,
  seen: Seen,
  state: State,
  began: number,
): Promise<void> {
  const { id, position } = record;
  const progress = state === "checking" ? record.check : record.run;
  if (!progress) throw new Error("an import under way has its progress");
  const by = writerOf(ctx, record);
  const imported = await importBatch(by, record, batch, seen, state === "checking");
  const { results } = imported;
  if (state === "checking") await keepChecked(ctx.db, id, position, packed(results), countsOf(results));
  else await keepTrace(ctx, record, imported);
  if (state === "running" && record.listId)
    await addImported(by, { listId: record.listId, importId: id }, peopleIn(imported));
  const now = counted(progress, results, performance.now() - began);
  await setImport(ctx.db, id, { position: position + 1, ...(state === "checking" ? { check: now } : { run: now }) });
}

/** The people of a batch; companies that were written with them aside. */
const peopleIn = ({ results }: Imported): string[] => [
  ...new Set(results.flatMap((result) => (result?.entityId ? [result.entityId] : []))),
];

/** The one who asked for the import; its label tells the evidence of one import from all other. */
function writerOf(ctx: Ctx, { id, runBy }: ImportRecord): Ctx {
  const [type = "job", ...rest] = (runBy ?? "").split(":");
  const actor = runBy ? ({ type, id: rest.join(":") } as Ctx["actor"]) : ctx.actor;
  return { ...ctx, actor, client: labelOfImport(id) };
}

async function keepTrace(ctx: Ctx, { id, position }: ImportRecord, imported: Imported): Promise<void> {
  const { results, touched, created, attached, times } = imported;
  const at = (await readClock(ctx.db)).toISOString();
  const before = { updatedAt: times, at, attached: attached.filter(({ entityId }) => !created.includes(entityId)) };
  await keepRan(ctx.db, id, position, packed(results), countsOf(results), { touched, created, before });
}

/** Every batch is done. */
async function finish(ctx: Ctx, record: ImportRecord, state: State): Promise<"over"> {
  const finishedAt = new Date().toISOString();
  if (state === "checking") {
    const { check } = record;
    await setImport(ctx.db, record.id, { state: "ready", ...(check ? { check: { ...check, finishedAt } } : {}) });
  } else {
    const run = record.run && { ...record.run, finishedAt };
    await setImport(ctx.db, record.id, { state: "done", ...(run ? { run } : {}) });
    const by = writerOf(ctx, record);
    await recordAudit({ ...by, client: null }, "import.finished", record.id, { name: record.name, ...run?.counts });
    await lookForBookings(by, record);
  }
  tellImports(ctx);
  return "over";
}

/** Past bookings of the imported people are looked up when a provider is connected. */
async function lookForBookings(ctx: Ctx, { id, kind }: ImportRecord): Promise<void> {
  if (kind !== "people" || !(await findBookingAccount(ctx))) return;
  const people = await findImportedPeople(ctx.db, id);
  if (people.length === 0) return;
  const { id: backfillId } = await beginBackfill(ctx, people);
  await setImport(ctx.db, id, { backfillId });
}

/** What the rows before the position were about, after another process worked on them. */
async function lookBack(caller: Caller, record: ImportRecord): Promise<Seen> {
  const seen = new Seen();
  for (let place = 0; place < record.position; place++) {
    const batch = await insideOf(caller)((ctx) => findBatch(ctx.db, record.id, place));
    if (batch) look(record, batch, seen);
  }
  return seen;
}
