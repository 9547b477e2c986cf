import type { Parser } from "#components/ui/query-state.ts";
import { listTestOf } from "./property-test.ts";

/** A filter of several values of a closed list in the address (`a,b`, `not:a`, `exists:false`); others are left out. */
export const parseAsSeveral = (allowed: readonly string[]): Parser<string> => ({
  parse: (text) => {
    const { test, values } = listTestOf(text);
    const areAllowed = values.every((value) => allowed.includes(value));
    return areAllowed && (values.length > 0 || test === "known" || test === "unknown") ? text : null;
  },
  serialize: (text) => text,
});
