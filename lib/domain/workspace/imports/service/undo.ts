import type { Caller } from "#lib/core/context.ts";
import { together } from "#lib/core/together.ts";
import { withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { removeImportedLeads } from "#lib/domain/crm/leads/service.ts";
import { restoreTimes } from "#lib/domain/crm/people/service.ts";
import {
  type AffectedRecords,
  deriveEmployers,
  findCompaniesOf,
  holdWhole,
  leaveLists,
  rebuildRowsAsTheyAre,
  refresh,
} from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { eraseNoteIds } from "#lib/domain/knowledge/notes/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { logBeliefs, logErasure } from "#lib/domain/records/change-log/service.ts";
import { deleteEntities, findEntities } from "#lib/domain/records/entities/service.ts";
import { deriveProperties } from "#lib/domain/records/evidence/service.ts";
import { inNameOf } from "#lib/jobs/inside.ts";
import { resumable, type Turn } from "#lib/jobs/resumable.ts";
import { labelOfImport } from "#lib/text/client-label.ts";
import { findTouched, findTrace, type Trace, takeTurn } from "../queries/batches.ts";
import { findImport, findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { findUsed, type RetiredEvidence, retireEvidence, takeBackIdentifiers } from "../queries/traces.ts";
import { takenBack, type UndoCounts, type Undone } from "../rules/progress.ts";
import { Elsewhere, Lanes } from "./lanes.ts";
import { SOURCE } from "./prepare.ts";
import { giveUp, tellImports, turns, undoing } from "./work.ts";

const MOST_KEPT_IDS = 100;

/** Undoes the batches from the last to the first, each in one transaction that also stores how far it is. */
export const runUndo = resumable(undoing, {
  ...turns,
  begin:
    ({ caller }, { import_id: id }) =>
    async (turn) =>
      (await undoThrough(caller, id, turn)) ? "done" : "more",
  giveUp: ({ caller }, { import_id: id }) =>
    giveUp(caller, id, "undoing", {
      state: "failed",
      problem: "Something went wrong on our side. What was undone stays undone; undo it again to continue.",
    }),
});

/** The batch to undo next; negative: none is left. Null: there is nothing to undo. */
const nextOf = (record: ImportRecord | null): number | null =>
  record?.state === "undoing" && record.undo ? record.position - 1 - record.undo.batches : null;

/** Returns whether the undoing is over; else it goes on in another step. */
async function undoThrough(caller: Caller, id: string, turn: Turn): Promise<boolean> {
  const record = await withWorkspace(caller.workspaceId, (db) => findImport(db, id), { ...undoOf, readOnly: true });
  const next = nextOf(record);
  if (record === null || next === null) return true;
  const lanes = new Lanes(record.kind);
  try {
    for (let place = next; place >= 0 && lanes.isHere && !turn.isOver(); place--)
      await lanes.begin(async (locksTaken) => {
        await erasing(caller, (ctx) => undoPlace(ctx, record, place, locksTaken));
        turn.tell();
      });
    await lanes.settle();
  } finally {
    await lanes.end();
  }
  return erasing(caller, (ctx) => finish(ctx, id));
}

const undoOf = { operation: "the undoing of an import" };

const erasing = <T>(caller: Caller, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  withErasure(caller.workspaceId, (db) => work({ ...caller, db }), { ...undoOf, plansOnce: true });

/** Ends the undoing when no batch is left; returns whether it is over. */
async function finish(ctx: Ctx, id: string): Promise<boolean> {
  const record = await findImportToChange(ctx.db, id);
  const next = nextOf(record);
  if (next === null || !record?.undo) return true;
  if (next >= 0) return false;
  const undo = { ...record.undo, finishedAt: new Date().toISOString() };
  await setImport(ctx.db, id, { state: "undone", undo });
  const { removed, restored, kept } = undo;
  const by = undo.by === undefined ? ctx : inNameOf(ctx, undo.by);
  await recordAudit({ ...by, client: null }, "import.undone", id, { name: record.name, removed, restored, kept });
  tellImports(ctx);
  return true;
}

async function undoPlace(ctx: Ctx, record: ImportRecord, place: number, locksTaken: () => void): Promise<void> {
  const { id } = record;
  // The records first, then the import: an erasure holds its person when it writes to imports.
  const [, touched] = await together([takeTurn(ctx.db, id, place), findTouched(ctx.db, id, place)]);
  await holdWhole(ctx, touched);
  locksTaken();
  const { trace, rows } = await findTrace(ctx.db, id, place);
  const removal = trace && (await removeOf(ctx, record, trace));
  // The batch after this one has committed or failed when this one gets its turn. Rows of companies, which several batches may
  // be about, are written in the turn.
  await takeTurn(ctx.db, id, place + 1);
  const current = await findImportToChange(ctx.db, id);
  if (nextOf(current) !== place || !current?.undo) throw new Elsewhere();
  const done = removal ? await restoreWithout(ctx, record, removal) : nothingDone;
  await setImport(ctx.db, id, { undo: added(current.undo, rows, done) });
}

const nothingDone: UndoCounts = { removed: 0, restored: 0, kept: 0, also: 0, keptIds: [] };

const added = (undo: Undone, rows: number, { removed, restored, kept, also, keptIds }: UndoCounts): Undone => ({
  ...undo,
  batches: undo.batches + 1,
  done: undo.done + rows,
  removed: undo.removed + removed,
  restored: undo.restored + restored,
  kept: undo.kept + kept,
  also: (undo.also ?? 0) + also,
  keptIds: [...undo.keptIds, ...keptIds].slice(0, MOST_KEPT_IDS),
});

/** What was removed of a batch, and who is left to be shown without it. */
type Removal = {
  trace: Trace;
  at: string;
  gone: ReadonlySet<string>;
  stay: ReadonlySet<string>;
  restored: readonly string[];
  left: AffectedRecords;
  retired: RetiredEvidence;
};

/** Removes what a batch brought. The caller holds what it touched. */
async function removeOf(ctx: Ctx, { id }: ImportRecord, trace: Trace): Promise<Removal> {
  const { touched, created, before } = trace;
  const label = labelOfImport(id);
  const at = before.at ?? new Date().toISOString();
  await removeImportedLeads(ctx.db, id, touched);
  const { kept, removed } = await parted(ctx, created, label, at);
  const gone = new Set(removed);
  const stay = new Set(kept);
  const restored = touched.filter((one) => !gone.has(one) && !stay.has(one));
  const left = await leaveLists(ctx, removed);
  const [retired] = await together([
    retireEvidence(ctx.db, id, [...removed, ...restored], label),
    takeBackIdentifiers(
      ctx.db,
      before.attached.filter(({ entityId }) => !stay.has(entityId)),
      at,
    ),
  ]);
  await eraseNoteIds(ctx.db, retired.noteIds);
  if (removed.length > 0) {
    await deleteEntities(ctx.db, removed);
    await logErasure(ctx, removed, SOURCE);
  }
  return { trace, at, gone, stay, restored, left, retired };
}

/** Derives what is left of the records that a batch touched. */
async function restoreWithout(ctx: Ctx, { kind }: ImportRecord, removal: Removal): Promise<UndoCounts> {
  const { trace, at, gone, stay, restored, left, retired } = removal;
  const entities = await findEntities(ctx.db, [...restored, ...left.people]);
  const standing = restored.flatMap((id) => entities.get(id) ?? []);
  const believed = await deriveProperties(
    ctx,
    standing,
    retired.properties.filter(({ entityId }) => !gone.has(entityId)),
  );
  logBeliefs(ctx, believed, SOURCE);
  const shown = new Map([...entities.values()].map((entity) => [entity.id, entity]));
  // Only activities moved the last activity of people and of their companies, which now goes back.
  const movesTimes = kind === "activities";
  const employers = movesTimes ? await findCompaniesOf(ctx.db, [...shown.keys()]) : [];
  if (movesTimes) await rebuildRowsAsTheyAre(ctx, [...shown.values()]);
  else await refresh(ctx, null, [...shown.values()]);
  deriveEmployers(ctx.db, null, [...left.companies, ...employers]);
  await restoreTimes(ctx.db, trace.before.updatedAt, at);
  return takenBack(kind, trace.results, { removed: gone, kept: stay });
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
