import { formatTime } from "#lib/text/time.ts";
import type * as contract from "./contract.ts";
import type { HistoryRow, Version } from "./queries.ts";

export const viewOfVersion = (row: Version): contract.ScoringModel => ({
  version: row.version,
  signals: row.signals,
  builder: row.builder,
  created_at: formatTime(row.createdAt),
  created_by: row.createdBy,
  scored: row.scored,
  changed: row.changed,
  finished_at: row.finishedAt ? formatTime(row.finishedAt) : null,
});

type HistoryView = contract.AccountScore["history"][number];

/** An entry of a score's history; `before` is the one before it. */
export const viewOfHistory = (row: HistoryRow, before: HistoryRow | undefined): HistoryView => ({
  at: formatTime(row.at),
  score: row.score,
  previous: row.previous,
  model_version: row.modelVersion,
  cause: row.cause,
  evidence:
    row.observationId !== null && row.property !== null && row.source !== null
      ? { id: row.observationId, property: row.property, value: row.value as HistoryJson, source: row.source }
      : null,
  moved: movedBetween(before?.points ?? {}, row.points),
});

type HistoryJson = NonNullable<HistoryView["evidence"]>["value"];

/** What signals gave more or less, the most first. */
function movedBetween(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, points: Math.round(((after[key] ?? 0) - (before[key] ?? 0)) * 1000) / 1000 }))
    .filter(({ points }) => points !== 0)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points) || (a.key < b.key ? -1 : 1));
}
