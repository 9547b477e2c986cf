import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { DayCounts } from "#lib/text/day-counts.ts";
import {
  exampleId,
  exampleSecret,
  exampleTrigger,
  Filters,
  idOfTrigger,
  MOST_EVENTS,
  MOST_URL,
  ofTrigger,
  Trigger,
  TriggerSummary,
  tag,
  trigger404,
} from "./trigger.ts";

const name = z.string().trim().max(100).describe("What you call it; up to 100 characters.");

const url = z.string().trim().max(MOST_URL).describe("Where events go: a public http or https URL.");

const events = z
  .array(z.string().max(100))
  .max(MOST_EVENTS)
  .describe("Names of events, such as `stage.advanced`; GET /v2/workspace/trigger-events lists them.");

export const listTriggers = defineOperation({
  name: "listTriggers",
  tag,
  summary: "List the triggers of the workspace, and how their deliveries go",
  description: "Every trigger, the oldest first, with counts of the last 24 hours. Secrets are never shown again.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/triggers" },
  input: z.strictObject({}),
  output: z.strictObject({ triggers: z.array(TriggerSummary) }),
  tool: {
    name: "list_triggers",
    description: "List outbound webhooks: URL, events, status and what is wrong.",
    parameters: [],
  },
  example: {
    input: {},
    output: {
      triggers: [{ ...exampleTrigger, health: [{ hour: "2026-06-03T14:00:00.000Z", delivered: 12, failed: 0 }] }],
    },
  },
});

export const createTrigger = defineOperation({
  name: "createTrigger",
  tag,
  summary: "Send events to your URL as signed webhooks",
  description:
    "Deliveries follow Standard Webhooks: at least once, in order for each trigger, tried again for some 3 days. A 410 disables the trigger. Only later events are sent, none of sample data. The secret is shown once. If there is a trigger with this URL, these events and filters, it is answered.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers", status: ({ created }) => (created ? 201 : 200) },
  input: z.strictObject({
    url,
    events,
    name: name.optional(),
    filters: Filters.optional(),
  }),
  output: z.strictObject({
    ok: z.literal(true),
    created: z.boolean().describe("False for a trigger that existed already; nothing was changed."),
    trigger: Trigger,
    secret: z
      .string()
      .nullable()
      .describe("Shown once: null for a trigger that existed already. Rotate it to get one."),
  }),
  errors: ["url_and_events_required", "invalid_url", "unknown_event", "too_many_triggers"],
  codes: {
    missing: { url: "url_and_events_required", events: "url_and_events_required" },
    fields: { url: "invalid_url" },
  },
  secrets: { output: ["secret"] },
  tool: {
    name: "set_trigger",
    description:
      "Send events (e.g. stage.advanced, contact.created, activity.email_received, note.saved) to a URL as signed webhooks. Answers the signing secret once.",
    parameters: ["url", "events", "name"],
    hints: ["openWorld"],
  },
  example: {
    input: { url: exampleTrigger.url, events: ["stage.advanced"], name: "Slack alerts" },
    output: { ok: true, created: true, trigger: exampleTrigger, secret: exampleSecret },
  },
});

export const getTrigger = defineOperation({
  name: "getTrigger",
  tag,
  summary: "Read a trigger",
  description: "With counts of the last 24 hours.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/triggers/:id" },
  ...ofTrigger(z.strictObject({ trigger: TriggerSummary })),
  example: { input: { id: exampleId }, output: { trigger: { ...exampleTrigger, health: [] } } },
});

export const getTriggerDays = defineOperation({
  name: "getTriggerDays",
  tag,
  summary: "How many deliveries of a trigger were accepted and failed on each of the last 30 days",
  description:
    "Days are in UTC. An attempt counts when it ended; a delivery that failed first and was accepted later counts as both.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/triggers/:id/days" },
  ...ofTrigger(z.strictObject({ days: DayCounts })),
  example: {
    input: { id: exampleId },
  },
});

export const changeTrigger = defineOperation({
  name: "changeTrigger",
  tag,
  summary: "Change a trigger, or pause it",
  description:
    "Sets the fields given and leaves the others. What already waits goes to the new URL. While it is paused events wait, for 30 days at most; POST …/resume ends that.",
  surface: "public",
  scope: "admin",
  http: { method: "PATCH", path: "/v2/workspace/triggers/:id" },
  input: z.strictObject({
    id: idOfTrigger,
    url: url.optional(),
    events: events.optional(),
    name: name.nullable().optional().describe("What you call it; null removes the name."),
    filters: Filters.optional().describe("Replaces all filters."),
    status: z.enum(["paused"]).optional().describe("Pauses it."),
  }),
  output: z.strictObject({ ok: z.literal(true), trigger: Trigger }),
  errors: ["trigger_not_found", "url_and_events_required", "invalid_url", "unknown_event"],
  codes: { fields: { ...trigger404.fields, url: "invalid_url" } },
  example: { input: { id: exampleId, name: "Slack alerts" }, output: { ok: true, trigger: exampleTrigger } },
});

export const deleteTrigger = defineOperation({
  name: "deleteTrigger",
  tag,
  summary: "Delete a trigger with its deliveries",
  description: "What still waits is not sent any more.",
  surface: "public",
  scope: "admin",
  http: { method: "DELETE", path: "/v2/workspace/triggers/:id", status: 204 },
  ...ofTrigger(z.strictObject({})),
  example: { input: { id: exampleId }, output: {} },
});

export const resumeTrigger = defineOperation({
  name: "resumeTrigger",
  tag,
  summary: "Let a paused or disabled trigger go on",
  description: "What waits is delivered in order, the first at once. With `skip_waiting` it is skipped instead.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/:id/resume" },
  input: z.strictObject({
    id: idOfTrigger,
    skip_waiting: z.boolean().default(false).describe("Skip what waits, and deliver only what happens from now on."),
  }),
  output: z.strictObject({ ok: z.literal(true), trigger: Trigger, skipped: z.int().describe("Deliveries skipped.") }),
  errors: ["trigger_not_found"],
  codes: trigger404,
  example: { input: { id: exampleId }, output: { ok: true, trigger: exampleTrigger, skipped: 0 } },
});

export const rotateTriggerSecret = defineOperation({
  name: "rotateTriggerSecret",
  tag,
  summary: "Give a trigger a new signing secret",
  description:
    "Until the overlap ends each request carries two signatures, of the new secret and of the one before, so that receivers can change over without a gap.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/:id/rotate-secret" },
  input: z.strictObject({
    id: idOfTrigger,
    overlap_hours: z.int().min(0).max(168).default(24).describe("Hours that the old secret signs too; 0 to 168."),
  }),
  output: z.strictObject({ ok: z.literal(true), trigger: Trigger, secret: z.string().describe("Shown once.") }),
  errors: ["trigger_not_found"],
  codes: trigger404,
  secrets: { output: ["secret"] },
  example: {
    input: { id: exampleId },
    output: {
      ok: true,
      trigger: { ...exampleTrigger, secret_overlap_until: "2026-06-04T09:00:00.000Z" },
      secret: exampleSecret,
    },
  },
});
