import { createHash } from "node:crypto";
import type { Statement } from "#lib/core/context.ts";
import { singleton } from "#lib/core/singleton.ts";
import type { Db } from "./handle.ts";
import { binding, orderOf, type Position, partsAfter, type Sort } from "./list-order.ts";

export type { Position, Sort } from "./list-order.ts";

/** A condition of a list, with its parameters as `?`; the table's columns are those of `p`. */
export type Condition = {
  text: string;
  values: readonly unknown[];
  /** whether to look its value up or to walk the list depends on the value, so the plan is made for each query */
  rare?: boolean;
  /** nearly all rows meet it */
  usual?: true;
  /** the same for one row that is at hand, with the same values */
  probe?: string;
  /**
   * The same as alternatives, an index beginning with each. Where a page with one of them is a walk, the page is merged
   * from as many walks, so that it costs no more than a page of each, whatever the values are.
   */
  arms?: Arms;
  /** The same in a form that takes a look-up first: for when the first rows do not fill the page, and for counts. */
  instead?: () => Promise<Condition>;
};

/**
 * `one`: the condition for one of the values, which it calls `arm.value`; `of`: where they come from, a part of FROM with one
 * column; `many`: how many there are, null when that is not known and the walks are long: then pages are made of them where
 * nothing else fills a page.
 */
type Arms = { one: Condition; of: Condition; many: number | null };

export type ListRequest<C extends Condition = Condition> = {
  conditions: readonly C[];
  sort: Sort;
  limit: number;
  offset: number;
  after: Position | null;
};

const plans = singleton("list-plans", () => ({ byText: new Map<string, Statement>() }));

/** Shapes with a plan of their own, which each connection and its server process keep for good. People use a few dozen. */
const MOST_SHAPES = 300;

/**
 * A statement per shape of list; its name is its text's hash, so that equal shapes share a plan. Filters, orders and page
 * sizes make tens of thousands of shapes: what comes after the first few hundred is planned each time.
 */
function statement(text: string, rare: boolean): Statement {
  if (rare) return { name: "", text };
  let known = plans.byText.get(text);
  if (!known) {
    if (plans.byText.size >= MOST_SHAPES) return { name: "", text };
    known = { name: `list_${createHash("sha256").update(text).digest("hex").slice(0, 20)}`, text };
    plans.byText.set(text, known);
  }
  return known;
}

/** What is listed: the table, each row as its JSON, and how its indexes serve it. */
export type Listed<C extends Condition> = {
  table: string;
  row: string;
  /** The indexes hold what pages are filtered and sorted by, so that a page is found in one before its rows are read. */
  keysFirst?: true;
  /**
   * True when a page is a walk along one index, whatever its values are. Then the limit is a literal in the text: knowing
   * it, Postgres keeps one plan, where it would make a new one at each call, which takes half as long as the page.
   * Otherwise the best plan depends on how rare a value is.
   */
  isWalk(request: ListRequest<C>): boolean;
};

/** Page sizes that get statements of their own. */
const MOST_WRITTEN = 200;

/** How many of the first rows are tried one by one, for each row of the page, and how many at most. */
const FIRST_TRIED = 4;
const MOST_TRIED = 4_000;

/**
 * One page of a list, each row as its JSON, one more than asked when there are more. Order: the column, then the id.
 * Relies on the index of the sort: a cursor page starts in the index where the last one ended, an offset page
 * walks the index alone before it reads rows.
 *
 * Where every value that is filtered by can be looked up for one row, the first rows of the list are tried, and more of
 * them when those promise to fill the page. Otherwise all that have the value are found and sorted, if they are few. If
 * they are many, the list is walked after all: its first rows are no sample of the rest, as when the newest leads are
 * those that were not sent yet.
 */
export async function listRows<C extends Condition>(
  db: Db,
  listed: Listed<C>,
  asked: ListRequest<C>,
): Promise<string[]> {
  const walks = armsOf(listed, asked);
  if (walks?.arms.many) return send(db, pageOfArms(listed, walks), false);
  const rare = asked.conditions.filter((condition) => condition.rare);
  const tries = rare.length > 0 && rare.every(({ probe }) => probe !== undefined) && asked.offset === 0;
  if (tries) {
    for (let tried: number | null = Math.min(MOST_TRIED, FIRST_TRIED * (asked.limit + 1)); tried !== null; ) {
      const rows: string[] = await send(db, pageOf(listed, asked, tried), false);
      if (rows.length > asked.limit) return rows;
      tried = isPromising(rows.length / tried, asked.limit) && tried < MOST_TRIED ? MOST_TRIED : null;
    }
  }
  const request = await lookedUp(asked);
  const arms = armsOf(listed, request);
  if (tries && !(arms && areQuick(arms))) {
    const rows = await send<string | null>(
      db,
      pageOfFound(listed, request, arms ? FOUND_BEFORE_ARMS : MOST_FOUND),
      true,
    );
    if (!rows.includes(null)) return rows as string[];
  }
  if (arms) return send(db, pageOfArms(listed, arms), false);
  return send(db, pageOf(listed, request, null), rare.length > 0);
}

/** The request with what had to be looked up for its conditions. */
async function lookedUp<C extends Condition, R extends Pick<ListRequest<C>, "conditions">>(request: R): Promise<R> {
  if (!request.conditions.some(({ instead }) => instead)) return request;
  const conditions: C[] = [];
  // One after the other: they use one connection.
  for (const condition of request.conditions) conditions.push(((await condition.instead?.()) as C) ?? condition);
  return { ...request, conditions };
}

/** True when a page probably fills among the most that are tried, of rows of which this share was found. */
const isPromising = (share: number, limit: number): boolean => share * MOST_TRIED > limit;

type Page = { text: string; values: unknown[] };

const send = async <Row extends string | null = string>(
  db: Db,
  { text, values }: Page,
  rare: boolean,
): Promise<Row[]> => (await db.query<{ row: Row }>(statement(text, rare), values)).map((item) => item.row);

/** So many rows are found and sorted at most; with more of them in it, a list is walked until the page is full. */
const MOST_FOUND = 20_000;

/** The same where the list can be merged from walks instead, which pass over rows that other conditions exclude. */
const FOUND_BEFORE_ARMS = 5_000;

/** True when the walks that a page is merged from are known to be short, or nothing narrows them: each fills its page at once. */
const areQuick = <C extends Condition>({ arms, request }: Merged<C>): boolean =>
  arms.many !== null || request.conditions.every((condition) => condition === arms.one || condition.usual === true);

/**
 * The statement of a page of rows that are rare: all are found by their conditions, then sorted. Postgres, which does not
 * know that the first rows of the list have none of them, would rather walk the list until the page is full. The answer is
 * one null when there are more than are found and sorted.
 */
function pageOfFound<C extends Condition>(
  { table, row }: Listed<C>,
  { conditions, sort, limit, after }: ListRequest<C>,
  mostFound: number,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const parts = after ? [`(${partsAfter(sort, after, bind).join(" OR ")})`] : [];
  const where = ["p.workspace_id = $workspace", ...conditions.map(bind), ...parts].join(" AND ");
  const order = orderOf(sort);
  const most = bind({ text: "?", values: [limit + 1] });
  const found = `SELECT p.id, p.${sort.column} FROM ${table} p WHERE ${where} LIMIT ${mostFound + 1}`;
  const isMany = `(SELECT count(*) FROM found) > ${mostFound}`;
  const keys = `SELECT p.id AS key FROM found AS p WHERE NOT ${isMany} ORDER BY ${order} LIMIT ${most}`;
  const text = `WITH found AS MATERIALIZED (${found}) (${rowsOfKeys(table, row, keys, order)}) UNION ALL SELECT NULL WHERE ${isMany}`;
  return { text, values };
}

/** So many rows are read at most to merge a page of them. */
const MOST_MERGED = 50_000;

type Merged<C extends Condition> = { arms: Arms; request: ListRequest<C> };

/** The walk that a page is merged from, with the values that it is made for; null when it is not made of walks. */
function armsOf<C extends Condition>({ isWalk }: Listed<C>, request: ListRequest<C>): Merged<C> | null {
  const armed = request.conditions.filter(({ arms }) => arms !== undefined);
  const [only] = armed;
  if (!only?.arms || armed.length > 1) return null;
  const { arms } = only;
  if ((arms.many ?? 0) * (request.offset + request.limit) > MOST_MERGED) return null;
  const others = request.conditions.filter((condition) => condition !== only);
  const one = { ...request, conditions: [...others, arms.one as C] };
  return isWalk(one) ? { arms, request: one } : null;
}

const COUNTED = "counted";

/** How many rows there are, counted up to a limit. Relies on the indexes of the conditions, like a page without order. */
export async function countRows<C extends Condition>(
  db: Db,
  { table, isWalk }: Listed<C>,
  asked: Pick<ListRequest<C>, "conditions" | "sort">,
  most: number,
): Promise<number> {
  const request = await lookedUp(asked);
  const values: unknown[] = [];
  const bind = binding(values);
  const where = ["p.workspace_id = $workspace", ...request.conditions.map(bind)].join(" AND ");
  const text = `SELECT count(*)::int AS ${COUNTED} FROM (SELECT FROM ${table} p WHERE ${where} LIMIT ${most}) AS rows`;
  const walk = isWalk({ ...request, limit: most, offset: 0, after: null });
  const [row] = await db.query<Record<typeof COUNTED, number>>(statement(text, !walk), values);
  return row?.[COUNTED] ?? 0;
}

/** The statement of a page that is merged from walks. */
function pageOfArms<C extends Condition>(
  { table, row }: Listed<C>,
  { arms, request: { conditions, sort, limit, offset, after } }: Merged<C>,
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

const rowsOfKeys = (table: string, row: string, keys: string, order: string): string =>
  `SELECT ${row} AS row FROM (${keys}) AS k JOIN ${table} p ON p.workspace_id = $workspace AND p.id = k.key ORDER BY ${order}`;

/** The statement of a page. `tried`: only so many rows are looked at, and each by itself; null: all. */
function pageOf<C extends Condition>(
  { table, row, isWalk, keysFirst }: Listed<C>,
  request: ListRequest<C>,
  tried: number | null,
): Page {
  const values: unknown[] = [];
  const bind = binding(values);
  const kept = tried === null ? request.conditions : request.conditions.filter(({ rare }) => !rare);
  const where = ["p.workspace_id = $workspace", ...kept.map(bind)].join(" AND ");
  const probes =
    tried === null
      ? []
      : request.conditions.flatMap(({ rare, probe, values: its }) =>
          rare && probe !== undefined ? [bind({ text: probe, values: its })] : [],
        );
  const order = orderOf(request.sort);
  const limit =
    tried !== null || (request.limit <= MOST_WRITTEN && isWalk(request))
      ? String(request.limit + 1)
      : bind({ text: "?", values: [request.limit + 1] });
  const from = (more: string) => {
    const all = `FROM ${table} p WHERE ${[where, more].filter(Boolean).join(" AND ")}`;
    if (tried === null) return all;
    return `FROM (SELECT p.* ${all} ORDER BY ${order} LIMIT ${tried}) AS p WHERE ${probes.join(" AND ")}`;
  };
  const byKey = keysFirst === true && tried === null && !isWalk(request);
  const page = (more: string) =>
    `(SELECT p.id AS key${byKey ? "" : `, ${row} AS row`} ${from(more)} ORDER BY ${order} LIMIT ${limit})`;
  const rowsOf = (keys: string) => rowsOfKeys(table, row, keys, order);
  if (request.after) {
    const parts = partsAfter(request.sort, request.after, bind);
    // A second part comes after all of the first, which may be longer than what is tried.
    const pages = (tried === null ? parts : parts.slice(0, 1)).map(page);
    const all = `FROM (${pages.join(" UNION ALL ")}) AS pages LIMIT ${limit}`;
    return { text: byKey ? rowsOf(`SELECT key ${all}`) : `SELECT row ${all}`, values };
  }
  if (request.offset > 0) {
    const offset = bind({ text: "?", values: [request.offset] });
    const text = rowsOf(`SELECT p.id AS key ${from("")} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`);
    return { text, values };
  }
  if (byKey) return { text: rowsOf(page("")), values };
  return { text: `SELECT ${row} AS row ${from("")} ORDER BY ${order} LIMIT ${limit}`, values };
}
