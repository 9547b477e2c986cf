import type { Stage } from "#components/records/stages.ts";
import type { Person } from "#lib/domain/people/contract.ts";

/** What is loaded of a column's list. */
export type Loaded = { stage: Stage; rows: readonly Person[] };

type Sorted = "last_activity_at" | "icp_score" | "created_at";
const fields: Readonly<Record<string, Sorted>> = {
  last_activity: "last_activity_at",
  icp_score: "icp_score",
  created: "created_at",
};

/**
 * The people of each column. Those who moved are where their stage is now, and in the order of the list there; a list may
 * still have someone who left, or not yet have someone who came.
 */
export function cardsOf(loaded: readonly Loaded[], sort: string): ReadonlyMap<Stage, readonly Person[]> {
  const seen = new Set<string>();
  const columns = new Map(loaded.map(({ stage }) => [stage, [] as Person[]]));
  for (const { stage, rows } of loaded)
    for (const row of rows)
      if (row.pipeline_stage === stage && !seen.has(row.id)) {
        seen.add(row.id);
        columns.get(stage)?.push(row);
      }
  for (const { rows } of loaded)
    for (const row of rows) {
      const column = columns.get(row.pipeline_stage);
      if (!column || seen.has(row.id)) continue;
      seen.add(row.id);
      const place = column.findIndex((other) => isBefore(row, other, sort));
      column.splice(place < 0 ? column.length : place, 0, row);
    }
  return columns;
}

/** Whether a list with this sort has one before the other. */
function isBefore(one: Person, other: Person, sort: string): boolean {
  const descending = sort.endsWith("_desc");
  const field = fields[sort.replace(/_(desc|asc)$/, "")];
  if (!field) return true;
  const [a, b] = [one[field], other[field]];
  if (a === b) return descending ? one.id > other.id : one.id < other.id;
  // Without a value: last when descending, first when ascending.
  if (a === null || b === null) return descending ? b === null : a === null;
  return descending ? a > b : a < b;
}
