import { type ErrorCode, statusOf } from "#lib/core/errors.ts";
import { inputSchema } from "#lib/core/json-schema.ts";
import { type Contract, pathFields } from "#lib/core/operation.ts";
import { prefixOf } from "#lib/core/schema.ts";

/** The part of JSON schema that zod writes for our contracts. */
export type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
};

/** One input that breaks one promise of the schema, and where. */
export type Mutation = { what: string; input: Record<string, unknown> };

export const schemaOf = (contract: Contract): Schema => inputSchema(contract) as Schema;

const samples: Readonly<Record<string, unknown>> = {
  string: "text",
  number: 1.5,
  integer: 7,
  boolean: true,
  array: [],
  object: {},
  null: null,
};

/** JSON types the schema accepts; null when it accepts any. */
function typesOf(schema: Schema): Set<string> | null {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const all = branches.map(typesOf);
    return all.includes(null) ? null : new Set(all.flatMap((types) => [...(types ?? [])]));
  }
  if (schema.$ref || (!schema.type && !schema.enum && schema.const === undefined)) return null;
  if (schema.const !== undefined || (schema.enum && !schema.type))
    return new Set((schema.enum ?? [schema.const]).map((value) => (value === null ? "null" : typeof value)));
  return new Set([schema.type ?? []].flat());
}

/** Values of types, forms and sizes the schema does not accept. */
function wrongValues(schema: Schema): [what: string, value: unknown][] {
  const types = typesOf(schema);
  if (!types) return [];
  if (types.has("number")) types.add("integer");
  const wrong: [string, unknown][] = Object.entries(samples)
    .filter(([type]) => !types.has(type))
    .map(([type, value]) => [`is of type ${type}`, value]);
  if (schema.anyOf || schema.oneOf) return wrong;
  if (schema.enum) wrong.push(["is no choice", "no-such-choice"]);
  if (schema.format === "uuid")
    wrong.push(["is no UUID", "not-a-uuid"], ["is a UUID and more", `${crypto.randomUUID()}0`]);
  if (schema.format === "date-time") wrong.push(["is no time", "someday"], ["is an impossible date", "2026-02-30"]);
  if (schema.format === "email") wrong.push(["is no e-mail address", "ada@"]);
  if (schema.maxLength !== undefined) wrong.push(["is too long", "x".repeat(schema.maxLength + 1)]);
  if (schema.minLength !== undefined && schema.minLength > 0) wrong.push(["is too short", ""]);
  if (schema.minimum !== undefined) wrong.push(["is too small", schema.minimum - 1]);
  if (schema.maximum !== undefined) wrong.push(["is too large", schema.maximum + 1]);
  if (schema.maxItems !== undefined && schema.maxItems < 5_000)
    wrong.push(["has too many items", Array.from({ length: schema.maxItems + 1 }, () => wrongItemOf(schema))]);
  return wrong;
}

const wrongItemOf = (schema: Schema): unknown =>
  samples[[...(typesOf(schema.items ?? {}) ?? ["string"])][0] ?? "string"];

/** A place in the input of an operation: its value, and how to replace it. */
export type Place = { path: string; schema: Schema; value: unknown; put(other: unknown): Record<string, unknown> };

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/**
 * Every place of the schema in an input that is right, inside lists and objects too; the input itself is the first, with
 * the path "". A place that may be one of several shapes comes once for each.
 */
export function placesOf(contract: Contract, right: Record<string, unknown>): Place[] {
  const places: Place[] = [];
  const walk = (place: Place): void => {
    const { path, schema, value, put } = place;
    places.push(place);
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      if (branch.properties || branch.items) walk({ ...place, schema: { ...branch, type: undefined } as Schema });
    const members = membersOf(value);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const at = path === "" ? name : `${path}.${name}`;
      const inside = (other: unknown) => put({ ...members, [name]: other });
      walk({ path: at, schema: member, value: members[name], put: inside });
    }
    const item = Array.isArray(value) ? value[0] : undefined;
    if (schema.items) walk({ path: `${path}.0`, schema: schema.items, value: item, put: (other) => put([other]) });
  };
  walk({ path: "", schema: schemaOf(contract), value: right, put: (other) => other as Record<string, unknown> });
  return places;
}

/** Every wrong value at every place of the schema, put into an input that is right. */
export const mutationsOf = (contract: Contract, right: Record<string, unknown>): Mutation[] =>
  placesOf(contract, right).flatMap(({ path, schema, value, put }) => {
    if (path === "") return [];
    const wrong = wrongValues(schema).map(([what, other]) => ({ what: `${path} ${what}`, input: put(other) }));
    if (schema.properties && schema.additionalProperties === false)
      wrong.push({ what: `${path} has a field of its own`, input: put({ ...membersOf(value), "No-Such-Field": 1 }) });
    return wrong;
  });

/** Fields whose service answers with the list of what there is. */
const listed: Readonly<Record<string, ErrorCode>> = { intent: "invalid_intent" };

/** The one refusal that a wrong value is answered with: the contract's own code for its field, else `invalid_parameter`. */
export function refusalOf({ codes }: Contract, { what, input }: Mutation): [status: number, code: ErrorCode] {
  const [place = ""] = what.split(" ");
  const [field = ""] = place.split(".");
  const value = input[field];
  const isBlank = value === null || (typeof value === "string" && value.trim() === "");
  const missing = codes?.missing ?? {};
  const of = (code: ErrorCode): [number, ErrorCode] => [statusOf(code), code];
  if (missing[field] && isBlank) return of(missing[field]);
  for (const [fields, code] of Object.entries(missing)) {
    const several = fields.split("|");
    if (several.includes(field) && several.every((other) => input[other] === undefined || input[other] === null))
      return of(code);
  }
  const own =
    place === field && what.endsWith("is no choice")
      ? (listed[field] ?? codes?.fields?.[field])
      : codes?.fields?.[field];
  // text that is no id names nothing; a value of another type is a wrong value
  const isNamed = own !== undefined && !(statusOf(own) === 404 && typeof value !== "string");
  return of(isNamed ? own : "invalid_parameter");
}

/** A query string and a path carry text, so text is never a wrong type there. */
export const isWrongOnTheWire =
  (contract: Contract) =>
  ({ what, input }: Mutation): boolean => {
    const field = what.split(/[ .]/)[0] as string;
    if (pathFields(contract).includes(field)) return typeof input[field] === "string" && input[field] !== "";
    if (["POST", "PATCH"].includes(contract.http.method)) return true;
    if (what.startsWith(`${field}.0`) || prefixOf(contract.input.shape[field]) !== null) return false;
    const right = contract.input.shape[field];
    const acceptsText = right?.safeParse("text").success === true || right?.safeParse(["text"]).success === true;
    return !(acceptsText && (what.includes("of type") || typeof input[field] !== "string"));
  };
