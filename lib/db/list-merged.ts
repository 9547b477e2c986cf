/**
 * A page that is merged from several walks: for a filter by a few values, where an index begins with the value. It reads a page of each
 * walk, so that it costs no more than that, whatever the values are.
 */
import { binding, orderOf, partsAfter } from "./list-order.ts";
import type { Arms, Condition, ListedTable, ListRequest } from "./list-request.ts";
import { MOST_WRITTEN, type Page, rowsOfKeys } from "./list-statement.ts";

/** So many rows are read at most to merge a page of them. */
const MOST_MERGED = 50_000;

type MergedRequest<C extends Condition> = { arms: Arms; request: ListRequest<C> };

/** The walk that a page is merged from, with the values that it is made for; null when it is not made of walks. */
export function armsOf<C extends Condition>(
  { isWalk }: ListedTable<C>,
  request: ListRequest<C>,
): MergedRequest<C> | null {
  const armed = request.conditions.filter(({ arms }) => arms !== undefined);
  const [only] = armed;
  if (!only?.arms || armed.length > 1) return null;
  const { arms } = only;
  if ((arms.many ?? 0) * (request.offset + request.limit) > MOST_MERGED) return null;
  const others = request.conditions.filter((condition) => condition !== only);
  const one = { ...request, conditions: [...others, arms.one as C] };
  return isWalk(one) ? { arms, request: one } : null;
}

/** True when the walks are known to be short, or nothing narrows them: each fills its page at once. */
export const areQuick = <C extends Condition>({ arms, request }: MergedRequest<C>): boolean =>
  arms.many !== null || request.conditions.every((condition) => condition === arms.one || condition.usual === true);

export function mergedPage<C extends Condition>(
  { table, row }: ListedTable<C>,
  { arms, request: { conditions, sort, limit, offset, after } }: MergedRequest<C>,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const order = orderOf(sort);
  const most = limit + 1;
  const written = limit <= MOST_WRITTEN && offset === 0;
  const [all, taken] = written
    ? [String(most), String(most)]
    : [bind({ text: "?", values: [offset + most] }), bind({ text: "?", values: [most] })];
  const skipped = offset > 0 ? ` OFFSET ${bind({ text: "?", values: [offset] })}` : "";
  const where = ["p.workspace_id = $workspace", ...conditions.map(bind)];
  const parts = after ? partsAfter(sort, after, bind) : [""];
  const walks = parts.map(
    (part) =>
      `(SELECT p.id AS key, p.${sort.column} AS at FROM ${table} p WHERE ${[...where, part].filter(Boolean).join(" AND ")} ORDER BY ${order} LIMIT ${all})`,
  );
  const keys = `SELECT walks.key FROM ${bind(arms.of)} AS arm(value) CROSS JOIN LATERAL (${walks.join(" UNION ALL ")}) AS walks ORDER BY ${orderOf(sort, "walks.key", "walks.at")} LIMIT ${taken}${skipped}`;
  return { text: rowsOfKeys(table, row, keys, order), values };
}
