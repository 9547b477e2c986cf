import type { Db } from "./handle.ts";
import { firstPage, firstTried, nextTried } from "./list-first.ts";
import { areTooMany, gatheredPage } from "./list-gathered.ts";
import { areQuick, armsOf, mergedPage } from "./list-merged.ts";
import { binding } from "./list-order.ts";
import type { Condition, ListedTable, ListRequest } from "./list-request.ts";
import { send, statementOf } from "./list-statement.ts";
import { walkedPage } from "./list-walk.ts";

export type { Piece, Position, Sort } from "./list-order.ts";
export type { Condition, ListedTable, ListRequest } from "./list-request.ts";

/**
 * So many rows are found and sorted at most; with more of them in it, a list is walked until the page is full. Fewer where it can
 * be merged from walks instead, which pass over rows that other conditions exclude.
 */
const MOST_FOUND = 20_000;
const FOUND_BEFORE_ARMS = 5_000;

/**
 * One page of a list, each row as its JSON, one more than asked when there are more. Order: the column, then the id.
 *
 * A plain list is a walk: one statement. Where every value that is filtered by can be looked up for one row, the first rows of the list
 * are tried, and more of them when those promise to fill the page. Otherwise all that have the value are found and sorted,
 * if they are few. If they are many, the list is walked after all: its first rows are no sample of the rest, as when the
 * newest leads are those that were not sent yet.
 */
export async function listRows<C extends Condition>(
  db: Db,
  listed: ListedTable<C>,
  asked: ListRequest<C>,
): Promise<string[]> {
  const rare = asked.conditions.filter((condition) => condition.rare);
  if (rare.length === 0) return send(db, walkedPage(listed, asked));
  const walks = armsOf(listed, asked);
  if (walks?.arms.many) return send(db, mergedPage(listed, walks));
  const tries = rare.every(({ probe }) => probe) && asked.offset === 0;
  if (tries) {
    for (let tried: number | null = firstTried(asked.limit); tried !== null; ) {
      const rows: string[] = await send(db, firstPage(listed, asked, tried));
      if (rows.length > asked.limit) return rows;
      tried = nextTried(tried, rows.length, asked.limit);
    }
  }
  const request = await lookedUp(asked);
  const arms = armsOf(listed, request);
  if (tries && !(arms && areQuick(arms))) {
    const rows = await send(db, gatheredPage(listed, request, arms ? FOUND_BEFORE_ARMS : MOST_FOUND), true);
    if (!areTooMany(rows)) return rows;
  }
  if (arms) return send(db, mergedPage(listed, arms));
  return send(db, walkedPage(listed, request), true);
}

/** The request with what had to be looked up for its conditions. */
async function lookedUp<C extends Condition, R extends Pick<ListRequest<C>, "conditions">>(request: R): Promise<R> {
  const conditions: C[] = [];
  // One after the other: they use one connection.
  for (const condition of request.conditions) conditions.push(((await condition.instead?.()) as C) ?? condition);
  return { ...request, conditions };
}

const COUNTED = "counted";

/** Rows that slow conditions are tried on for a count: they take about a second. */
const MOST_TRIED_TO_COUNT = 30_000;

/**
 * How many rows there are, counted up to a limit. Relies on the indexes of the conditions, like a page without order. `tried`: slow
 * conditions are tried on so many of the rows that meet the others.
 */
export async function countRows<C extends Condition>(
  db: Db,
  { table, isWalk }: ListedTable<C>,
  asked: CountRequest<C>,
  most: number,
  tried: number | null = null,
): Promise<number> {
  const request = await lookedUp(asked);
  const values: unknown[] = [];
  const bind = binding(values);
  const isInner = ({ slow }: C) => tried === null || !slow;
  const inner = ["p.workspace_id = $workspace", ...request.conditions.filter(isInner).map(bind)].join(" AND ");
  const outer = request.conditions.filter((condition) => !isInner(condition)).map(bind);
  const first = `${table} p WHERE ${inner}`;
  const rows =
    outer.length === 0 ? first : `(SELECT p.* FROM ${first} LIMIT ${tried}) AS p WHERE ${outer.join(" AND ")}`;
  const text = `SELECT count(*)::int AS ${COUNTED} FROM (SELECT FROM ${rows} LIMIT ${most}) AS rows`;
  const walk = isWalk({ ...request, limit: most, offset: 0, after: null });
  const [row] = await db.query<Record<typeof COUNTED, number>>(statementOf(text, !walk), values);
  return row?.[COUNTED] ?? 0;
}

type CountRequest<C extends Condition> = Pick<ListRequest<C>, "conditions" | "sort">;

/** As `countRows`, for a caller who need not know all. `capped`: there are more, or rows that were not tried. */
export async function countUpTo<C extends Condition>(
  db: Db,
  listed: ListedTable<C>,
  asked: CountRequest<C>,
  most: number,
  tried = MOST_TRIED_TO_COUNT,
): Promise<{ count: number; capped: boolean }> {
  const count = await countRows(db, listed, asked, most + 1, tried);
  if (count > most) return { count: most, capped: true };
  const quick = asked.conditions.filter(({ slow }) => !slow);
  if (quick.length === asked.conditions.length) return { count, capped: false };
  const all = await countRows(db, listed, { ...asked, conditions: quick }, tried + 1);
  return { count, capped: all > tried };
}

/** Those of some rows that a list has. Each row is looked up by itself, by the primary key. */
export async function rowsAmong<C extends Condition>(
  db: Db,
  { table }: Pick<ListedTable<C>, "table">,
  conditions: readonly C[],
  ids: readonly string[],
): Promise<string[]> {
  const values: unknown[] = [];
  const bind = binding(values);
  const wanted = conditions.map((condition) => condition.probe ?? condition);
  const some = bind({ text: "?::uuid[]", values: [ids] });
  const where = ["p.workspace_id = $workspace", `p.id = ANY(${some})`, ...wanted.map(bind)].join(" AND ");
  const text = `SELECT p.id FROM ${table} p WHERE ${where}`;
  return (await db.query<{ id: string }>(statementOf(text), values)).map(({ id }) => id);
}
