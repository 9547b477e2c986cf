import { z } from "zod";
import { type ErrorCode, Fault, messageOf, statusOf } from "./errors.ts";
import { checkJson } from "./json.ts";
import { own } from "./own.ts";
import type { Feature, Role, Scope } from "./plans.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An operation as an MCP tool. */
export type Tool = {
  name: string;
  /** For the model: when to call it, and what it gives. */
  description: string;
  /** Fields of the input, in this order; `[parameter, field]` where the tool's name for it is another. */
  parameters: readonly (string | readonly [parameter: string, field: string])[];
  /** It can write, although its scope is `read`. */
  writes?: true;
  /** What it writes takes the place of something that cannot be brought back. */
  destructive?: true;
  /** The same call again changes nothing more. */
  idempotent?: true;
  /** Only callers whose writes need approval see it. */
  forApproval?: true;
  /** It asks a system outside. */
  openWorld?: true;
};

/**
 * The contract of one operation: everything that transports, the OpenAPI document, the MCP tool list and the tests need
 * to know about it. Input uses JSON types; path parameters and query strings are decoded against `input`.
 */
export type Contract<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** Verb and noun, camelCase: the OpenAPI operationId. */
  name: string;
  tag: string;
  summary: string;
  description?: string;
  /** `public`: API keys, MCP and sessions. `app`: sessions only (the browser). `user`: a person, with no workspace yet or several. */
  surface: "public" | "app" | "user";
  /** The scope an API key must have. */
  scope: Scope;
  /** The least role of a signed-in member; default `member`. */
  role?: Role;
  /** What the workspace's plan must have. */
  feature?: Feature;
  /** What the plan must have where a field of the input is given. */
  fieldFeatures?: Readonly<Record<string, Feature>>;
  http: {
    method: Method;
    path: string;
    status?: 200 | 201 | 204;
    /** Set when the operation answers 201 if it created something and 200 otherwise. */
    created?(output: z.output<O>): boolean;
    bodyLimit?: number;
    /** Query parameters `<this>.<name>` and `<this>[<name>]` are collected by name in the input field `properties`. */
    propertyFilter?: string;
    /** The body may also be a JSON array, or NDJSON; it is then the value of this field. */
    items?: string;
    /**
     * The body may also be a file: `multipart/form-data`, or one of the text types of CSV with the other fields in the
     * query. It is read as it arrives, up to `limit` bytes, in place of the field `field`.
     */
    upload?: { field: string; fileName: string; limit: number };
  };
  input: I;
  /** Of an input with rows (`describedAs`): the schema that the service checks each against, when no other operation shows it. */
  row?: z.ZodType;
  output: O;
  /** The service's own error codes; the documents add the codes that every endpoint shares. */
  errors?: readonly ErrorCode[];
  /** Codes that replace `invalid_parameter` for a missing or blank field (`required`) or a bad value of a field. */
  codes?: {
    /** one of these fields must be given */
    anyOf?: { fields: readonly string[]; code: ErrorCode };
    /** the code of a single missing field */
    missing?: Readonly<Record<string, ErrorCode>>;
    required?: ErrorCode;
    requiredFields?: readonly string[];
    fields?: Readonly<Record<string, ErrorCode>>;
  };
  /** What it is over MCP; without it, it is no tool. */
  tool?: Tool;
  /** Fields of the input that hold secrets: kept only encrypted, never shown. */
  secrets?: readonly string[];
  /**
   * Fields of the output that hold a secret, which is shown once: a kept answer is encrypted, what is kept of an approved change
   * leaves them out.
   */
  shownOnce?: readonly string[];
  example: { input: z.input<I>; output: z.input<O> };
};

/** Declares a contract; the types follow from the two schemas. */
export const defineOperation = <I extends z.ZodObject, O extends z.ZodType>(contract: Contract<I, O>): Contract<I, O> =>
  contract;

/** The HTTP status of a success. */
export const successStatus = (contract: Contract, output: unknown): number =>
  contract.http.created ? (contract.http.created(output) ? 201 : 200) : (contract.http.status ?? 200);

/** Default body limit in bytes (1 MiB); notes and observations declare 8 MiB. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;
export const LARGE_BODY_LIMIT = 8 * 1024 * 1024;

const BLANK = "blank";

/** A string that must contain more than white space; when it does not, the contract's `required` code applies. */
export const nonBlank = () => z.string().refine((text) => text.trim() !== "", { error: BLANK });

/** A page size: at least 1, clamped to `cap`. */
export const pageSize = (standard: number, cap: number) =>
  z
    .int()
    .min(1)
    .overwrite((limit) => Math.min(limit, cap))
    .default(standard)
    .describe(`Page size; default ${standard}, values above ${cap} are lowered to ${cap}.`);

/** Fields of `contract.input` that are in the path (`:name`). */
export const pathFields = (contract: Contract): string[] =>
  [...contract.http.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] as string);

/** What a caller may give outside the path, as it is called there. */
export function supportedBy(contract: Contract): string[] {
  const inPath = pathFields(contract);
  const { propertyFilter } = contract.http;
  return Object.keys(contract.input.shape).flatMap((name) => {
    if (inPath.includes(name)) return [];
    return propertyFilter && name === "properties" ? [`${propertyFilter}.<name>`] : [name];
  });
}

/**
 * Checks what a caller sent, by whatever transport: what no operation takes (`checkJson`), then as `parsePart` does. Throws a
 * `Fault`.
 */
export function parseInput<I extends z.ZodObject>(contract: Contract<I>, raw: unknown): z.output<I> {
  checkJson(raw);
  return parsePart(contract, raw);
}

/**
 * Checks `raw`, which came by `parseInput` as part of another input, against the contract's input. Order of faults: the
 * endpoint's own codes, unknown fields, other values. Text that is no id names nothing (404); a value of another type is a
 * wrong value (400).
 */
export function parsePart<I extends z.ZodObject>(contract: Contract<I>, raw: unknown): z.output<I> {
  const { anyOf } = contract.codes ?? {};
  if (anyOf && isObject(raw) && anyOf.fields.every((field) => isMissing(raw[field]))) throw new Fault(anyOf.code);
  const result = contract.input.safeParse(raw);
  if (result.success) return result.data;
  throw inputFault(contract, result.error.issues, raw);
}

const isObject = (raw: unknown): raw is Record<string, unknown> => typeof raw === "object" && raw !== null;
const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

function inputFault(contract: Contract, issues: readonly z.core.$ZodIssue[], raw: unknown): Fault {
  const { required, requiredFields, fields, missing: missingCodes = {} } = contract.codes ?? {};
  const record = isObject(raw) ? raw : {};
  for (const [field, code] of Object.entries(missingCodes)) if (isMissing(record[field])) return new Fault(code);
  const missing = issues.some((issue) => {
    const field = String(issue.path[0] ?? "");
    const value = own(record, field);
    const concerned = requiredFields ? requiredFields.includes(field) : true;
    const blank =
      issue.message === BLANK || (requiredFields !== undefined && typeof value === "string" && value.trim() === "");
    return concerned && issue.path.length === 1 && (value === undefined || value === null || blank);
  });
  if (required && missing) return new Fault(required);

  for (const issue of issues) {
    const field = String(issue.path[0] ?? "");
    const code = issue.code === "unrecognized_keys" && issue.path.length === 0 ? undefined : own(fields, field);
    if (code && !(statusOf(code) === 404 && typeof own(record, field) !== "string")) {
      const extras = { ...allowedOf(issue), ...indexOf(issue), parameter: pathText(issue) };
      return new Fault(code, extras, `${messageOf(code)} ${pathText(issue)}: ${sentence(issue)}`);
    }
  }

  const unknown = issues.find((issue) => issue.code === "unrecognized_keys" && issue.path.length === 0);
  if (unknown?.code === "unrecognized_keys") {
    const [parameter] = unknown.keys;
    return new Fault(
      "unknown_parameter",
      { parameter, supported: supportedBy(contract) },
      `${parameter} is not a parameter of this endpoint.`,
    );
  }

  const issue = issues[0] as z.core.$ZodIssue;
  const parameter = parameterOf(contract, issue);
  return new Fault("invalid_parameter", { parameter, ...allowedOf(issue) }, `${parameter}: ${sentence(issue)}`);
}

const pathText = (issue: z.core.$ZodIssue): string => issue.path.map(String).join(".");

/** What the caller calls the value: of a property filter `property.<name>`, else its path. */
const parameterOf = ({ http: { propertyFilter } }: Contract, issue: z.core.$ZodIssue): string =>
  propertyFilter && issue.path[0] === "properties" && issue.path.length > 1
    ? `${propertyFilter}.${String(issue.path[1])}`
    : pathText(issue);

const indexOf = (issue: z.core.$ZodIssue) => (typeof issue.path[1] === "number" ? { index: issue.path[1] } : {});

const allowedOf = (issue: z.core.$ZodIssue) => (issue.code === "invalid_value" ? { allowed: issue.values } : {});

const sentence = (issue: z.core.$ZodIssue): string =>
  issue.message === BLANK
    ? "must not be blank."
    : `${((issue.code === "invalid_key" && issue.issues[0]?.message) || issue.message).replace(/^Invalid input: /, "").replace(/\.$/, "")}.`;

export type FieldKind = "string" | "integer" | "number" | "boolean" | "array";

/** What schemas say of themselves, without the names (`.meta({ id })`) that make them parts of the OpenAPI document. */
const nameless = Object.assign(z.registry<z.GlobalMeta>(), {
  get(schema: z.core.$ZodType) {
    const { id: _, $ref: __, ...rest } = z.globalRegistry.get(schema) ?? {};
    return rest;
  },
});

/** The input as one JSON schema that holds each part where it is used. */
export const inputSchema = (contract: Contract) =>
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
