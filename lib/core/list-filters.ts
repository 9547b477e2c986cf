import { z } from "zod";
import type { Contract } from "./operation.ts";
import { describedAs, prefixOf } from "./schema.ts";

/** What a list is asked beside its filters: what is about all rows has none of it. */
export const paging: readonly string[] = ["limit", "offset", "cursor", "include"];

/**
 * The filters of a list, with its `sort`, as one object of that name, by the names that a query has them: `property` and `company`
 * hold values by name.
 */
export function filtersOf({ input, http }: Contract, id: string) {
  const filters = Object.entries(input.shape).flatMap(([name, schema]) =>
    paging.includes(name) ? [] : [[prefixOf(schema) ?? name, inShort(schema as z.ZodType)] as const],
  );
  const where = http.path.startsWith("/v2/") ? `, as \`${http.method} ${http.path}\` takes them` : "";
  return z.strictObject(Object.fromEntries(filters)).meta({ id, description: `Filters that must all hold${where}.` });
}

/** With the first sentence of what is said of it: the list says the rest. */
function inShort(schema: z.ZodType): z.ZodType {
  const [first = ""] = /^.*?\.(?=\s|$)/s.exec(schema.description ?? "") ?? [];
  return first === "" ? schema : schema.describe(first);
}

/** The filters of one of some lists, which are checked when it is known of which. */
export const filtersOfOne = (id: string, all: readonly [z.ZodType, z.ZodType, ...z.ZodType[]]) =>
  describedAs(z.union(all).meta({ id, description: "The filters of the list." }), z.json());
