import { MOST_COUNTED } from "#lib/core/page-input.ts";
import type { Db } from "#lib/db/handle.ts";
import { type Condition, countRows, countUpTo, type ListRequest, listRows, rowsAmong } from "#lib/db/listing.ts";
import { sql } from "#lib/db/statement.ts";

/**
 * `index`: how the list indexes serve the condition. `all`: every one does, whatever its value. `begins`: the one by last
 * activity, or by `sort`, may begin with it. `range`: it is a range of that one.
 */
export type PeopleCondition = Condition & { index?: "all" | "begins" | "range"; sort?: "icp_score" };
type Request = ListRequest<PeopleCondition>;

/** A person's or company's JSON, ready in the row in two parts: an activity changes only the second. */
const ROW = "p.wire || p.wire_end";

/** A walk along people_activity_idx or one of its siblings. */
const isWalk = ({ conditions, sort }: Request): boolean =>
  conditions.every(
    ({ index, sort: of = "last_activity_at" }) => index === "all" || (index !== undefined && sort.column === of),
  ) && conditions.filter(({ index }) => index === "begins").length <= 1;

const listed = {
  people: { table: "people", row: ROW, isWalk },
  companies: { table: "companies", row: ROW, isWalk },
} as const;

export const listPersonRows = (db: Db, request: Request) => listRows(db, listed.people, request);
export const listCompanyRows = (db: Db, request: Request) => listRows(db, listed.companies, request);

/** How many people or companies there are, counted up to a limit. */
export const countListed = (
  db: Db,
  list: keyof typeof listed,
  request: Pick<Request, "conditions" | "sort">,
  most: number,
): Promise<number> => countRows(db, listed[list], request, most);

/** The same for a caller who need not know all: as many as a list says there are. */
export const countShown = (
  db: Db,
  list: keyof typeof listed,
  request: Pick<Request, "conditions" | "sort">,
): Promise<{ count: number; capped: boolean }> => countUpTo(db, listed[list], request, MOST_COUNTED);

/** Those of some people or companies that meet the conditions. */
export const findAmong = (
  db: Db,
  list: keyof typeof listed,
  conditions: readonly PeopleCondition[],
  ids: readonly string[],
): Promise<string[]> => rowsAmong(db, listed[list], conditions, ids);

/** Whether there is a lead list with this id. */
export const isLeadList = async (db: Db, id: string): Promise<boolean> =>
  (await db.prisma.leadList.count({ where: { id } })) > 0;

const byId = (name: string, table: string) =>
  sql(name, `SELECT ${ROW} AS row FROM ${table} p WHERE p.workspace_id = $workspace AND p.id = $1`);
// people_pkey, companies_pkey
const person = byId("person_by_id", "people");
const company = byId("company_by_id", "companies");

/** A person's JSON; null when there is none. */
export const findPersonJson = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ row: string }>(person, [id]))[0]?.row ?? null;

/** A company's JSON; null when there is none. */
export const findCompanyJson = async (db: Db, id: string): Promise<string | null> =>
  (await db.query<{ row: string }>(company, [id]))[0]?.row ?? null;
