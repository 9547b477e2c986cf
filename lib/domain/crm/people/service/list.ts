import { z } from "zod";
import { memberFinder } from "#lib/auth/named-members.ts";
import { chosenOf } from "#lib/core/any-of.ts";
import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json.ts";
import type { totalOf } from "#lib/core/page-input.ts";
import { type Cursors, cursorsOf } from "#lib/core/paging.ts";
import { parsePart } from "#lib/core/parse-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import type { Position, Sort } from "#lib/db/listing.ts";
import { type Stage, sortKeys, stages } from "#lib/domain/crm/recording/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { normaliseDomain, normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/records/entities/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import * as contract from "../contract.ts";
import { where } from "../queries/conditions.ts";
import {
  type PeopleCondition as Condition,
  countListed,
  countShown,
  findAmong,
  isLeadList,
  listCompanyRows,
  listPersonRows,
} from "../queries/lists.ts";
import { findSources } from "../queries/properties.ts";
import { titleCondition } from "../queries/property-conditions.ts";
import { searchPatterns } from "../rules/search.ts";
import type { Subject } from "../rules/standard-fields.ts";
import { employerConditions, propertyConditions } from "./property-filters.ts";

type Filters = z.output<typeof contract.listPeople.input>;

/** What a list is sorted by, each served by an index of the table. By stage, people are listed from stage to stage. */
const COLUMNS = {
  last_activity: { column: "last_activity_at", type: "timestamptz", nullable: true },
  icp_score: { column: "icp_score", type: "int", nullable: true },
  created: { column: "created_at", type: "timestamptz", nullable: false },
  name: { column: "sort_name", type: "text", nullable: true },
  company: { column: "sort_company", type: "text", nullable: true },
  stage: { column: "last_activity_at", type: "timestamptz", nullable: true },
} as const;

const fieldOf = (name: Filters["sort"]) => name.replace(/_(asc|desc)$/, "") as keyof typeof COLUMNS;
const isDescending = (name: Filters["sort"]): boolean => name.endsWith("_desc");
const sortOf = (name: Filters["sort"]): Sort => ({ ...COLUMNS[fieldOf(name)], descending: isDescending(name) });

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** The condition for a filter; none when the filter is not given. */
const conditionIf = <T>(value: T | undefined, condition: (value: T) => Condition): Condition[] =>
  value === undefined ? [] : [condition(value)];

/** Who asks, and where. */
type Reading = Pick<Ctx, "db" | "actor" | "viewer">;

type SharedFilters = Omit<z.output<typeof contract.listCompanies.input>, "domain" | "sort"> & Pick<Filters, "sort">;

/** True when the list is in an order that an index has after a stage, a source or a company. */
const byActivity = ({ sort }: Pick<Filters, "sort">): boolean => COLUMNS[fieldOf(sort)].column === "last_activity_at";

/** Filters both lists have. */
const sharedConditions = async (ctx: Reading, subject: Subject, input: SharedFilters): Promise<Condition[]> => [
  where.status(input.status),
  ...conditionIf(searchPatterns(input.search ?? "") ?? undefined, where.search),
  ...conditionIf(input.source && (await sourcesIn(ctx, subject, input.source)), (all) =>
    where.sources(all, byActivity(input)),
  ),
  ...conditionIf(input.last_activity_after, (time) => where.activeSince(momentOf(time))),
  ...conditionIf(input.last_activity_before, (time) => where.notActiveSince(momentOf(time))),
  ...conditionIf(input.created_after, (time) => where.createdAfter(momentOf(time))),
  ...conditionIf(input.created_before, (time) => where.createdBefore(momentOf(time))),
  ...conditionIf(input.updated_after, (time) => where.updatedAfter(momentOf(time))),
  ...conditionIf(input.updated_before, (time) => where.updatedBefore(momentOf(time))),
  ...conditionIf(input.min_icp_score, where.scoreAtLeast),
  ...conditionIf(input.max_icp_score, where.scoreAtMost),
  ...(await ownerConditions(ctx, input)),
  ...(await propertyConditions(ctx, subject, input)),
];

/** The sources that a filter means. There are few, so that all others than some are looked up first. */
const sourcesIn = async (
  ctx: Reading,
  subject: Subject,
  filter: NonNullable<Filters["source"]>,
): Promise<readonly string[]> =>
  filter.is === "any" ? filter.values : chosenOf(filter, await findSources(ctx.db, subject));

/** A moment, or so many days ago. */
const momentOf = (time: Date | number): Date => (typeof time === "number" ? ago(time) : time);

/** The records of a member, who may have left; or those that no one owns. */
async function ownerConditions(ctx: Reading, input: Pick<Filters, "owner" | "sort">): Promise<Condition[]> {
  if (input.owner === undefined) return [];
  const meant = await ownerMeant(ctx, input.owner);
  return [where.owner(meant === "none" ? "" : meant, COLUMNS[fieldOf(input.sort)].column)];
}

/**
 * The filter `owner` without words that depend on who asks: an e-mail address, also of someone who has left, or `none`. Throws
 * 400 for a member that there is not.
 */
async function ownerMeant(ctx: Reading, owner: string): Promise<string> {
  const wanted = owner.trim().toLowerCase();
  return wanted === "none" || wanted.includes("@") ? wanted : (await memberFinder(ctx))(wanted, "owner").email;
}

/**
 * A list's filters for a job, which is another caller than the one who gave them: `me` is that member, of whom the job knows what
 * everyone may. Throws as the list does for what it would refuse.
 */
export async function filtersForJob<F extends Readonly<Record<string, unknown>>>(
  ctx: Ctx,
  list: string,
  filters: F,
): Promise<F> {
  const { owner, known_by: knownBy } = filters;
  const meant = {
    ...filters,
    ...(typeof owner === "string" ? { owner: await ownerMeant(ctx, owner) } : {}),
    ...(typeof knownBy === "string" ? { known_by: (await memberFinder(ctx))(knownBy, "known_by").email } : {}),
  };
  if (list === "people") await personConditions(ctx, parsePart(contract.listPeople, meant));
  if (list === "companies") await companyConditions(ctx, parsePart(contract.listCompanies, meant));
  return meant;
}

/** The people whom a member knows, as far as the caller may know. Throws 400 for a member that there is not. */
async function knownByConditions(ctx: Reading, { known_by: member }: Filters): Promise<Condition[]> {
  if (member === undefined) return [];
  return [where.knownBy((await memberFinder(ctx))(member, "known_by").userId, ctx.viewer ?? null)];
}

/** The condition that someone has an identifier; throws 400 when it is not one. */
function named(kind: string, value: string | null): Condition {
  if (value === null) throw new Fault("invalid_parameter", { parameter: kind }, `${kind} is not valid.`);
  return where.named(kind, value);
}

/** The conditions of a list of people, apart from the stage. */
async function personConditions(ctx: Reading, input: Filters): Promise<Condition[]> {
  return [
    ...(await sharedConditions(ctx, "person", input)),
    ...conditionIf(input.title, titleCondition),
    ...conditionIf(input.not_contacted_for, (days) => where.notContactedSince(ago(days))),
    ...(await employerConditions(ctx, input.company)),
    ...conditionIf(input.has_email, where.hasEmail),
    ...conditionIf(input.company_id, (filter) => where.company(filter, byActivity(input))),
    ...conditionIf(input.list_id, where.inList),
    ...(await knownByConditions(ctx, input)),
    ...conditionIf(input.email, (email) => named("email", normaliseEmail(email))),
    ...conditionIf(input.linkedin_url, (url) => named("linkedin_url", normaliseLinkedinUrl(url))),
  ];
}

export const listPeople = implement(contract.listPeople, async (ctx, input) => {
  const others = await personConditions(ctx, input);
  const wanted = input.pipeline_stage && chosenOf(input.pipeline_stage, stages);
  const ofStages = (some: readonly Stage[]) => [...others, where.stages(some, byActivity(input))];
  const conditions = wanted ? ofStages(wanted) : others;
  const { after, stage } = placeOf(ctx, peoplePlaces, input);
  const rows =
    fieldOf(input.sort) === "stage"
      ? await rowsByStage(ctx, input, { stages: wanted ?? stages, from: stage, after, conditionsOf: ofStages })
      : await listPersonRows(ctx.db, requestOf(input, conditions, after));
  if (rows.length === 0 && input.list_id !== undefined && !(await isLeadList(ctx.db, input.list_id)))
    throw new Fault("lead_list_not_found");
  const next = (last: Place) => peoplePlaces.encode(ctx, last);
  const total = await counted(ctx, "people", input, conditions);
  return pageOf<z.output<typeof contract.listPeople.output>>("people", rows, input, next, total);
});

/** The conditions of a list of companies. */
const companyConditions = async (
  ctx: Reading,
  input: z.output<typeof contract.listCompanies.input>,
): Promise<Condition[]> => [
  ...(await sharedConditions(ctx, "company", input)),
  ...conditionIf(input.domain, (domain) => named("domain", normaliseDomain(domain))),
];

/** Those of some people that the list with these filters has. */
export async function peopleAmong(ctx: Reading, filters: object, ids: readonly string[]): Promise<string[]> {
  const input = parsePart(contract.listPeople, filters);
  const ofStages = conditionIf(input.pipeline_stage, (stage) => where.stages(chosenOf(stage, stages), false));
  return findAmong(ctx.db, "people", [...(await personConditions(ctx, input)), ...ofStages], ids);
}

/** The same of companies. */
export async function companiesAmong(ctx: Reading, filters: object, ids: readonly string[]): Promise<string[]> {
  const input = parsePart(contract.listCompanies, filters);
  return findAmong(ctx.db, "companies", await companyConditions(ctx, input), ids);
}

export const listCompanies = implement(contract.listCompanies, async (ctx, input) => {
  const conditions = await companyConditions(ctx, input);
  const { after } = placeOf(ctx, companyPlaces, input);
  const rows = await listCompanyRows(ctx.db, requestOf(input, conditions, after));
  const next = (last: Place) => companyPlaces.encode(ctx, last);
  const total = await counted(ctx, "companies", input, conditions);
  return pageOf<z.output<typeof contract.listCompanies.output>>("companies", rows, input, next, total);
});

type Paging = Pick<
  Filters,
  "limit" | "offset" | "cursor" | "sort" | "last_activity_before" | "updated_before" | "include"
>;

type Total = ReturnType<typeof totalOf>;

/** How many rows a list has; nothing when it was not asked for. */
async function counted(
  ctx: Ctx,
  list: "people" | "companies",
  { include, sort }: Paging,
  conditions: readonly Condition[],
): Promise<Total | undefined> {
  if (include !== "count") return undefined;
  return countShown(ctx.db, list, { conditions, sort: sortOf(sort) });
}

type StagePages = {
  stages: readonly Stage[];
  /** The stage in which the page begins, and where in it; null: with the first of the first. */
  from: Stage | null;
  after: Position | null;
  conditionsOf(stages: readonly Stage[]): Condition[];
};

/** A page by stage: the people of one stage after the other, each as the list of that stage has them. */
async function rowsByStage(ctx: Ctx, input: Filters, { stages: wanted, from, after, conditionsOf }: StagePages) {
  const all = isDescending(input.sort) ? [...stages].reverse() : stages;
  const left = from === null ? all : all.slice(all.indexOf(from));
  const rows: string[] = [];
  let { offset } = input;
  for (const stage of left.filter((each) => wanted.includes(each))) {
    const request = requestOf(
      { ...input, offset },
      conditionsOf([stage]),
      stage === from || from === null ? after : null,
    );
    const pageRows = await listPersonRows(ctx.db, request);
    rows.push(...pageRows);
    if (rows.length > input.limit) return rows.slice(0, input.limit + 1);
    // Where this stage ends before the offset, the rest of it is skipped in the next.
    if (offset > 0) offset = pageRows.length > 0 ? 0 : offset - (await countListed(ctx.db, "people", request, offset));
  }
  return rows;
}

function requestOf(
  input: Pick<Paging, "limit" | "offset" | "sort">,
  conditions: readonly Condition[],
  after: Position | null,
) {
  const { limit, offset } = input;
  return { conditions, sort: sortOf(input.sort), limit, offset, after };
}

/** No id is smaller. */
const SMALLEST_ID = "00000000-0000-0000-0000-000000000000";

/**
 * Where the first page begins in the index, if its filter sets that, so that it does not walk past everyone active
 * since then.
 */
function beginningOf({ last_activity_before, updated_before, sort, offset }: Paging): Position | null {
  const times = [last_activity_before, updated_before].flatMap((time) => (time === undefined ? [] : [momentOf(time)]));
  if (times.length === 0 || !byActivity({ sort }) || !isDescending(sort) || offset > 0) return null;
  return { value: new Date(Math.min(...times.map(Number))).toISOString(), id: SMALLEST_ID };
}

const ofText = ["name_asc", "name_desc", "company_asc", "company_desc"] as const;
const ofStage = ["stage_desc", "stage_asc"] as const;
const ofScore = ["icp_score_desc", "icp_score_asc"] as const;

/** The sort a cursor was made for, and the last row's place in it. */
const Sorts = z.enum(contract.personSorts);
const Place = z.union([
  z.tuple([Sorts.extract(ofScore), z.int().nullable(), Id]),
  z.tuple([Sorts.extract(ofText), z.string().nullable(), Id]),
  z.tuple([Sorts.extract(ofStage), Timestamp.nullable(), Id, z.enum(stages)]),
  z.tuple([Sorts.exclude([...ofScore, ...ofText, ...ofStage]), Timestamp.nullable(), Id]),
]);
type Place = z.output<typeof Place>;
const peoplePlaces = cursorsOf(contract.listPeople.name, Place);
const companyPlaces = cursorsOf(contract.listCompanies.name, Place);

type Beginning = { after: Position | null; stage: Stage | null };

/** Where the page begins; null: with the first row. */
function placeOf(ctx: Ctx, places: Cursors<Place>, input: Paging & Pick<Filters, "pipeline_stage">): Beginning {
  const { cursor, offset, sort } = input;
  if (cursor === undefined) return { after: beginningOf(input), stage: null };
  if (offset > 0)
    throw new Fault("invalid_parameter", { parameter: "offset" }, "offset: give either cursor or offset.");
  const [madeFor, value, id, stage = null] = places.decode(ctx, cursor);
  if (madeFor !== sort)
    throw new Fault("invalid_parameter", { parameter: "cursor" }, `cursor was returned for the sort ${madeFor}.`);
  return { after: { value, id }, stage };
}

type ListedRow = Record<string, string | number | null> & { id: string; pipeline_stage?: Stage };

/** A row's place in the list. */
function placeIn(sort: Filters["sort"], row: ListedRow): Place {
  const field = fieldOf(sort);
  const { column } = COLUMNS[field];
  const value = field === "name" || field === "company" ? sortKeys(row)[field] : (row[column] ?? null);
  return [sort, value, row.id, ...(field === "stage" ? [row.pipeline_stage] : [])] as Place;
}

function pageOf<T>(
  name: string,
  rows: string[],
  input: Paging,
  next: (last: Place) => string,
  total?: Total,
): JsonText<T> {
  const has_more = rows.length > input.limit;
  const shown = has_more ? rows.slice(0, input.limit) : rows;
  const last = has_more ? (JSON.parse(shown.at(-1) as string) as ListedRow) : null;
  const next_cursor = last ? next(placeIn(input.sort, last)) : null;
  const rest = JSON.stringify({
    limit: input.limit,
    offset: input.offset,
    has_more,
    next_cursor,
    ...(total && { total }),
  });
  return new JsonText(`{"${name}":[${shown.join(",")}],${rest.slice(1)}`);
}
