import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

export const kinds = ["upcoming_meeting", "conflict", "going_dark", "decayed_fact", "task_due"] as const;

export const AttentionItem = z
  .strictObject({
    id: z.string().describe("Changes when its reason does: after another activity, or with another value."),
    kind: z.enum(kinds),
    entity_id: Id.describe("Of a task about no person or company: the workspace."),
    entity_name: z.string(),
    company: z.string().nullable().describe("Where the person works; null for a company."),
    property: z.string().optional().describe("Of `conflict` and `decayed_fact`: the property concerned."),
    values: z
      .array(z.json())
      .optional()
      .describe("Of `conflict`: the present value, and after it up to three that disagree."),
    names: z
      .record(z.string(), z.string())
      .optional()
      .describe("Of a `conflict` about `works_at`: what the companies in `values` are called, by their ids."),
    what: z.string().describe("What is the matter, in a sentence."),
    suggested_action: z.string(),
    age_days: z
      .int()
      .describe(
        "Whole days since the last activity (going_dark), the last evidence (decayed_fact), the disagreement (conflict) or the due day (task_due); for a meeting the days until it, as a number of 0 or below.",
      ),
  })
  .meta({ id: "AttentionItem", description: "Something that someone should look at." });
export type AttentionItem = z.output<typeof AttentionItem>;

export const listAttention = defineOperation({
  name: "listAttention",
  tag: "Attention",
  summary: "What needs attention now",
  description:
    "Meetings of the next 7 days; disputed claims; people at interested or evaluating without activity for 14 to 180 days; claims about them not confirmed for 90; tasks due by today (UTC) of the caller or of no one. Most urgent first, without archived records and what the signed-in user hid.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/attention" },
  input: z.strictObject({
    limit: pageSize(20, 100),
    kinds: z.array(z.enum(kinds)).min(1).max(kinds.length).optional().describe("Only these kinds."),
  }),
  output: z.strictObject({
    items: z.array(AttentionItem),
    meta: z.strictObject({
      limit: z.int(),
      by_kind: z.record(z.enum(kinds), z.int()).describe("Number of items returned of each kind."),
      as_of: Timestamp,
    }),
  }),
  tool: {
    name: "attention",
    description:
      "What to do next: meetings ahead, tasks due, people going silent, sources that disagree, facts getting old. Most urgent first, each with an action.",
    parameters: ["limit"],
  },
  example: {
    input: { limit: 20 },
    output: {
      items: [
        {
          id: "Zm9sbG93LXVwLWFubmE",
          kind: "going_dark",
          entity_id: "0190a6e0-0000-7000-8000-000000000001",
          entity_name: "Anna Smith",
          company: "Acme",
          what: "Evaluating, and silent for 16 days.",
          suggested_action: "Follow up: POST /v2/context with intent follow_up.",
          age_days: 16,
        },
      ],
      meta: {
        limit: 20,
        by_kind: { upcoming_meeting: 0, conflict: 0, going_dark: 1, decayed_fact: 0, task_due: 0 },
        as_of: "2026-06-03T09:00:00.000Z",
      },
    },
  },
});

const ItemId = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .describe("The item's `id`.");

export const hideAttention = defineOperation({
  name: "hideAttention",
  tag: "Attention",
  summary: "Snooze or dismiss something that needs attention, for yourself only",
  description: "Dismissed, it stays away until its reason changes; snoozed, it is back after some days at the latest.",
  surface: "app",
  scope: "read",
  http: { method: "POST", path: "/attention/hide" },
  input: z.strictObject({
    items: z
      .array(z.strictObject({ id: ItemId, entity_id: Id }))
      .min(1)
      .max(100),
    days: z.int().min(1).max(90).optional().describe("For how many days; without it until its reason changes."),
  }),
  output: z.strictObject({ hidden: z.int().describe("How many items are hidden now, of those given.") }),
  errors: ["entity_not_found"],
  example: {
    input: { items: [{ id: "Zm9sbG93LXVwLWFubmE", entity_id: "0190a6e0-0000-7000-8000-000000000001" }], days: 7 },
  },
});

export const showAttention = defineOperation({
  name: "showAttention",
  tag: "Attention",
  summary: "Show again what one hid",
  surface: "app",
  scope: "read",
  http: { method: "POST", path: "/attention/show" },
  input: z.strictObject({ ids: z.array(ItemId).min(1).max(100) }),
  output: z.strictObject({ shown: z.int().describe("How many were hidden until now.") }),
  example: { input: { ids: ["Zm9sbG93LXVwLWFubmE"] } },
});
