import { labelOfImport } from "#lib/core/client-label.ts";
import type { Caller } from "#lib/core/context.ts";
import { withErasure } from "#lib/db/transaction.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { logBeliefs, logErasure } from "#lib/domain/change-log/service.ts";
import { findEntities, findIdentifiersOf, lockIdentifiers } from "#lib/domain/entities/service.ts";
import { deriveProperties, lockEntities } from "#lib/domain/evidence/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { removeImportedLeads } from "#lib/domain/leads/service.ts";
import { eraseNoteIds } from "#lib/domain/notes/service.ts";
import { findEmployeeIds, leaveLists, recountEmployers, refresh, restoreTimes } from "#lib/domain/people/service.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { announce } from "#lib/live/announce.ts";
import { findRanCount, findTrace, type Trace } from "../queries/batches.ts";
import { findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { findUsed, removeCreated, retireEvidence, takeBackIdentifiers } from "../queries/traces.ts";
import type { Undone } from "../rules/progress.ts";
import { SOURCE } from "./prepare.ts";
import { insideOf } from "./reading.ts";
import { queue, Turn, tellImports, undoing } from "./work.ts";

const MOST_KEPT_IDS = 100;

/** Undoes the batches from the last to the first, each in one transaction that also stores how far it is. */
export async function runUndo({ caller, signal }: JobRun, { import_id: id }: { import_id: string }): Promise<void> {
  for (const turn = new Turn(caller, id); ; ) {
    const more = await withErasure(caller.workspaceId, (db) => step({ ...caller, db }, caller, id), {
      operation: "the undoing of an import",
    });
    announce(caller.workspaceId, { topic: "imports" });
    if (!more) return;
    const goesOn = !signal.aborted && (!turn.isOver() || (await turn.again()));
    if (!goesOn) return insideOf(caller)((ctx) => queue(ctx, undoing, id));
  }
}

async function step(ctx: Ctx, caller: Caller, id: string): Promise<boolean> {
  const record = await findImportToChange(ctx.db, id);
  if (record?.state !== "undoing" || !record.undo) return false;
  const place = record.position - 1 - record.undo.batches;
  if (place < 0) {
    const undo = { ...record.undo, finishedAt: new Date().toISOString() };
    setImport(ctx.db, id, { state: "undone", undo });
    const { removed, restored, kept } = undo;
    await recordAudit({ ...ctx, ...caller }, "import.undone", id, { name: record.name, removed, restored, kept });
    tellImports(ctx);
    return false;
  }
  const trace = await findTrace(ctx.db, id, place);
  const rows = await findRanCount(ctx.db, id, place);
  const done = trace ? await undoBatch(ctx, record, trace) : { removed: 0, restored: 0, kept: [] };
  setImport(ctx.db, id, { undo: added(record.undo, rows, done) });
  return true;
}

type Done = { removed: number; restored: number; kept: string[] };

const added = (undo: Undone, rows: number, { removed, restored, kept }: Done): Undone => ({
  ...undo,
  batches: undo.batches + 1,
  done: undo.done + rows,
  removed: undo.removed + removed,
  restored: undo.restored + restored,
  kept: undo.kept + kept.length,
  keptIds: [...undo.keptIds, ...kept].slice(0, MOST_KEPT_IDS),
});

async function undoBatch(ctx: Ctx, { id }: ImportRecord, { touched, created, before }: Trace): Promise<Done> {
  const label = labelOfImport(id);
  const at = before.at ?? new Date().toISOString();
  await hold(ctx, touched);
  await removeImportedLeads(ctx, id, touched);
  const { kept, removed } = await parted(ctx, created, label, at);
  const gone = new Set(removed);
  const stay = new Set(kept);
  const restored = touched.filter((one) => !gone.has(one) && !stay.has(one));
  const left = await leaveLists(ctx, removed);
  const retired = await retireEvidence(ctx.db, id, [...removed, ...restored], label);
  await takeBackIdentifiers(
    ctx.db,
    before.attached.filter(({ entityId }) => !stay.has(entityId)),
    at,
  );
  await eraseNoteIds(ctx.db, retired.noteIds);
  await removeCreated(ctx.db, removed);
  if (removed.length > 0) await logErasure(ctx, removed, SOURCE);
  const standing = [...(await findEntities(ctx.db, restored)).values()];
  const believed = await deriveProperties(
    ctx,
    standing,
    retired.properties.filter(({ entityId }) => !gone.has(entityId)),
  );
  logBeliefs(ctx, believed, SOURCE);
  const shown = new Map(
    [...standing, ...(await findEntities(ctx.db, left.people)).values()].map((entity) => [entity.id, entity]),
  );
  await refresh(ctx, null, [...shown.values()]);
  await recountEmployers(ctx, null, left.companies);
  await restoreTimes(ctx.db, before.updatedAt, at);
  return { removed: removed.length, restored: restored.length, kept };
}

/** A company in which someone works who stays, stays too. */
async function parted(ctx: Ctx, created: readonly string[], label: string, at: string) {
  const kept: string[] = [];
  for (let removed = created; ; ) {
    const used = new Set(removed.length > 0 ? await findUsed(ctx.db, removed, label, at) : []);
    if (used.size === 0) return { kept, removed };
    kept.push(...used);
    removed = removed.filter((id) => !used.has(id));
  }
}

/**
 * Makes this transaction the only writer about some records, with locks in the order used everywhere: names, then records.
 * People of the companies among them are shown with those, so they are held too.
 */
async function hold(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await lockIdentifiers(ctx.db, await findIdentifiersOf(ctx.db, ids));
  await lockEntities(ctx.db, [...new Set([...ids, ...(await findEmployeeIds(ctx.db, ids))])]);
}
