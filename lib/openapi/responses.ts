import { type ErrorCode, messageOf, statusOf } from "#lib/core/errors.ts";

export type Json = Record<string, unknown>;

/** On every answer to a known key; the document lists them with 429. */
const rateHeaders = {
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

const RETRY = { "Retry-After": { $ref: "#/components/headers/RetryAfter" } };

/** What every refusal of a status has in common: its name, what it means, its headers. */
const statuses: Readonly<Record<number, { name: string; meaning?: string; headers?: Json }>> = {
  400: { name: "BadRequest" },
  401: { name: "Unauthorized", headers: { "WWW-Authenticate": { $ref: "#/components/headers/Authenticate" } } },
  402: { name: "NotInPlan" },
  403: { name: "Forbidden" },
  404: { name: "NotFound", meaning: "What the request names is not in this workspace." },
  409: { name: "Conflict", headers: RETRY },
  410: { name: "Gone", meaning: "It was there, and was removed." },
  413: { name: "PayloadTooLarge" },
  415: { name: "UnsupportedMediaType" },
  416: { name: "RangeNotSatisfiable", meaning: "`Content-Range` says how long the file is." },
  429: { name: "RateLimited", headers: { ...rateHeaders, ...RETRY } },
  500: { name: "InternalError" },
  502: { name: "BadGateway", meaning: "An outside system could not be asked." },
  501: { name: "NotAvailable" },
  503: { name: "NotReady", headers: RETRY },
};

const describeErrors = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${messageOf(code)}`).join("\n\n");

const byStatus = (codes: readonly ErrorCode[]): Map<number, ErrorCode[]> => Map.groupBy(new Set(codes), statusOf);

/** The refusals of an endpoint by status; its own codes are named beside the reference, and explained by `ErrorCode`. */
export function errorResponses(codes: readonly ErrorCode[], own: readonly ErrorCode[]): Record<string, Json> {
  const responses = [...byStatus(codes)].map(([status, list]): [string, Json] => {
    const name = statuses[status]?.name ?? `Status${status}`;
    const special = list.filter((code) => own.includes(code)).map((code) => `\`${code}\``);
    const $ref = `#/components/responses/${name}`;
    return [String(status), special.length > 0 ? { $ref, description: `${special.join(", ")}.` } : { $ref }];
  });
  return Object.fromEntries(responses);
}

/** What the references of answers with these codes lead to; `shared` are those that any operation may answer. */
export function sharedResponses(codes: readonly ErrorCode[], shared: readonly ErrorCode[]): Record<string, Json> {
  const used = byStatus(codes);
  const common = byStatus(shared);
  const listed = Object.entries(statuses).filter(([status]) => used.has(Number(status)));
  return Object.fromEntries(
    listed.map(([status, { name, meaning, headers }]): [string, Json] => [
      name,
      {
        description: meaning ?? describeErrors(common.get(Number(status)) ?? []),
        ...(headers ? { headers } : {}),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

/** What an error may carry beside its code, by name. */
const extras: Record<string, Json> = {
  parameter: { type: "string", description: "The parameter or field concerned." },
  supported: {
    type: "array",
    items: { type: "string" },
    description: "Of `unknown_parameter` and `unsupported_media_type`: those there are.",
  },
  allowed: { type: "array", items: {}, description: "Values that are accepted." },
  problems: {
    type: "array",
    items: {
      type: "object",
      required: ["parameter", "error", "message"],
      properties: { parameter: { type: "string" }, error: { type: "string" }, message: { type: "string" } },
    },
    description: "Where several parameters are wrong: each of them, once.",
  },
  index: { type: "integer", description: "Which item of a list, from 0." },
  retry_after: { type: "integer", description: "Seconds to wait, as in `Retry-After`." },
  limit_bytes: { type: "integer", description: "Of `payload_too_large`: the largest body." },
  content_encoding: { type: "string", description: "Of `unsupported_media_type`: the encoding that is not read." },
  required_scope: { type: "string", description: "Of `insufficient_scope`." },
  feature: { type: "string", description: "Of `feature_not_in_plan`: what the plan lacks, as `lead_lists`." },
  required_plan: { type: "string", description: "Of `feature_not_in_plan`." },
  current_plan: { type: "string", description: "Of `feature_not_in_plan`." },
  entity_id: { type: "string", format: "uuid", description: "Of `identifier_conflict`: whose it is." },
  current_id: { type: "string", format: "uuid", description: "Of `fact_already_superseded`: the current fact." },
};

/** The codes, and their sentences where generators do not print all of them as one comment. */
export const errorCodeSchema = (codes: readonly ErrorCode[]): Json => ({
  type: "string",
  description: "Codes do not change; new ones may be added. Each operation lists its own as `x-error-codes`.",
  enum: codes,
  "x-enum-descriptions": codes.map(messageOf),
});

/** Every error: a code, a sentence, the request's id, and what helps to fix it. */
export const errorSchema: Json = {
  type: "object",
  description: "What every refused request is answered.",
  required: ["error", "message", "request_id"],
  properties: {
    error: { $ref: "#/components/schemas/ErrorCode" },
    message: { type: "string", description: "One plain sentence that says how to fix the request." },
    request_id: { type: "string", description: "Quote it when you report a problem." },
    ...extras,
  },
  additionalProperties: true,
  example: {
    error: "unknown_parameter",
    message: "colour is not a parameter of this endpoint.",
    request_id: "0190a6e0-0000-7000-8000-0000000000ff",
    parameter: "colour",
    supported: ["limit"],
  },
};
