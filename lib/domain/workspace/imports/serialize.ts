import { formatTime } from "#lib/text/time.ts";
import type * as contract from "./contract.ts";
import type { ImportRecord } from "./queries/imports.ts";
import type { RowResult, RunCounts, Undone } from "./rules/progress.ts";

export function importOf(record: ImportRecord): contract.Import {
  const { encoding, delimiter, headerRow, rows, stageValues } = record;
  const values = new Map(Object.entries(stageValues).map(([word, stage]) => [word.trim().toLowerCase(), stage]));
  return {
    id: record.id,
    name: record.name,
    kind: record.kind,
    state: record.state,
    file: { name: record.fileName, bytes: record.bytes, kept: record.kept },
    format: encoding && delimiter && headerRow ? { encoding, delimiter, header_row: headerRow, rows } : null,
    columns: record.columns.map((column) => ({ ...column, as: column.as ?? null })),
    stage_values: stageValues,
    stages_seen: record.stagesSeen.map(({ value, proposed }) => ({
      value,
      proposed,
      stage: values.get(value.trim().toLowerCase()) ?? null,
    })),
    policy: record.policy,
    create: record.creates,
    list_id: record.listId,
    phone_country: record.phoneCountry,
    warnings: record.warnings,
    problem: record.problem,
    check: record.check && progressOf(record.check, rows),
    run: record.run && progressOf(record.run, rows),
    undo: record.undo && undoOf(record.undo),
    backfill_id: record.backfillId,
    created_by: record.createdBy,
    created_at: formatTime(record.createdAt),
  };
}

function progressOf(counted: RunCounts, rows: number | null): contract.Progress {
  const { done, counts, reasons, activeMs, startedAt, finishedAt } = counted;
  const rate = finishedAt === null && activeMs > 0 && done > 0 ? (done / activeMs) * 1000 : null;
  return {
    rows_done: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...counts,
    reasons: Object.entries(reasons)
      .map(([code, { message, rows: count, cells = 0 }]) => ({ code, message, rows: count, cells }))
      .sort((a, b) => b.rows - a.rows),
    rows_per_second: rate && Math.round(rate),
    seconds_left: finishedAt ? 0 : rate && rows !== null ? Math.ceil(Math.max(0, rows - done) / rate) : null,
    started_at: startedAt,
    finished_at: finishedAt,
  };
}

const undoOf = ({ done, removed, restored, kept, also = 0, keptIds, startedAt, finishedAt }: Undone) => ({
  rows_done: done,
  removed,
  restored,
  kept,
  also,
  kept_ids: keptIds,
  started_at: startedAt,
  finished_at: finishedAt,
});

export const rowOf = (row: number, { outcome, entityId, label, changes, reasons }: RowResult): contract.ImportRow => ({
  row,
  outcome,
  entity_id: entityId,
  label,
  changes,
  reasons,
});
