/**
 * A page of rows that are rare: all are found by their conditions, then sorted. For what the first rows of the list do not fill the page with:
 * Postgres, which does not know that they have none of it, would rather walk the list until the page is full.
 */
import { binding, orderOf, partsAfter } from "./list-order.ts";
import type { Condition, ListedTable, ListRequest } from "./list-request.ts";
import { type Page, rowsOfKeys } from "./list-statement.ts";

/** The one row of a page that was not made, since there are more rows than are found and sorted. */
const TOO_MANY = "";

export const areTooMany = (rows: readonly string[]): boolean => rows.includes(TOO_MANY);

/** At most so many rows are found and sorted. */
export function gatheredPage<C extends Condition>(
  { table, row }: ListedTable<C>,
  { conditions, sort, limit, after }: ListRequest<C>,
  mostFound: number,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const parts = after ? [`(${partsAfter(sort, after, bind).join(" OR ")})`] : [];
  const where = ["p.workspace_id = $workspace", ...conditions.map(bind), ...parts].join(" AND ");
  const order = orderOf(sort);
  const most = bind({ text: "?", values: [limit + 1] });
  const matches = `SELECT p.id, p.${sort.column} FROM ${table} p WHERE ${where} LIMIT ${mostFound + 1}`;
  const isMany = `(SELECT count(*) FROM found) > ${mostFound}`;
  const keys = `SELECT p.id AS key FROM found AS p WHERE NOT ${isMany} ORDER BY ${order} LIMIT ${most}`;
  const text = `WITH found AS MATERIALIZED (${matches}) (${rowsOfKeys(table, row, keys, order)}) UNION ALL SELECT '${TOO_MANY}' WHERE ${isMany}`;
  return { text, values };
}
