import type { Column } from "./list-kind.ts";

type Sortable = Pick<Column<never>, "label" | "sort" | "descendingOnly" | "ascendingFirst">;

const days = ["newest first", "oldest first"] as const;
const letters = ["Z to A", "A to Z"] as const;
const scores = ["highest first", "lowest first"] as const;

/** What the two directions of a sort are called: descending, ascending. */
const directions: Readonly<Record<NonNullable<Sortable["sort"]>, readonly [string, string]>> = {
  last_activity: days,
  created: days,
  icp_score: scores,
  score: scores,
  name: letters,
  company: letters,
  stage: ["latest first", "earliest first"],
};

/** The ways a list can be sorted, in the order of its columns, and the one that a column starts with first. */
export function sortsOf(columns: readonly Sortable[]): { value: string; label: string }[] {
  return columns.flatMap(({ label, sort, descendingOnly, ascendingFirst }) => {
    if (!sort) return [];
    const [desc, asc] = directions[sort];
    const down = { value: `${sort}_desc`, label: `${label}, ${desc}` };
    const up = { value: `${sort}_asc`, label: `${label}, ${asc}` };
    if (descendingOnly) return [down];
    return ascendingFirst ? [up, down] : [down, up];
  });
}
