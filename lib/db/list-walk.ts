/**
 * A page that is a walk along one index until it is full: for lists without a filter, and with filters that the index of the order
 * holds. A cursor page starts in the index where the last one ended, an offset page walks the index alone before it reads rows. All
 * other lists are walked when nothing else makes their page.
 */
import { binding, orderOf, partsAfter } from "./list-order.ts";
import type { Condition, ListedTable, ListRequest } from "./list-request.ts";
import { MOST_WRITTEN, type Page, rowsOfKeys } from "./list-statement.ts";

export function walkedPage<C extends Condition>(
  { table, row, isWalk, keysFirst }: ListedTable<C>,
  request: ListRequest<C>,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const where = ["p.workspace_id = $workspace", ...request.conditions.map(bind)].join(" AND ");
  const order = orderOf(request.sort);
  const walks = isWalk(request);
  const limit =
    request.limit <= MOST_WRITTEN && walks
      ? String(request.limit + 1)
      : bind({ text: "?", values: [request.limit + 1] });
  const from = `FROM ${table} p WHERE ${where}`;
  const byKey = keysFirst === true && !walks;
  const page = (more: string) =>
    `(SELECT p.id AS key${byKey ? "" : `, ${row} AS row`} ${from}${more} ORDER BY ${order} LIMIT ${limit})`;
  const rowsOf = (keys: string) => rowsOfKeys(table, row, keys, order);
  if (request.after) {
    const pages = partsAfter(request.sort, request.after, bind).map((part) => page(` AND ${part}`));
    const all = `FROM (${pages.join(" UNION ALL ")}) AS pages LIMIT ${limit}`;
    return { text: byKey ? rowsOf(`SELECT key ${all}`) : `SELECT row ${all}`, values };
  }
  if (request.offset > 0) {
    const offset = bind({ text: "?", values: [request.offset] });
    return { text: rowsOf(`SELECT p.id AS key ${from} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`), values };
  }
  if (byKey) return { text: rowsOf(page("")), values };
  return { text: `SELECT ${row} AS row ${from} ORDER BY ${order} LIMIT ${limit}`, values };
}
