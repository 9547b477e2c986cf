import { z } from "zod";
import type { Contract } from "#lib/core/operation.ts";

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

export const schemaOf = (contract: Contract): Schema =>
  z.toJSONSchema(contract.input, { io: "input", unrepresentable: "any" }) as Schema;

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
  if (schema.format === "date-time") wrong.push(["is no time", "yesterday"], ["is an impossible date", "2026-02-30"]);
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

/** Every wrong value at every place of the schema, inside lists and objects too, put into an input that is right. */
export function mutationsOf(contract: Contract, right: Record<string, unknown>): Mutation[] {
  const found: Mutation[] = [];
  const walk = (
    schema: Schema,
    value: unknown,
    path: string,
    put: (value: unknown) => Record<string, unknown>,
  ): void => {
    if (path !== "")
      for (const [what, wrong] of wrongValues(schema)) found.push({ what: `${path} ${what}`, input: put(wrong) });
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      if (branch.properties || branch.items) walk({ ...branch, type: undefined } as Schema, value, path, put);
    const members =
      typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const at = path === "" ? name : `${path}.${name}`;
      walk(member, members[name], at, (wrong) => put({ ...members, [name]: wrong }));
    }
    if (schema.properties && path !== "" && schema.additionalProperties === false)
      found.push({ what: `${path} has a field of its own`, input: put({ ...members, "No-Such-Field": 1 }) });
    if (schema.items)
      walk(schema.items, Array.isArray(value) ? value[0] : undefined, `${path}.0`, (wrong) => put([wrong]));
  };
  walk(schemaOf(contract), right, "", (value) => value as Record<string, unknown>);
  return found;
}
