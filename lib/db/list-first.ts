/**
 * A page made of the first rows of the list, each tried by itself: for filters whose values can be looked up for one row, of which
 * it is not known whether most rows have them or hardly any. What most have fills the page here, in one statement that is planned once.
 */
import { binding, orderOf, partsAfter } from "./list-order.ts";
import type { Condition, ListedTable, ListRequest } from "./list-request.ts";
import type { Page } from "./list-statement.ts";

/** How many of the first rows are tried, for each row of the page, and how many at most. */
const FIRST_TRIED = 4;
const MOST_TRIED = 4_000;

/** How many rows are tried first. */
export const firstTried = (limit: number): number => Math.min(MOST_TRIED, FIRST_TRIED * (limit + 1));

/** How many are tried after so many filled this much of the page; null: no more, since they do not promise to fill it. */
export function nextTried(tried: number, matches: number, limit: number): number | null {
  const isPromising = (matches / tried) * MOST_TRIED > limit;
  return isPromising && tried < MOST_TRIED ? MOST_TRIED : null;
}

/** What is rare is tried; what is not, the first rows are. */
export function firstPage<C extends Condition>(
  { table, row }: ListedTable<C>,
  { conditions, sort, limit, after }: ListRequest<C>,
  tried: number,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const where = ["p.workspace_id = $workspace", ...conditions.filter(({ rare }) => !rare).map(bind)];
  const probes = conditions.flatMap(({ rare, probe }) => (rare && probe ? [bind(probe)] : []));
  const order = orderOf(sort);
  // A second part comes after all of the first, which may be longer than what is tried.
  const [part] = after ? partsAfter(sort, after, bind) : [];
  const first = `SELECT p.* FROM ${table} p WHERE ${[...where, ...(part ? [part] : [])].join(" AND ")} ORDER BY ${order} LIMIT ${tried}`;
  const text = `SELECT ${row} AS row FROM (${first}) AS p WHERE ${probes.join(" AND ")} ORDER BY ${order} LIMIT ${limit + 1}`;
  return { text, values };
}
