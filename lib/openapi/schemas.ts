import type { z } from "zod";
import { jsonSchemaOf, type Side } from "#lib/core/json-schema.ts";
import type { Json } from "./responses.ts";

const byReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** Schemas by name, as they are met in operations. Two that differ may not have one name. */
export class Schemas {
  readonly components: Record<string, Json> = {};
  /** The names that contracts give, by what they name. */
  readonly #given = new Map<string, string>();

  /** The JSON schema of one side of an operation, its named parts by reference. */
  of(schema: z.ZodType, side: Side): Json {
    const made = jsonSchemaOf(schema, side, byReference);
    for (const [name, component] of Object.entries({ ...made.named, ...made.described })) {
      const registered = this.components[name];
      if (registered && JSON.stringify(registered) !== JSON.stringify(component))
        throw new Error(
          `Two schemas have the name ${name}:\n${JSON.stringify(registered)}\n${JSON.stringify(component)}`,
        );
      this.components[name] = component;
      this.#given.set(JSON.stringify(component), name);
    }
    return made.schema;
  }

  /**
   * Gives an object, or the one object among several answers, a name, unless it has one or is the same as one that a
   * contract names; clients then have a type for it.
   */
  named(name: string, schema: Json): Json {
    if (Array.isArray(schema.anyOf))
      return { ...schema, anyOf: schema.anyOf.map((one: Json) => this.named(name, one)) };
    if (schema.$ref !== undefined || schema.type !== "object") return schema;
    if (this.components[name]) throw new Error(`Two schemas have the name ${name}.`);
    const same = this.#given.get(JSON.stringify(schema));
    if (same !== undefined) return byReference(same);
    this.components[name] = schema;
    return byReference(name);
  }

  /** The schema itself where it is given by reference. */
  resolve(schema: Json): Json {
    const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
    return name === undefined ? schema : (this.components[name] as Json);
  }
}
