import { z } from "zod";
import type { Contract } from "./operation.ts";
import { describedBy } from "./schema.ts";

export type JsonSchema = Record<string, unknown>;

/** Where a schema is used: in the query and path, the body, or the answer. */
export type Side = "parameters" | "body" | "output";

const DEFINITION = "#/$defs/";
/** What zod calls a part that has no name: it is recursive, and only `z.json()` is. */
const UNNAMED = /^__schema\d+$/;

type Node = { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema };

/**
 * Says the same in fewer words: any JSON is `{}`, a format needs no pattern beside it, an integer no range of all integers,
 * and an answer may get more fields later.
 */
const shorten =
  (side: Side) =>
  ({ zodSchema, jsonSchema: schema }: Node): void => {
    const { type } = zodSchema._zod.def;
    if (type === "lazy" || (type === "record" && schema.$ref !== undefined))
      for (const key of Object.keys(schema)) if (key !== "description" && key !== "$ref") delete schema[key];
    if (schema.format !== undefined) delete schema.pattern;
    if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
    if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
    if (side === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
    if (type === "record") spellOut(schema);
    if (side === "body" && schema.default !== undefined) tellDefault(schema);
  };

/** In words: generators of types take a field of a body that has a `default` for one that must be given. */
function tellDefault(schema: JsonSchema): void {
  const { default: value, description = "" } = schema as { default?: unknown; description?: string };
  delete schema.default;
  if (!/default/i.test(description) && typeof value !== "object")
    schema.description = `${description} Default \`${String(value)}\`.`.trim();
}

/** A record with known keys has them as properties. */
function spellOut(schema: JsonSchema): void {
  const { propertyNames, additionalProperties } = schema;
  delete schema.propertyNames;
  const keys = (propertyNames as { enum?: string[] } | undefined)?.enum;
  if (!keys) return;
  schema.properties = Object.fromEntries(keys.map((key) => [key, additionalProperties]));
  delete schema.additionalProperties;
}

/**
 * The JSON schema (draft 2020-12) of one side of an operation, the parts of it that have a name, and those that objects in it are
 * described as (`describedAs`). A named part is given as `refer` says; one without a name is any JSON.
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  side: Side,
  refer: (name: string) => JsonSchema,
): { schema: JsonSchema; named: Record<string, JsonSchema>; described: Record<string, JsonSchema> } {
  const others: z.ZodType[] = [];
  const short = shorten(side);
  const made = z.toJSONSchema(schema, {
    io: side === "output" ? "output" : "input",
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ((node: Node) => {
      const other = describedBy(node.zodSchema);
      if (other) others.push(other);
      short(node);
    }) as never,
  });
  const { $schema: _, $defs = {}, ...rest } = made as JsonSchema & { $defs?: Record<string, JsonSchema> };
  const named = Object.entries($defs)
    .filter(([name]) => !UNNAMED.test(name))
    .map(([name, part]) => [name, referring(part, refer)]);
  const described = others.map((other) => jsonSchemaOf(other, side, refer));
  return {
    schema: referring(rest, refer) as JsonSchema,
    named: Object.fromEntries(named) as Record<string, JsonSchema>,
    described: Object.assign({}, ...described.flatMap((each) => [each.named, each.described])),
  };
}

function referring(value: unknown, refer: (name: string) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((member) => referring(member, refer));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as JsonSchema;
  const others = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, referring(member, refer)]));
  if (typeof $ref !== "string" || !$ref.startsWith(DEFINITION))
    return $ref === undefined ? others : { $ref, ...others };
  const name = $ref.slice(DEFINITION.length);
  return UNNAMED.test(name) ? others : { ...refer(name), ...others };
}

export type FieldKind = "string" | "integer" | "number" | "boolean" | "array";

/** What schemas say of themselves, without the names (`.meta({ id })`) that make them parts of the OpenAPI document. */
const nameless = Object.assign(z.registry<z.GlobalMeta>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, $ref: __, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
});

/** The input as one JSON schema that holds each part where it is used. */
export const inputSchema = (contract: Pick<Contract, "input">) =>
  z.toJSONSchema(contract.input, { io: "input", unrepresentable: "any", metadata: nameless });

/** The JSON type of every top-level input field, for decoding a query string. */
export function fieldKinds(contract: Contract): Record<string, FieldKind> {
  const schema = inputSchema(contract);
  const kinds: Record<string, FieldKind> = {};
  for (const [field, property] of Object.entries(schema.properties ?? {})) {
    const type = typeof property === "object" ? property.type : undefined;
    kinds[field] = type === "integer" || type === "number" || type === "boolean" || type === "array" ? type : "string";
  }
  return kinds;
}
