import type { Stage } from "#components/records/stages.ts";
import type { Person } from "#lib/domain/crm/people/contract.ts";
import { fold } from "#lib/text/fold.ts";
import { own } from "#lib/text/own.ts";

/** What is loaded of a column's list. */
export type StageRows = { stage: Stage; rows: readonly Person[] };

/** What the list of each sort orders by: names without case and accents, as the server compares them. */
const values: Readonly<Record<string, (person: Person) => string | number | null>> = {
  last_activity: (person) => person.last_activity_at,
  icp_score: (person) => person.icp_score,
  created: (person) => person.created_at,
  name: ({ first_name, last_name, email }) =>
    fold([first_name, last_name].filter(Boolean).join(" ")) || fold(email ?? "") || null,
  company: ({ company }) => fold(company ?? "") || null,
};

/**
 * The people of each column. Those who moved are where their stage is now, and in the order of the list there; a list may
 * still have someone who left, or not yet have someone who came.
 */
export function cardsOf(loaded: readonly StageRows[], sort: string): ReadonlyMap<Stage, readonly Person[]> {
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
  const value = own(values, sort.replace(/_(desc|asc)$/, ""));
  if (!value) return true;
  const [a, b] = [value(one), value(other)];
  if (a === b) return descending ? one.id > other.id : one.id < other.id;
  // Without a value: last when descending, first when ascending.
  if (a === null || b === null) return descending ? b === null : a === null;
  return descending ? a > b : a < b;
}
