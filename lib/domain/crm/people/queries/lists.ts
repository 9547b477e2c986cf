import type { Db } from "#lib/db/handle.ts";
import { type Condition, countRows, type ListRequest, listRows } from "#lib/db/listing.ts";
import { sql } from "#lib/db/statement.ts";

/**
 * `index`: how the list indexes serve the condition. `all`: every one does, whatever its value. `begins`: the one by last
 * activity, or by `sort`, may begin with it. `range`: it is a range of that one.
 */
export type PeopleCondition = Condition & { index?: "all" | "begins" | "range"; sort?: "icp_score" };
type Request = ListRequest<PeopleCondition>;

const TIME = (column: string) =>
  `coalesce('"' || to_char(p.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')`;

/** A person's JSON, ready in the row: the part that its evidence makes, and the part that the database makes of other columns. */
const PERSON = "p.wire || p.wire_end";

const COMPANY = `jsonb_build_object('id', p.id, 'entity_id', p.id, 'domain', p.domain, 'name', p.name, 'linkedin_url', p.linkedin_url, 'industry', p.industry,
  'employee_count', p.employee_count, 'country', p.country, 'owner', nullif(p.owner, ''), 'people_count', p.people_count, 'icp_score', p.icp_score, 'source', p.source,
  'status', p.status, 'properties', p.custom, 'last_activity_at', (${TIME("last_activity_at")})::jsonb, 'created_at', (${TIME("created_at")})::jsonb,
  'updated_at', (${TIME("updated_at")})::jsonb)::text`;

/** A walk along people_activity_idx or one of its siblings. */
const isWalk = ({ conditions, sort }: Request): boolean =>
  conditions.every(
    ({ index, sort: of = "last_activity_at" }) => index === "all" || (index !== undefined && sort.column === of),
  ) && conditions.filter(({ index }) => index === "begins").length <= 1;

const listed = {
  people: { table: "people", row: PERSON, isWalk },
  companies: { table: "companies", row: COMPANY, isWalk },
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

/** Whether there is a lead list with this id. */
export const isLeadList = async (db: Db, id: string): Promise<boolean> =>
  (await db.prisma.leadList.count({ where: { id } })) > 0;

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
