import { Fault, isFault } from "./errors.ts";
import type { Contract } from "./operation.ts";
import { parsePart } from "./parse-input.ts";

const PAGING = ["limit", "offset", "cursor", "include"];

/** Throws 400 for a filter that the list would refuse, and for paging: `why` says why there is none. */
export function checkFilters(list: Contract, filters: Readonly<Record<string, unknown>>, why: string): void {
  const paging = PAGING.find((name) => name in filters);
  if (paging) throw new Fault("invalid_parameter", { parameter: `filters.${paging}` }, `filters.${paging}: ${why}`);
  try {
    parsePart(list, filters);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { parameter = "", ...extras } = error.extras;
    throw new Fault(
      "invalid_parameter",
      { ...extras, parameter: `filters.${parameter}`.replace(/\.$/, "") },
      `filters: ${error.message}`,
    );
  }
}
