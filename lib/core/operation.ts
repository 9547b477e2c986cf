import type { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import type { Feature, Role, Scope } from "./plans.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** An operation as an MCP tool. */
export type Tool = {
  name: string;
  /** For the model: when to call it, and what it gives. */
  description: string;
  /** Fields of the input, in this order; `[parameter, field]` where the tool's name for it is another. */
  parameters: readonly (string | readonly [parameter: string, field: string])[];
  /** Fields of the input that the tool gives itself. */
  always?: Readonly<Record<string, unknown>>;
  /**
   * `destructive`: what it writes takes the place of something that cannot be brought back. `idempotent`: the same call again
   * changes nothing more. `openWorld`: it asks a system outside.
   */
  hints?: readonly ("destructive" | "idempotent" | "openWorld")[];
};

/** What a request may bring besides one JSON object of up to 1 MiB. */
export type Body = {
  /** The bytes that its JSON may have. */
  limit?: number;
  /** It may also be a JSON array, or NDJSON; it is then the value of this field. */
  lines?: string;
  /**
   * It may also be a file: `multipart/form-data`, or one of the text types of CSV with the other fields in the query. It is
   * read as it arrives, up to `limit` bytes, in place of the field `field`.
   */
  file?: { field: string; fileName: string; limit: number };
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
  /** The least role of a signed-in member; default: the one that has the scope. */
  role?: Role;
  /**
   * With which inputs it is so far-reaching that a signed-in person must have proved who they are in the last 15 minutes: by signing
   * in, or again. Keys are not asked.
   */
  recent?(input: z.output<I>): boolean;
  /** What the workspace's plan must have: always, or where a field of the input is given. */
  feature?: Feature | Readonly<Record<string, Feature>>;
  /** With which inputs it writes; default: all, unless its scope is `read`. What writes needs the scope `write`. */
  writes?(input: z.output<I>): boolean;
  /** Its status is a function where it is 201 only if something was created. */
  http: { method: Method; path: string; status?: 200 | 201 | 204 | ((output: z.output<O>) => 200 | 201); body?: Body };
  input: I;
  output: O;
  /** The service's own error codes; the documents add the codes that every endpoint shares. */
  errors?: readonly ErrorCode[];
  /** Codes that replace `invalid_parameter`, by field: `missing` where it is not given or blank (of `a|b`, both), else `fields`. */
  codes?: { missing?: Readonly<Record<string, ErrorCode>>; fields?: Readonly<Record<string, ErrorCode>> };
  /** What it is over MCP; without it, it is no tool. */
  tool?: Tool;
  /**
   * With which inputs it waits for a person even when the caller's approval is `human_fields`; default: what deletes, and what
   * needs the scope `admin`.
   */
  asksPerson?(input: z.output<I>): boolean;
  /** Fields with secrets: a kept call or answer that has them is encrypted, and shown without them. */
  secrets?: { input?: readonly string[]; output?: readonly string[] };
  /** `output`: of a public one, for the OpenAPI document. */
  example: { input: z.input<I>; output?: z.input<O> };
};

/** Declares a contract; the types follow from the two schemas. */
export const defineOperation = <I extends z.ZodObject, O extends z.ZodType>(contract: Contract<I, O>): Contract<I, O> =>
  contract;

/** What the plan must have, whatever the input is. */
export const featureOf = ({ feature }: Pick<Contract, "feature">): Feature | undefined =>
  typeof feature === "string" ? feature : undefined;

/** Whether some input makes it write. */
export const mayWrite = ({ scope, writes }: Pick<Contract, "scope" | "writes">): boolean =>
  scope !== "read" || writes !== undefined;

/** The HTTP status of a success. */
export const successStatus = ({ http: { status = 200 } }: Contract, output: unknown): number =>
  typeof status === "function" ? status(output) : status;

/** Default body limit in bytes (1 MiB); notes and observations declare 8 MiB. */
const DEFAULT_BODY_LIMIT = 1024 * 1024;
export const LARGE_BODY_LIMIT = 8 * 1024 * 1024;

/** The bytes that the JSON of its body may have. */
export const bodyLimit = ({ http: { body } }: Contract): number => body?.limit ?? DEFAULT_BODY_LIMIT;

/** Whether requests for it have a body. */
export const hasBody = ({ http: { method } }: Contract): boolean => method === "POST" || method === "PATCH";

/** Fields of `contract.input` that are in the path (`:name`). */
export const pathFields = (contract: Contract): string[] =>
  [...contract.http.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1] as string);

/** The path with its `:name` fields filled in, and the fields that go elsewhere. */
export function addressOf(path: string, input: object): { address: string; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...input };
  const address = path.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { address, rest };
}

/** Lists repeat the parameter; what is undefined or null is left out. */
export function queryOf(fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) query.append(name, String(item));
  }
  return query.size > 0 ? `?${query}` : "";
}
