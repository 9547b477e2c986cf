import { Fault } from "#lib/core/errors.ts";
import { parseJson } from "#lib/core/json.ts";
import { type FieldKind, fieldKinds } from "#lib/core/json-schema.ts";
import { type Contract, pathFields } from "#lib/core/operation.ts";
import { namedFilterIn, supportedBy } from "#lib/core/parse-input.ts";
import type { Exchange } from "./exchange.ts";

/** What is the same for all requests to an operation. */
type Fields = { kinds: Record<string, FieldKind>; inPath: readonly string[] };

const fieldsOf = new WeakMap<Contract, Fields>();

function fieldsIn(contract: Contract): Fields {
  let fields = fieldsOf.get(contract);
  if (!fields) {
    fields = { kinds: fieldKinds(contract), inPath: pathFields(contract) };
    fieldsOf.set(contract, fields);
  }
  return fields;
}

/** The raw input of a request: body or query fields, with the path's fields over them. */
export function rawInput(contract: Contract, exchange: Exchange, body: Buffer | null): Record<string, unknown> {
  const fields = body === null ? queryFields(contract, exchange.query) : bodyFields(contract, exchange, body);
  const { inPath } = fieldsIn(contract);
  for (const name of inPath) if (name in fields) throw unknown(contract, name);
  if (body !== null && exchange.query !== "") {
    const [parameter] = new URLSearchParams(exchange.query).keys();
    if (parameter !== undefined) throw unknown(contract, parameter, "This endpoint takes its parameters in the body.");
  }
  for (const name of inPath) fields[name] = exchange.params[name];
  return fields;
}

const NDJSON: readonly string[] = ["application/x-ndjson", "application/ndjson", "application/jsonl"];

function bodyFields({ http }: Contract, exchange: Exchange, body: Buffer): Record<string, unknown> {
  return body.length === 0 ? {} : jsonObject(exchange, body, { lines: http.body?.lines });
}

type Reading = {
  /** the field that a list, or one value a line, is read into */
  lines?: string | undefined;
  /** as it comes from someone who signed it */
  anyShape?: boolean;
  /** another name of JSON that the endpoint takes */
  type?: string;
};

/**
 * The body, which must be a JSON object. Throws 415 and 400 `invalid_json`. The content of its strings is not checked.
 */
export function jsonObject(
  exchange: Pick<Exchange, "header">,
  body: Buffer,
  { lines: field, anyShape = false, type: other }: Reading = {},
): Record<string, unknown> {
  const [type, ...attributes] = (exchange.header("content-type") ?? "")
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  const charset = attributes
    .find((attribute) => attribute.startsWith("charset="))
    ?.slice(8)
    .replaceAll('"', "");
  const lines = field !== undefined && NDJSON.includes(type ?? "");
  const isJson = type === "application/json" || (other !== undefined && type === other);
  if (!(isJson || lines) || (charset && charset !== "utf-8" && charset !== "utf8"))
    throw new Fault("unsupported_media_type");
  let value = parseJson(body, { lines, anyShape });
  if (field !== undefined && Array.isArray(value)) value = { [field]: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Fault("invalid_json");
  return value as Record<string, unknown>;
}

export function queryFields(contract: Contract, query: string): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  if (query === "") return fields;
  assertDecodable(query);
  const parameters = new URLSearchParams(query);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    if (namedFilterIn(contract, name)) {
      fields[name] = values;
      continue;
    }
    const { kinds } = fieldsIn(contract);
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === "array") fields[name] = values.length > 1 ? values : (values[0] as string).split(",");
    else if (values.length > 1) throw invalid(name, "is given more than once.");
    else fields[name] = decode(values[0] as string, kind ?? "string");
  }
  return fields;
}

function assertDecodable(query: string): void {
  try {
    decodeURIComponent(query.replaceAll("+", " "));
  } catch {
    throw new Fault(
      "invalid_parameter",
      { parameter: "query" },
      "The query string is not valid percent-encoded UTF-8.",
    );
  }
}

/**
 * A query value in its JSON type; text that does not fit the type stays text, and the schema refuses it with the
 * parameter's name.
 */
function decode(text: string, kind: FieldKind): unknown {
  if (kind === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

const invalid = (parameter: string, what: string) =>
  new Fault("invalid_parameter", { parameter }, `${parameter} ${what}`);

function unknown(contract: Contract, parameter: string, hint?: string): Fault {
  return new Fault(
    "unknown_parameter",
    { parameter, supported: supportedBy(contract) },
    hint ?? `${parameter} is not a parameter of this endpoint.`,
  );
}
