import { type Fault, isFault } from "#lib/core/errors.ts";
import { isUuid } from "#lib/core/ids.ts";
import { type ImportedRow, importRows, namesToHold, type Terms } from "#lib/domain/crm/people/service.ts";
import { holdIdentifiers } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findEntities } from "#lib/domain/records/entities/service.ts";
import type { ImportRecord } from "../queries/imports.ts";
import { lostIn, type RowReason, type RowResult } from "../rules/progress.ts";
import type { Seen } from "../rules/seen.ts";
import { importActivities } from "./activities.ts";
import { nameCompanies, nameEmployers } from "./named.ts";
import { importNotes } from "./notes.ts";
import { type ImportedBatch, type PreparedBatch, placed, type ReadyRow, refused, SOURCE } from "./prepare.ts";

type How = { dryRun: boolean; locksTaken: () => void };

/**
 * Imports the rows of a batch, or says what that would do. One fault per row: none stops the others. `locksTaken` is called once
 * every identifier that the batch needs is locked.
 */
export async function importBatch(
  ctx: Ctx,
  record: ImportRecord,
  prepared: PreparedBatch,
  seen: Seen,
  how: How,
): Promise<ImportedBatch> {
  const imported = await importPrepared(ctx, record, prepared, seen, how);
  return { ...imported, ...lostIn(prepared.plan, prepared.batch.cells, imported.results) };
}

async function importPrepared(
  ctx: Ctx,
  record: ImportRecord,
  prepared: PreparedBatch,
  seen: Seen,
  { dryRun, locksTaken }: How,
): Promise<Omit<ImportedBatch, "leftOut">> {
  const terms = { source: SOURCE, overwrite: record.policy === "overwrite", create: record.creates, dryRun };
  if (prepared.kind === "note") return importNotes(ctx, prepared, terms, locksTaken);
  if (prepared.kind === "activity") return importActivities(ctx, prepared, terms, locksTaken);
  const { kind, batch, plan, owners } = prepared;
  const results = [...prepared.results];
  const rows =
    prepared.kind === "person"
      ? prepared.rows
      : await placed(ctx, "company", await nameCompanies(ctx, prepared.rows, results), seen, owners);
  if (kind === "person" && rows.some(({ given }) => given.employerMore.length > 0)) await nameEmployers(ctx, rows);
  // All at once: locks that are taken one group after another could meet those of another batch in another order.
  if (!dryRun) await holdIdentifiers(ctx, namesToHold(rows.map(({ read }) => read)));
  locksTaken();
  if (plan.ids) await leaveEmployers(ctx, prepared, rows);
  const reads = rows.map(({ read }) => read);
  const { done, traces } = await importRows(ctx, kind, reads, terms);
  for (const [place, row] of rows.entries())
    results[row.index] = resultOf(done[place] as ImportedRow | Fault, row, batch.firstRow, terms);
  return { results, traces };
}

/**
 * A file that Rapport exported changes no existing company: it has their names as they are shown. Who has no company in it gets none by its
 * name.
 */
async function leaveEmployers(ctx: Ctx, { plan, batch }: PreparedBatch, rows: readonly ReadyRow[]): Promise<void> {
  const idOf = ({ index }: ReadyRow) => String(batch.cells[index]?.[plan.ids?.company ?? -1] ?? "").toLowerCase();
  const ids = [...new Set(rows.map(idOf).filter(isUuid))];
  const there = ids.length > 0 ? await findEntities(ctx.db, ids) : new Map();
  for (const placed of rows) {
    const { read, given } = placed;
    if (isFault(read)) continue;
    const id = idOf(placed);
    if (id === "" && given.employerMore.length > 0) placed.read = { ...read, employer: null };
    if (!there.has(id)) continue;
    const drafts = read.row.drafts.filter(({ property }) => property !== "company");
    placed.read = { ...read, employer: null, row: { ...read.row, drafts } };
  }
}

const whyKept: Readonly<Record<ImportedRow["kept"][number]["why"], string>> = {
  filled: "the record already has a value",
  stronger: "its value counts more than a file's",
  by_person: "a person entered it",
};

function resultOf(
  done: ImportedRow | Fault,
  { label, reasons, first }: ReadyRow,
  firstRow: number,
  terms: Terms,
): RowResult {
  if (isFault(done)) return refused(label, reasons, done);
  const { entity, changed, kept } = done;
  const more: RowReason[] = kept.map(({ property, why }) => ({
    code: why,
    message: `${property} stays as it is: ${whyKept[why]}.`,
    column: null,
    cells: 1,
  }));
  if (first !== null)
    more.unshift({
      code: "repeats",
      message: `Row ${first} is about the same record, so only blanks are filled.`,
      column: null,
    });
  // In a dry run nothing was created for the row above.
  const imaginary = terms.dryRun && entity.created;
  const again = imaginary && first !== null && first < firstRow;
  return {
    outcome: again ? "unchanged" : entity.created ? "created" : changed.length > 0 ? "updated" : "unchanged",
    entityId: imaginary ? null : entity.id,
    label,
    changes: again ? [] : changed,
    reasons: [...reasons, ...more],
  };
}
