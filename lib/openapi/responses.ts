import { type ErrorCode, messageOf, statusOf } from "#lib/core/errors.ts";
import { RETRY_AFTER_SECONDS } from "#lib/core/unavailable.ts";

export type Json = Record<string, unknown>;

const extras: Partial<Record<ErrorCode, Json>> = {
  invalid_parameter: { parameter: "limit" },
  unknown_parameter: { parameter: "colour", supported: ["limit"] },
  invalid_section: { allowed: ["ICP", "Market"], parameter: "section" },
  invalid_mode: { allowed: ["replace", "append"], parameter: "mode" },
  invalid_observation: { index: 0 },
  fact_already_superseded: { current_id: "0190a6e0-0000-7000-8000-000000000002" },
  insufficient_scope: { required_scope: "write" },
  feature_not_in_plan: { feature: "listLeads", required_plan: "scale", current_plan: "free" },
  payload_too_large: { limit_bytes: 1048576 },
  rate_limited: { retry_after: 12 },
  not_ready: { retry_after: RETRY_AFTER_SECONDS },
};

export const rateHeaders = {
  "x-request-id": { $ref: "#/components/headers/RequestId" },
  "RateLimit-Limit": { $ref: "#/components/headers/RateLimitLimit" },
  "RateLimit-Remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "RateLimit-Reset": { $ref: "#/components/headers/RateLimitReset" },
};

/** The error responses of an endpoint by status, from the one table of codes. */
export function errorResponses(codes: readonly ErrorCode[], headers: Json = rateHeaders): Json {
  const byStatus = Map.groupBy(new Set(codes), statusOf);
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      {
        description: list.map((code) => `\`${code}\`: ${messageOf(code)}`).join("\n\n"),
        headers: list.includes("unauthorized") ? { "WWW-Authenticate": { schema: { type: "string" } } } : headers,
        content: {
          "application/json": {
            schema: {
              allOf: [
                { $ref: "#/components/schemas/Error" },
                { type: "object", properties: { error: { type: "string", enum: list } } },
              ],
            },
            examples: Object.fromEntries(
              list.map((code) => [
                code,
                {
                  value: {
                    error: code,
                    message: messageOf(code),
                    request_id: "0190a6e0-0000-7000-8000-0000000000ff",
                    ...extras[code],
                  },
                },
              ]),
            ),
          },
        },
      },
    ]),
  );
}
