import { z } from "zod";
import type { Json } from "./responses.ts";

/** Where a schema is used: in the query and path, the body, or the answer. */
export type Side = "parameters" | "body" | "output";

const DEFINITION = "#/$defs/";
/** What zod calls a part that has no name: it is recursive, and only `z.json()` is. */
const UNNAMED = /^__schema\d+$/;

type Node = { zodSchema: z.core.$ZodType; jsonSchema: Json };

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
function tellDefault(schema: Json): void {
  const { default: value, description = "" } = schema as { default?: unknown; description?: string };
  delete schema.default;
  if (!/default/i.test(description) && typeof value !== "object")
    schema.description = `${description} Default \`${String(value)}\`.`.trim();
}

/** A record with known keys has them as properties. */
function spellOut(schema: Json): void {
  const { propertyNames, additionalProperties } = schema;
  delete schema.propertyNames;
  const keys = (propertyNames as { enum?: string[] } | undefined)?.enum;
  if (!keys) return;
  schema.properties = Object.fromEntries(keys.map((key) => [key, additionalProperties]));
  delete schema.additionalProperties;
}

/** Schemas by name, as they are met in operations. Two that differ may not have one name. */
export class Schemas {
  readonly components: Record<string, Json> = {};

  /** The JSON schema of one side of an operation, its named parts by reference. */
  of(schema: z.ZodType, side: Side): Json {
    const made = z.toJSONSchema(schema, {
      io: side === "output" ? "output" : "input",
      unrepresentable: "any",
      target: "draft-2020-12",
      override: shorten(side) as never,
    });
    const { $schema: _, $defs = {}, ...rest } = made as Json & { $defs?: Record<string, Json> };
    for (const [name, definition] of Object.entries($defs)) {
      if (UNNAMED.test(name)) continue;
      const component = referring(definition) as Json;
      const known = this.components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(component))
        throw new Error(`Two schemas have the name ${name}:\n${JSON.stringify(known)}\n${JSON.stringify(component)}`);
      this.components[name] = component;
    }
    return referring(rest) as Json;
  }

  /** Gives an object, or the one object among several answers, a name, unless it has one; clients then have a type for it. */
  named(name: string, schema: Json): Json {
    if (Array.isArray(schema.anyOf))
      return { ...schema, anyOf: schema.anyOf.map((one: Json) => this.named(name, one)) };
    if (schema.$ref !== undefined || schema.type !== "object") return schema;
    if (this.components[name]) throw new Error(`Two schemas have the name ${name}.`);
    this.components[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The schema itself where it is given by reference. */
  resolve(schema: Json): Json {
    const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
    return name === undefined ? schema : (this.components[name] as Json);
  }
}

/** References to parts as references to components; a part without a name is any JSON, which needs no reference. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Json;
  const others = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, referring(member)]));
  if (typeof $ref !== "string" || !$ref.startsWith(DEFINITION))
    return $ref === undefined ? others : { $ref, ...others };
  const name = $ref.slice(DEFINITION.length);
  return UNNAMED.test(name) ? others : { $ref: `#/components/schemas/${name}`, ...others };
}
