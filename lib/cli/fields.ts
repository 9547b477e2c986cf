import { type Command, Option } from "commander";
import { inputSchema } from "#lib/core/json-schema.ts";
import type { Contract } from "#lib/core/operation.ts";

type Schema = {
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  items?: { enum?: readonly unknown[] };
};

const schemasOf = (contract: Contract): [string, Schema][] =>
  Object.entries((inputSchema(contract).properties ?? {}) as Record<string, Schema>);

/**
 * Adds an option for each field of the operation, but those of `given`, which the command takes in another way. Names and
 * descriptions are the contract's; values are checked by the server, which says what it accepts.
 */
export function addFields(command: Command, contract: Contract, positional: readonly string[]): Command {
  for (const [name, schema] of schemasOf(contract)) {
    if (positional.includes(name)) continue;
    const flag = `--${name.replaceAll("_", "-")}`;
    const option = new Option(schema.type === "boolean" ? flag : `${flag} <${placeholder(schema)}>`, about(schema));
    const choices = schema.enum ?? schema.items?.enum;
    if (choices) option.argChoices = choices.map(String);
    command.addOption(option);
  }
  return command;
}

const placeholder = ({ type, items }: Schema): string =>
  type === "integer" || type === "number" ? "n" : type === "array" || items ? "a,b" : "value";

/** The description's first words; a default that it does not mention follows. */
function about({ description = "", default: standard }: Schema): string {
  const text = description.replaceAll("`", "");
  if (standard === undefined || /default/i.test(text) || standard === false) return text;
  return `${text} Default: ${String(standard)}.`.trim();
}

/** The fields that were given as options, under the contract's names and as its types. */
export function givenFields(command: Command, contract: Contract): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of schemasOf(contract)) {
    const value: unknown = command.getOptionValue(name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()));
    if (value !== undefined) fields[name] = typeof value === "string" ? typed(value, schema) : value;
  }
  return fields;
}

/** Text that does not fit the type stays text: the server refuses it, with the field's name. */
function typed(text: string, { type, items }: Schema): unknown {
  if (type === "array" || items) return text.split(",").map((part) => part.trim());
  if (type === "integer" && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === "number" && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  return text;
}
