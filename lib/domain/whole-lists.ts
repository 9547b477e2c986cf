/** Lists that a job reads to their end, as a caller asked for them. */
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { paging } from "#lib/core/list-filters.ts";
import { parsePart } from "#lib/core/parse-input.ts";
import type { Db } from "#lib/db/handle.ts";
import { authorize } from "./authority.ts";
import type { Operation } from "./implement.ts";

/**
 * Throws 402 or 403 for a caller who may not call the list, 400 for a filter that it would refuse, and for paging: `why` says
 * why there is none. `named`: what the caller calls the filters.
 */
export function requireFilters(
  caller: Caller,
  { contract }: Operation,
  filters: Readonly<Record<string, unknown>>,
  why: string,
  named = "filters",
): void {
  authorize(contract, caller);
  const page = paging.find((name) => name in filters);
  if (page) throw new Fault("invalid_parameter", { parameter: `${named}.${page}` }, `${named}.${page}: ${why}`);
  try {
    parsePart(contract, filters);
  } catch (error) {
    throw inFilters(error, named);
  }
}

/** What was thrown about a filter, with the parameter as the caller wrote it. */
export function inFilters(error: unknown, named = "filters"): unknown {
  if (!isFault(error)) return error;
  const { parameter = "", ...extras } = error.extras;
  const whole = `${named}.${parameter}`.replace(/\.$/, "");
  return new Fault("invalid_parameter", { ...extras, parameter: whole }, `${named}: ${error.message}`);
}

/** A list that is read to its end. `rows`: the field of its answer that has the rows. */
type WholeList = { list: Operation; rows: string; filters: object; limit: number };

/** Every page of a list in turn, read in the caller's transaction. */
export async function* pagesOf<Row>(caller: Caller, db: Db, { list, rows, filters, limit }: WholeList) {
  for (let cursor: string | null = null; ; ) {
    const asked: object = { ...filters, limit, ...(cursor === null ? {} : { cursor }) };
    const page = (await (await list.prepare(caller, asked)).run(db)) as Record<string, unknown>;
    yield page[rows] as readonly Row[];
    cursor = page.next_cursor as string | null;
    if (cursor === null) return;
  }
}
