import { together } from "#lib/core/together.ts";
import { withErasure } from "#lib/db/transaction.ts";
import { removeImportedLeads } from "#lib/domain/crm/leads/service.ts";
import { restoreTimes } from "#lib/domain/crm/people/service.ts";
import {
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
import { resumable } from "#lib/jobs/resumable.ts";
import { labelOfImport } from "#lib/text/client-label.ts";
import { findTouched, findTrace, type Trace } from "../queries/batches.ts";
import { findImport, findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { findUsed, retireEvidence, takeBackIdentifiers } from "../queries/traces.ts";
import { takenBack, type UndoCounts, type Undone } from "../rules/progress.ts";
import { SOURCE } from "./prepare.ts";
import { giveUp, tellImports, turns, undoing } from "./work.ts";

const MOST_KEPT_IDS = 100;

/** Undoes the batches from the last to the first, each in one transaction that also stores how far it is. */
export const runUndo = resumable(undoing, {
  ...turns,
  begin:
    ({ caller }, { import_id: id }) =>
    async () => {
      const more = await withErasure(caller.workspaceId, (db) => step({ ...caller, db }, id), {
        operation: "the undoing of an import",
      });
      return more ? "more" : "done";
    },
  giveUp: ({ caller }, { import_id: id }) =>
    giveUp(caller, id, "undoing", {
      state: "failed",
      problem: "Something went wrong on our side. What was undone stays undone; undo it again to continue.",
    }),
});

/** The batch to undo next; negative: none is left. Null: there is nothing to undo. */
const nextOf = (record: ImportRecord | null): number | null =>
  record?.state === "undoing" && record.undo ? record.position - 1 - record.undo.batches : null;

async function step(ctx: Ctx, id: string): Promise<boolean> {
  // The records first, then the import: an erasure holds its person when it writes to imports.
  const next = nextOf(await findImport(ctx.db, id));
  if (next !== null && next >= 0) await holdWhole(ctx, await findTouched(ctx.db, id, next));
  const record = await findImportToChange(ctx.db, id);
  if (record?.state !== "undoing" || !record.undo) return false;
  const place = record.position - 1 - record.undo.batches;
  if (place !== next) return true; // another run of the job was here
  if (place < 0) {
    const undo = { ...record.undo, finishedAt: new Date().toISOString() };
    await setImport(ctx.db, id, { state: "undone", undo });
    const { removed, restored, kept } = undo;
    const by = undo.by === undefined ? ctx : inNameOf(ctx, undo.by);
    await recordAudit({ ...by, client: null }, "import.undone", id, { name: record.name, removed, restored, kept });
    tellImports(ctx);
    return false;
  }
  const { trace, rows } = await findTrace(ctx.db, id, place);
  const done = trace ? await undoBatch(ctx, record, trace) : { removed: 0, restored: 0, kept: 0, also: 0, keptIds: [] };
  await setImport(ctx.db, id, { undo: added(record.undo, rows, done) });
  return true;
}

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

/** The caller holds what the batch touched. */
async function undoBatch(
  ctx: Ctx,
  { id, kind }: ImportRecord,
  { touched, created, before, results }: Trace,
): Promise<UndoCounts> {
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
  await deleteEntities(ctx.db, removed);
  if (removed.length > 0) await logErasure(ctx, removed, SOURCE);
  const [found, people] = await together([findEntities(ctx.db, restored), findEntities(ctx.db, left.people)]);
  const standing = [...found.values()];
  const believed = await deriveProperties(
    ctx,
    standing,
    retired.properties.filter(({ entityId }) => !gone.has(entityId)),
  );
  logBeliefs(ctx, believed, SOURCE);
  const shown = new Map([...standing, ...people.values()].map((entity) => [entity.id, entity]));
  // Only activities moved the last activity of people and of their companies, which now goes back.
  const movesTimes = kind === "activities";
  const employers = movesTimes ? await findCompaniesOf(ctx.db, [...shown.keys()]) : [];
  if (movesTimes) await rebuildRowsAsTheyAre(ctx, [...shown.values()]);
  else await refresh(ctx, null, [...shown.values()]);
  deriveEmployers(ctx.db, null, [...left.companies, ...employers]);
  await restoreTimes(ctx.db, before.updatedAt, at);
  return takenBack(kind, results, { removed: gone, kept: stay });
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
