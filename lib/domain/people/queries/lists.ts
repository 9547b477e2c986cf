import { createHash } from "node:crypto";
import type { Statement } from "#lib/core/context.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type Position = { value: string | number | null; id: string };
export type Sort = { column: "last_activity_at" | "icp_score" | "created_at"; descending: boolean };

/**
 * A condition of a list, with its parameters as `?`. `index`: how the list indexes serve it. `all`: every one does,
 * whatever its value. `begins`: the one by last activity may begin with it. `range`: it is a range of that one.
 */
export type Condition = {
  text: string;
  values: readonly unknown[];
  index?: "all" | "begins" | "range";
  /** whether to look its value up or to walk the list depends on the value, so the plan is made for each query */
  rare?: boolean;
  /** the same for one row that is at hand, with the same values */
  probe?: string;
};

export type ListRequest = {
  conditions: readonly Condition[];
  sort: Sort;
  limit: number;
  offset: number;
  after: Position | null;
};

const TIME = (column: string) =>
  `coalesce('"' || to_char(p.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`;

/** A person's JSON: the kept part, and what every activity may change. */
const PERSON = `p.wire || ',"pipeline_stage":"' || p.pipeline_stage::text || '","icp_score":' || coalesce(p.icp_score::text, 'null')
  || ',"last_activity_at":' || ${TIME("last_activity_at")} || ',"updated_at":' || ${TIME("updated_at")} || '}'`;

const COMPANY = `jsonb_build_object('id', p.id, 'entity_id', p.id, 'domain', p.domain, 'name', p.name, 'linkedin_url', p.linkedin_url, 'industry', p.industry,
  'employee_count', p.employee_count, 'country', p.country, 'people_count', p.people_count, 'icp_score', p.icp_score, 'source', p.source,
  'status', p.status, 'properties', p.custom, 'last_activity_at', (${TIME("last_activity_at")})::jsonb, 'created_at', (${TIME("created_at")})::jsonb,
  'updated_at', (${TIME("updated_at")})::jsonb)::text`;

const statements = new Map<string, Statement>();

/** Shapes with a plan of their own, which each connection and its server process keep for good. People use a few dozen. */
const MOST_SHAPES = 300;

/**
 * A statement per shape of list; its name is its text's hash, so that equal shapes share a plan. Filters, orders and page
 * sizes make tens of thousands of shapes: what comes after the first few hundred is planned each time.
 */
function statement(text: string, rare: boolean): Statement {
  if (rare) return { name: "", text };
  let known = statements.get(text);
  if (!known) {
    if (statements.size >= MOST_SHAPES) return { name: "", text };
    known = { name: `list_${createHash("sha256").update(text).digest("hex").slice(0, 20)}`, text };
    statements.set(text, known);
  }
  return known;
}

/**
 * True when a page is a walk along one index, whatever its values are. Then the limit is a literal in the text: knowing
 * it, Postgres keeps one plan, where it would make a new one at each call, which takes half as long as the page.
 * Otherwise the best plan depends on how rare a value is.
 */
const isWalk = ({ conditions, sort, limit }: ListRequest): boolean =>
  limit <= MOST_WRITTEN &&
  conditions.every(({ index }) => index === "all" || (index !== undefined && sort.column === "last_activity_at")) &&
  conditions.filter(({ index }) => index === "begins").length <= 1;

/** Page sizes that get statements of their own. */
const MOST_WRITTEN = 200;

/** How many of the first rows are tried one by one, for each row of the page, and how many at most. */
const FIRST_TRIED = 4;
const MOST_TRIED = 4_000;

/**
 * One page of people or companies, each row as its JSON, one more than asked when there are more. Order: the column,
 * nulls last when descending and first when ascending, then the id. Relies on the index of the sort
 * (people_activity_idx and its siblings): a cursor page starts in the index where the last one ended, an offset page
 * walks the index alone before it reads rows.
 *
 * Where every value that is filtered by can be looked up for one row, the first rows of the list are tried, and more of
 * them when those promise to fill the page. Otherwise the value is rare, and all that have it are found and sorted.
 */
async function listRows(db: Db, table: "people" | "companies", row: string, request: ListRequest): Promise<string[]> {
  const rare = request.conditions.filter((condition) => condition.rare);
  if (rare.length > 0 && rare.every(({ probe }) => probe !== undefined) && request.offset === 0) {
    for (let tried: number | null = Math.min(MOST_TRIED, FIRST_TRIED * (request.limit + 1)); tried !== null; ) {
      const rows: string[] = await send(db, pageOf(table, row, request, tried), false);
      if (rows.length > request.limit) return rows;
      tried = isPromising(rows.length / tried, request.limit) && tried < MOST_TRIED ? MOST_TRIED : null;
    }
  }
  return send(db, pageOf(table, row, request, null), rare.length > 0);
}

/** True when a page probably fills among the most that are tried, of rows of which this share was found. */
const isPromising = (share: number, limit: number): boolean => share * MOST_TRIED > limit;

type Page = { text: string; values: unknown[] };

const send = async (db: Db, { text, values }: Page, rare: boolean): Promise<string[]> =>
  (await db.query<{ row: string }>(statement(text, rare), values)).map((item) => item.row);

/** The statement of a page. `tried`: only so many rows are looked at, and each by itself; null: all. */
function pageOf(table: "people" | "companies", row: string, request: ListRequest, tried: number | null): Page {
  const values: unknown[] = [];
  const bind = (condition: Pick<Condition, "text" | "values">) => {
    let next = 0;
    return condition.text.replaceAll("?", () => {
      values.push(condition.values[next++]);
      return `$${values.length}`;
    });
  };
  const kept = tried === null ? request.conditions : request.conditions.filter(({ rare }) => !rare);
  const where = ["p.workspace_id = $workspace", ...kept.map(bind)].join(" AND ");
  const probes =
    tried === null
      ? []
      : request.conditions.flatMap(({ rare, probe, values: its }) =>
          rare && probe !== undefined ? [bind({ text: probe, values: its })] : [],
        );
  const { column, descending } = request.sort;
  // people_created_idx is on a column that is never null and does not mention NULLS; an ORDER BY that does would not
  // match it.
  const [last, first] = column === "created_at" ? ["", ""] : [" NULLS LAST", " NULLS FIRST"];
  const order = descending ? `p.${column} DESC${last}, p.id DESC` : `p.${column} ASC${first}, p.id ASC`;
  const limit =
    tried !== null || isWalk(request) ? String(request.limit + 1) : bind({ text: "?", values: [request.limit + 1] });
  const from = (more: string) => {
    const all = `FROM ${table} p WHERE ${[where, more].filter(Boolean).join(" AND ")}`;
    if (tried === null) return all;
    return `FROM (SELECT p.* ${all} ORDER BY ${order} LIMIT ${tried}) AS p WHERE ${probes.join(" AND ")}`;
  };
  const page = (more: string) => `(SELECT p.id AS key, ${row} AS row ${from(more)} ORDER BY ${order} LIMIT ${limit})`;
  if (request.after) {
    const id = bind({ text: "?::uuid", values: [request.after.id] });
    const compare = descending ? "<" : ">";
    let parts: string[];
    if (request.after.value === null) {
      parts = [`p.${column} IS NULL AND p.id ${compare} ${id}`, ...(descending ? [] : [`p.${column} IS NOT NULL`])];
    } else {
      const cast = column === "icp_score" ? "int" : "timestamptz";
      const at = bind({ text: `?::${cast}`, values: [request.after.value] });
      const nulls = descending && column !== "created_at" ? [`p.${column} IS NULL`] : [];
      parts = [`(p.${column}, p.id) ${compare} (${at}, ${id})`, ...nulls];
    }
    // A second part comes after all of the first, which may be longer than what is tried.
    const pages = (tried === null ? parts : parts.slice(0, 1)).map(page);
    return { text: `SELECT row FROM (${pages.join(" UNION ALL ")}) AS pages LIMIT ${limit}`, values };
  }
  if (request.offset > 0) {
    const offset = bind({ text: "?", values: [request.offset] });
    const keys = `SELECT p.id ${from("")} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`;
    const text = `SELECT ${row} AS row FROM (${keys}) AS k JOIN ${table} p ON p.workspace_id = $workspace AND p.id = k.id ORDER BY ${order}`;
    return { text, values };
  }
  return { text: `SELECT ${row} AS row ${from("")} ORDER BY ${order} LIMIT ${limit}`, values };
}

export const listPersonRows = (db: Db, request: ListRequest) => listRows(db, "people", PERSON, request);
export const listCompanyRows = (db: Db, request: ListRequest) => listRows(db, "companies", COMPANY, request);

// people_pkey
const person = sql(
  "person_by_id",
  `SELECT ${PERSON} AS row FROM people p WHERE p.workspace_id = $workspace AND p.id = $1`,
);
const company = sql(
  "company_by_id",
  `SELECT ${COMPANY} AS row FROM companies p WHERE p.workspace_id = $workspace AND p.id = $1`,
);

/** A person's JSON; null when there is none. */
export const findPersonJson = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ row: string }>(person, [id]))[0]?.row ?? null;

/** A company's JSON; null when there is none. */
export const findCompanyJson = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ row: string }>(company, [id]))[0]?.row ?? null;
