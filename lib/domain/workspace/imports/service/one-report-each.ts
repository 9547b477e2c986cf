import { type Fault, isFault } from "#lib/core/errors.ts";
import type { Traces } from "#lib/domain/crm/people/service.ts";
import { countNew, holdIdentifiers, type ReportResult } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { type Identifier, identifierKey } from "#lib/domain/records/entities/service.ts";
import type { RowResult } from "../rules/progress.ts";
import { erasedAmong, type ImportedBatch, type RowWithPlace, reasonOf, skipped, wasErased } from "./prepare.ts";

type Row = RowWithPlace<{ named: Identifier }>;

type Recording<R extends Row> = {
  rows: readonly R[];
  /** of the batch's rows; those without one are `rows` */
  results: readonly (RowResult | null)[];
  /** what a new row brings, as its result says it */
  what: string;
  dryRun: boolean;
  /** called when the contacts are locked */
  locksTaken: () => void;
  /** Records the rows: a result for each, in their order. */
  record: (rows: readonly R[]) => Promise<{ results: readonly (ReportResult | Fault)[]; traces: Traces }>;
};

/** Imports rows of which each is one report about one person or company. Rows about people who were erased are skipped. */
export async function importReports<R extends Row>(
  ctx: Ctx,
  { rows, results: before, what, dryRun, locksTaken: held, record }: Recording<R>,
): Promise<Omit<ImportedBatch, "leftOut">> {
  const results = [...before];
  const names = rows.map(({ given }) => given.named);
  if (!dryRun) await holdIdentifiers(ctx, names);
  held();
  const erased = await erasedAmong(ctx, names);
  const allowed = rows.filter(({ given: { named }, index }) => {
    if (!erased.has(identifierKey(named))) return true;
    results[index] = wasErased;
    return false;
  });
  const recording = await record(allowed);
  for (const [place, { index, label, reasons }] of allowed.entries()) {
    const result = recording.results[place] as ReportResult | Fault;
    if (isFault(result)) {
      results[index] = skipped(label, [...reasons, reasonOf(result)]);
      continue;
    }
    const { entity } = result;
    const isNew = countNew(result) > 0;
    results[index] = {
      outcome: isNew ? "created" : "unchanged",
      entityId: dryRun && entity.created ? null : entity.id,
      label,
      changes: isNew ? [what] : [],
      reasons,
    };
  }
  return { results, traces: recording.traces };
}
