import { type Filter, parse, filter as testOf } from "scim2-parse-filter";
import { Fault } from "#lib/core/errors.ts";

/** How a list is filtered: by columns, and by a test where the filter says more than one `eq` of a column. */
export type Filtering<Where> = { where: Where; test: ((resource: unknown) => boolean) | null };

const MOST_CHARACTERS = 1_000;

/**
 * Reads a filter (RFC 7644, 3.4.2.2). `columns`: the attributes that the database finds, with how a value is stored there. Throws 400
 * `invalid_directory_filter`.
 */
export function filteringOf<Where>(
  text: string | null,
  columns: Readonly<Record<string, (value: string) => Where>>,
): Filtering<Where | object> {
  if (text === null || text.trim() === "") return { where: {}, test: null };
  if (text.length > MOST_CHARACTERS) throw refused("it is too long");
  let read: Filter;
  try {
    read = parse(text);
  } catch (error) {
    throw refused((error as Error).message);
  }
  if (read.op === "eq" && typeof read.compValue === "string") {
    const column = columns[read.attrPath.toLowerCase()];
    if (column) return { where: column(read.compValue), test: null };
  }
  return { where: {}, test: testOf(read) };
}

const refused = (why: string) => new Fault("invalid_directory_filter", { parameter: "filter" }, `filter: ${why}.`);
