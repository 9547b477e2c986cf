import { z } from "zod";
import { Fault } from "#lib/core/errors.ts";
import { JsonText } from "#lib/core/json-text.ts";
import { type Cursors, cursorsOf } from "#lib/core/paging.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { DAY_MS } from "#lib/core/time.ts";
import type { Position, Sort } from "#lib/db/listing.ts";
import { normaliseDomain, normaliseEmail, normaliseLinkedinUrl } from "#lib/domain/entities/service.ts";
import { type Ctx, implement, requireFeature } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { where } from "../queries/conditions.ts";
import { type PeopleCondition as Condition, listCompanyRows, listPersonRows } from "../queries/lists.ts";
import { findSources } from "../queries/properties.ts";
import { propertyCondition } from "../queries/property-conditions.ts";
import { propertyFilters, textMatches } from "../rules/property-filters.ts";
import { searchPatterns } from "../rules/search.ts";
import type { Subject } from "../rules/standard-fields.ts";
import { ownerMeant } from "./owners.ts";

type Filters = z.output<typeof contract.listPeople.input>;

const COLUMNS = {
  last_activity: { column: "last_activity_at", type: "timestamptz", nullable: true },
  icp_score: { column: "icp_score", type: "int", nullable: true },
  created: { column: "created_at", type: "timestamptz", nullable: false },
} as const;

function sortOf(name: Filters["sort"]): Sort {
  const descending = name.endsWith("_desc");
  return { ...COLUMNS[name.replace(/_(asc|desc)$/, "") as keyof typeof COLUMNS], descending };
}

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** The condition for a filter; none when the filter is not given. */
const given = <T>(value: T | undefined, condition: (value: T) => Condition): Condition[] =>
  value === undefined ? [] : [condition(value)];

type SharedFilters = Pick<
  Filters,
  | "search"
  | "source"
  | "status"
  | "last_activity_before"
  | "last_activity_after"
  | "created_after"
  | "created_before"
  | "updated_after"
  | "updated_before"
  | "min_icp_score"
>;

/** Filters both lists have. */
const sharedConditions = (input: SharedFilters): Condition[] => [
  where.status(input.status),
  ...given(searchPatterns(input.search ?? "") ?? undefined, where.search),
  ...given(input.source, where.source),
  ...given(input.last_activity_after, (days) => where.activeSince(ago(days))),
  ...given(input.last_activity_before, (days) => where.notActiveSince(ago(days))),
  ...given(input.created_after, (time) => where.createdAfter(momentOf(time))),
  ...given(input.created_before, (time) => where.createdBefore(momentOf(time))),
  ...given(input.updated_after, (time) => where.updatedAfter(momentOf(time))),
  ...given(input.updated_before, (time) => where.updatedBefore(momentOf(time))),
  ...given(input.min_icp_score, where.scoreAtLeast),
];

/** A moment, or so many days ago. */
const momentOf = (time: Date | number): Date => (typeof time === "number" ? ago(time) : time);

/** The conditions for property filters. Sources are few, so those a filter means are looked up first. */
async function propertyConditions(ctx: Ctx, subject: Subject, properties: Filters["properties"]): Promise<Condition[]> {
  const filters = propertyFilters(subject, properties ?? {});
  const sources = filters.some(({ field }) => field?.list === "sources") ? await findSources(ctx.db, subject) : [];
  return filters.map((filter) =>
    propertyCondition(
      subject,
      filter,
      sources.filter((source) => textMatches(filter.test, source)),
    ),
  );
}

/** The records of a member, who may have left; or those that nobody owns. */
async function ownerConditions(ctx: Ctx, owner: string | undefined): Promise<Condition[]> {
  if (owner === undefined) return [];
  const meant = await ownerMeant(ctx, owner);
  return [where.owner(meant === "none" ? "" : meant)];
}

/** The condition that somebody has an identifier; throws 400 when it is not one. */
function named(kind: string, value: string | null): Condition {
  if (value === null) throw new Fault("invalid_parameter", { parameter: kind }, `${kind} is not valid.`);
  return where.named(kind, value);
}

export const listPeople = implement(contract.listPeople, async (ctx, input) => {
  if (input.list_id !== undefined) requireFeature(ctx, "lead_lists");
  const conditions = [
    ...sharedConditions(input),
    ...(await ownerConditions(ctx, input.owner)),
    ...(await propertyConditions(ctx, "person", input.properties)),
    ...given(input.pipeline_stage, where.stage),
    ...given(input.has_email, where.hasEmail),
    ...given(input.has_linkedin, where.hasLinkedin),
    ...given(input.company_id, where.company),
    ...given(input.list_id, where.inList),
    ...given(input.email, (email) => named("email", normaliseEmail(email))),
    ...given(input.linkedin_url, (url) => named("linkedin_url", normaliseLinkedinUrl(url))),
  ];
  const rows = await listPersonRows(ctx.db, requestOf(input, conditions, placeOf(ctx, peoplePlaces, input)));
  const next = (last: Place) => peoplePlaces.encode(ctx, last);
  return pageOf<z.output<typeof contract.listPeople.output>>("people", rows, input, next);
});

export const listCompanies = implement(contract.listCompanies, async (ctx, input) => {
  const conditions = [
    ...sharedConditions(input),
    ...(await ownerConditions(ctx, input.owner)),
    ...(await propertyConditions(ctx, "company", input.properties)),
    ...given(input.domain, (domain) => named("domain", normaliseDomain(domain))),
  ];
  const rows = await listCompanyRows(ctx.db, requestOf(input, conditions, placeOf(ctx, companyPlaces, input)));
  const next = (last: Place) => companyPlaces.encode(ctx, last);
  return pageOf<z.output<typeof contract.listCompanies.output>>("companies", rows, input, next);
});

type Paging = Pick<Filters, "limit" | "offset" | "cursor" | "sort" | "last_activity_before" | "updated_before">;

function requestOf(input: Paging, conditions: readonly Condition[], after: Position | null) {
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
  if (times.length === 0 || sort !== "last_activity_desc" || offset > 0) return null;
  return { value: new Date(Math.min(...times.map(Number))).toISOString(), id: SMALLEST_ID };
}

/** The sort a cursor was made for, and the last row's place in it. */
const Sorts = z.enum(contract.personSorts);
const Place = z.union([
  z.tuple([Sorts.extract(["icp_score_desc", "icp_score_asc"]), z.int().nullable(), Id]),
  z.tuple([Sorts.exclude(["icp_score_desc", "icp_score_asc"]), Timestamp.nullable(), Id]),
]);
type Place = z.output<typeof Place>;
const peoplePlaces = cursorsOf(contract.listPeople.name, Place);
const companyPlaces = cursorsOf(contract.listCompanies.name, Place);

/** Where the page begins; null: with the first row. */
function placeOf(ctx: Ctx, places: Cursors<Place>, input: Paging): Position | null {
  const { cursor, offset, sort } = input;
  if (cursor === undefined) return beginningOf(input);
  if (offset > 0)
    throw new Fault("invalid_parameter", { parameter: "offset" }, "offset: give either cursor or offset.");
  const [madeFor, value, id] = places.decode(ctx, cursor);
  if (madeFor !== sort)
    throw new Fault("invalid_parameter", { parameter: "cursor" }, `cursor was returned for the sort ${madeFor}.`);
  return { value, id };
}

function pageOf<T>(name: string, rows: string[], input: Paging, next: (last: Place) => string): JsonText<T> {
  const has_more = rows.length > input.limit;
  const shown = has_more ? rows.slice(0, input.limit) : rows;
  const last = has_more ? (JSON.parse(shown.at(-1) as string) as Record<string, string | number | null>) : null;
  const next_cursor = last ? next([input.sort, last[sortOf(input.sort).column] ?? null, last.id] as Place) : null;
  const rest = JSON.stringify({ limit: input.limit, offset: input.offset, has_more, next_cursor });
  return new JsonText(`{"${name}":[${shown.join(",")}],${rest.slice(1)}`);
}
