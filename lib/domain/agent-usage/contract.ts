import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Timestamp } from "#lib/core/schema.ts";

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
    output: {
      days: ["2026-06-02", "2026-06-03"],
      total: 42,
      clients: [{ client: "claude-code/2.1", calls: 42, by_day: [12, 30], last_at: "2026-06-03T09:05:00.000Z" }],
    },
  },
});
