import { type Fault, isFault } from "#lib/core/errors.ts";
import type { Traces } from "#lib/domain/crm/people/service.ts";
import { countNew, holdIdentifiers, type ReportResult } from "#lib/domain/crm/recording/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Identifier } from "#lib/domain/records/entities/service.ts";
import type { RowResult } from "../rules/progress.ts";
import { type ImportedBatch, type RowWithPlace, refused } from "./prepare.ts";

type Row = RowWithPlace<{ named: Identifier }>;

type Recording = {
  rows: readonly Row[];
  /** of the batch's rows; those without one are `rows` */
  results: readonly (RowResult | null)[];
  /** what a new row brings, as its result says it */
  what: string;
  dryRun: boolean;
  /** called when the contacts are locked */
  locksTaken: () => void;
  /** Records the rows: a result for each, in their order. */
  record: () => Promise<{ results: readonly (ReportResult | Fault)[]; traces: Traces }>;
};

/** Imports rows of which each is one report about one person or company. */
export async function importReports(
  ctx: Ctx,
  { rows, results: before, what, dryRun, locksTaken, record }: Recording,
): Promise<Omit<ImportedBatch, "leftOut">> {
  const results = [...before];
  if (!dryRun)
    await holdIdentifiers(
      ctx,
      rows.map(({ given }) => given.named),
    );
  locksTaken();
  const recording = await record();
  for (const [place, { index, label, reasons }] of rows.entries()) {
    const result = recording.results[place] as ReportResult | Fault;
    if (isFault(result)) {
      results[index] = refused(label, reasons, result);
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
