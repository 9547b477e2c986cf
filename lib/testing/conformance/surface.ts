import { expect } from "vitest";
import { type ErrorCode, statusOf } from "#lib/core/errors.ts";
import { type Contract, pathFields } from "#lib/core/operation.ts";
import { prefixOf } from "#lib/core/schema.ts";
import { PendingApproval } from "#lib/domain/access/approvals/contract.ts";
import type { Operation } from "#lib/domain/implement.ts";
import { openApiDocument } from "#lib/openapi/document.ts";

type Input = Record<string, unknown>;

/** Who sends a request: an API key, a browser's cookie for a workspace, or no one in particular. */
export type As = { key: string } | { cookie: string | null; workspace: string };

export type SurfaceRequest = {
  path: string;
  init: { method: string; headers: Record<string, string>; body?: BodyInit; duplex?: "half" };
};

const hasBody = ({ http }: Contract): boolean => http.method === "POST" || http.method === "PATCH";

/** The address of an operation with these path fields, on the surface the caller uses. */
function addressOf(contract: Contract, input: Input, as: As): string {
  const path = contract.http.path.replaceAll(/:([a-z_]+)/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  );
  return "key" in as ? path : `/api/app/${as.workspace}${path}`;
}

/** The headers a browser on our page, or an agent with a key, sends. */
export function headersOf(as: As, origin: string): Record<string, string> {
  if ("key" in as) return as.key === "" ? {} : { authorization: `Bearer ${as.key}` };
  return { origin, "sec-fetch-site": "same-origin", ...(as.cookie === null ? {} : { cookie: as.cookie }) };
}

/** One request of an operation, its input where the contract puts it: path, query or body. */
export function requestOf({ contract }: Operation, input: Input, as: As, origin: string): SurfaceRequest {
  const inPath = pathFields(contract);
  const rest = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const headers = headersOf(as, origin);
  const path = addressOf(contract, input, as);
  const { method } = contract.http;
  if (hasBody(contract)) {
    headers["content-type"] = "application/json";
    return { path, init: { method, headers, body: JSON.stringify(Object.fromEntries(rest)) } };
  }
  const query = new URLSearchParams(rest.flatMap(([name, value]) => queryOf(contract, name, value))).toString();
  return { path: query === "" ? path : `${path}?${query}`, init: { method, headers } };
}

function queryOf(contract: Contract, name: string, value: unknown): [string, string][] {
  const prefix = prefixOf(contract.input.shape[name]);
  if (prefix !== null && typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, values]) =>
      [values].flat().map((one): [string, string] => [`${prefix}.${key}`, String(one)]),
    );
  return [
    [name, Array.isArray(value) ? value.join(",") : typeof value === "object" ? JSON.stringify(value) : String(value)],
  ];
}

export type SurfaceAnswer = { status: number; headers: Headers; text: string; body: Record<string, unknown> };

/** Sends requests to one server. Every answer is checked against what the operation's contract and documents promise. */
export function sender(url: () => string) {
  async function raw({ path, init }: SurfaceRequest): Promise<SurfaceAnswer> {
    const response = await fetch(url() + path, init as RequestInit);
    const text = await response.text();
    let body: Record<string, unknown> = {};
    if (text !== "" && response.headers.get("content-type")?.startsWith("application/json"))
      body = JSON.parse(text) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, text, body };
  }

  return {
    origin: () => url(),
    raw,
    async send(
      operation: Operation,
      input: Input,
      as: As,
      change: (sent: SurfaceRequest) => void = () => undefined,
    ): Promise<SurfaceAnswer> {
      const sent = requestOf(operation, input, as, url());
      change(sent);
      const answered = await raw(sent);
      check(operation, as, answered, sent.init.method);
      return answered;
    },
  };
}

/** Success parses as the contract's output; a refusal is one of the codes the documents name for its status. */
function check({ contract }: Operation, as: As, { status, body, headers, text }: SurfaceAnswer, method: string): void {
  const where = `${contract.name} answered ${status} ${text.slice(0, 300)}`;
  expect(headers.get("x-request-id"), where).toMatch(/^[\w-]{1,128}$/);
  if (method === "HEAD") return;
  if (status < 400) {
    if (status === 202) PendingApproval.parse(body);
    else if (status !== 204) contract.output.parse(body);
    return;
  }
  expect(body, where).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  expect(body.request_id === headers.get("x-request-id") || headers.get("idempotency-replayed") === "true", where).toBe(
    true,
  );
  if (method !== contract.http.method) return;
  expect("key" in as ? documentedOnKeys(contract) : documentedInApp(contract), where).toContainEqual([
    status,
    body.error,
  ]);
}

type ErrorCodeDocument = { paths: Record<string, Record<string, { "x-error-codes": ErrorCode[] }>> };

const api = openApiDocument("http://api.example") as unknown as ErrorCodeDocument;

/** [status, code] pairs of the OpenAPI document. */
function documentedOnKeys({ http }: Contract): [number, string][] {
  const path = http.path.replaceAll(/:([a-z_]+)/g, "{$1}");
  const codes = api.paths[path]?.[http.method.toLowerCase()]?.["x-error-codes"] ?? [];
  return codes.map((code) => [statusOf(code), code]);
}

/**
 * The browser's surface is not in the document; its contracts name their own codes, and any of them may also answer
 * these.
 */
const shared: readonly ErrorCode[] = [
  ...([
    "invalid_encoding",
    "invalid_json",
    "invalid_parameter",
    "unknown_parameter",
    "invalid_idempotency_key",
    "session_required",
  ] as const),
  ...(["feature_not_in_plan", "insufficient_scope", "role_required", "origin_not_allowed", "not_found"] as const),
  ...(["idempotency_key_reused", "idempotency_key_in_use", "payload_too_large", "unsupported_media_type"] as const),
  ...(["rate_limited", "internal_error", "not_ready"] as const),
];

function documentedInApp(contract: Contract): [number, string][] {
  return [...shared, ...(contract.errors ?? [])].map((code) => [statusOf(code), code]);
}
