import { Fault } from "#lib/core/errors.ts";
import { MOST_FIELDS } from "../contract.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields after some were set; null removes one. Throws 400 when there would be too many. */
export function fieldsAfter(before: Fields, change: Fields): Record<string, unknown> {
  const after = Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== null));
  if (Object.keys(after).length > MOST_FIELDS)
    throw new Fault("invalid_parameter", { parameter: "fields" }, `fields: a lead has at most ${MOST_FIELDS} fields.`);
  return after;
}
