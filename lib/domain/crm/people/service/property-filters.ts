import type { z } from "zod";
import type { Ctx } from "#lib/domain/implement.ts";
import type * as contract from "../contract.ts";
import { where } from "../queries/conditions.ts";
import type { PeopleCondition as Condition } from "../queries/lists.ts";
import { findSources } from "../queries/properties.ts";
import { allOf, employerCondition, isAbsence, positive, propertyCondition } from "../queries/property-conditions.ts";
import { findSetsWithout } from "../queries/property-sets.ts";
import { type PropertyFilter, presenceOf, propertyFilters, textMatches } from "../rules/property-filters.ts";
import type { Subject } from "../rules/standard-fields.ts";

type Filters = z.output<typeof contract.listPeople.input>;

/** The conditions for property filters. Sources are few, so those a filter means are looked up first. */
export async function propertyConditions(
  ctx: Pick<Ctx, "db">,
  subject: Subject,
  input: PropertyInput,
): Promise<Condition[]> {
  const filters = filtersOf(subject, input);
  const sources = await sourcesFor(ctx, subject, filters);
  const absent = filters.filter(isAbsence);
  const others = filters.filter((filter) => !isAbsence(filter));
  const conditions = others.map((filter) => propertyCondition(subject, filter, sources(filter)));
  return absent.length === 0 ? conditions : [...conditions, absenceOf(ctx, subject, input.status, absent)];
}

/** The conditions for filters by the companies of listed people. */
export async function employerConditions(ctx: Pick<Ctx, "db">, company: Filters["company"] = {}): Promise<Condition[]> {
  const filters = propertyFilters("company", company, "company");
  const sources = await sourcesFor(ctx, "company", filters);
  return filters.map((filter) => employerCondition(filter, sources({ ...filter, test: positive(filter.test) })));
}

/** The sources that each of some filters means. */
async function sourcesFor(ctx: Pick<Ctx, "db">, subject: Subject, filters: readonly PropertyFilter[]) {
  const all = filters.some(({ field }) => field?.list === "sources") ? await findSources(ctx.db, subject) : [];
  return ({ test }: PropertyFilter) => all.filter((source) => textMatches(test, source));
}

/** Without all of these properties. Sets of properties are few, so those without them are looked up when it takes long otherwise. */
function absenceOf(
  ctx: Pick<Ctx, "db">,
  subject: Subject,
  status: Filters["status"],
  filters: readonly PropertyFilter[],
): Condition {
  const each = allOf(filters.map((filter) => propertyCondition(subject, filter, [])));
  const names = filters.flatMap(({ places }) => places);
  let condition: Promise<Condition> | null = null;
  const lookUp = async () => {
    const sets = await findSetsWithout(ctx.db, subject, status, names);
    return sets === null ? each : where.sets(sets);
  };
  return {
    ...each,
    instead: () => {
      condition ??= lookUp();
      return condition;
    },
  };
}

type PropertyInput = Pick<Filters, "status" | "properties"> & Partial<Pick<Filters, "has_linkedin">>;

/** The property filters; `has_linkedin` is one of them. */
function filtersOf(subject: Subject, { properties = {}, has_linkedin }: PropertyInput): PropertyFilter[] {
  const filters = propertyFilters(subject, properties);
  return has_linkedin === undefined ? filters : [...filters, presenceOf(subject, "linkedin_url", has_linkedin)];
}
