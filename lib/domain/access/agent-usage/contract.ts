import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

export const getAgentUsage = defineOperation({
  name: "getAgentUsage",
  tag: "API keys",
  summary: "How often each client called on each of the last days",
  description:
    "A client is what a caller names itself (`x-service-client`, or its MCP client info). Days are UTC, the last is today. Counts are up to ten seconds old.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/agent-usage" },
  input: z.strictObject({ days: z.int().min(1).max(90).default(14).describe("How many days; 1 to 90, default 14.") }),
  output: z.strictObject({
    days: z.array(z.string()).describe("The days, such as `2026-06-03`, the earliest first."),
    total: z.int().describe("Calls of all clients."),
    clients: z
      .array(
        z.strictObject({
          client: z.string().describe("`unknown` when it does not name itself, `other` for the rest of many."),
          calls: z.int(),
          by_day: z.array(z.int()).describe("Calls on each of the days."),
          last_at: Timestamp,
        }),
      )
      .describe("The most active first, at most 20."),
  }),
  example: {
    input: { days: 2 },
  },
});

export const getKeyUsage = defineOperation({
  name: "getKeyUsage",
  tag: "API keys",
  summary: "How often a key was used on each of the last days, and its last calls",
  description:
    "Days are UTC, the last is today. The last 100 calls are kept for 7 days, without what was sent or answered; the path is that of the API reference. Up to ten seconds old.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/api-keys/:id/usage" },
  input: z.strictObject({
    id: Id.describe("The API key."),
    days: z.int().min(1).max(90).default(14).describe("How many days; 1 to 90, default 14."),
  }),
  output: z.strictObject({
    days: z.array(z.string()).describe("The days, such as `2026-06-03`, the earliest first."),
    by_day: z.array(z.int()).describe("Calls on each of the days."),
    calls: z
      .array(
        z.strictObject({
          at: Timestamp,
          method: z.string(),
          path: z
            .string()
            .describe("With parameters instead of values, such as `/v2/people/:focus`; `/mcp` for tools."),
          operation: z.string().describe("The operation, or the tool or method over MCP."),
          status: z.int().describe("HTTP status of the answer."),
          ms: z.number().describe("Milliseconds until the answer was ready."),
          client: z.string().nullable().describe("What the caller names itself."),
        }),
      )
      .describe("The latest first, at most 100."),
  }),
  errors: ["api_key_not_found"],
  example: {
    input: { id: "0190a6e0-0000-7000-8000-00000000000a", days: 2 },
  },
});
