import { z } from "zod";
import { DayCounts } from "#lib/core/day-counts.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";
import { eventGroups, sampleBody } from "./events.ts";

const tag = "Triggers";

export const MOST_EVENTS = 50;
const MOST_URL = 2000;

const texts = (most: number) => z.array(z.string().trim().min(1).max(200)).min(1).max(most);

const conditions = z.strictObject({
  stage: texts(5).optional().describe("Only when the person is in one of these stages (after the event)."),
  property: z
    .record(z.string().min(1).max(100), z.union([z.string().max(200), z.number(), z.boolean(), texts(50)]))
    .optional()
    .describe("Only when the record's properties have these values: one value, or a list of which one must match."),
  source: texts(50).optional().describe("Only what one of these sources reported, such as `api` or `cal_com`."),
  list: z.array(Id).min(1).max(50).optional().describe("Only events about people in one of these lead lists."),
  plan: texts(50).optional().describe("Only when the record's property `plan` has one of these values."),
});

export const Filters = conditions
  .refine((filters) => Object.keys(filters.property ?? {}).length <= 10, { error: "at most 10 properties" })
  .describe("Conditions that all must hold. An empty object has none.");
export type Filters = z.output<typeof Filters>;

export const TriggerStatus = z.enum(["active", "paused", "disabled"]).meta({
  id: "TriggerStatus",
  description:
    "`active`: events are delivered. `paused`: a person stopped it. `disabled`: stopped after sustained failure or a 410. Events wait in both, and are delivered on resume.",
});
export type TriggerStatus = z.output<typeof TriggerStatus>;

const Hour = z.strictObject({
  hour: Timestamp.describe("When the hour began."),
  delivered: z.int().describe("Deliveries that were accepted."),
  failed: z.int().describe("Attempts that failed."),
});

export const Trigger = z
  .strictObject({
    id: Id,
    name: z.string().nullable(),
    url: z.string(),
    events: z.array(z.string()),
    filters: conditions.describe("Conditions that all must hold; empty: none."),
    status: TriggerStatus,
    message: z.string().nullable().describe("What is wrong and what to do; null when nothing is."),
    waiting: z.int().describe("Deliveries that wait for their turn or their next attempt, counted up to 1,000."),
    failing_since: Timestamp.nullable().describe("Since when no delivery was accepted; null while they are."),
    next_attempt_at: Timestamp.nullable().describe("When a delivery that failed is tried again."),
    secret_overlap_until: Timestamp.nullable().describe("Until when the secret before the last rotation signs too."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Trigger", description: "A rule that is always active: these events go to this URL." });
export type Trigger = z.output<typeof Trigger>;

export const TriggerSummary = z
  .strictObject({
    ...Trigger.shape,
    health: z.array(Hour).describe("The last 24 hours in which anything was sent, oldest first."),
  })
  .meta({ id: "TriggerSummary" });
export type TriggerSummary = z.output<typeof TriggerSummary>;

export const DeliveryStatus = z
  .enum(["pending", "delivered", "failed", "skipped"])
  .describe(
    "`pending`: waits for its turn or its next attempt. `delivered`: accepted with 2xx. `failed`: given up after the last attempt; replay it. `skipped`: taken out of the queue by a person.",
  );
export type DeliveryStatus = z.output<typeof DeliveryStatus>;

export const Attempt = z
  .strictObject({
    at: Timestamp,
    ms: z.int().describe("How long the answer took."),
    by: z.enum(["delivery", "retry", "replay", "test"]),
    ok: z.boolean(),
    status: z.int().nullable().describe("The answer's status; null when there was none."),
    problem: z.string().nullable().describe("Why it failed, in a sentence."),
    response: z.string().nullable().describe("The answer's body, at most 4 KiB of it."),
    response_cut: z.boolean().describe("Whether the answer was longer."),
  })
  .meta({ id: "TriggerAttempt", description: "One try to deliver." });
export type Attempt = z.output<typeof Attempt>;

export const DeliverySummary = z
  .strictObject({
    id: Id.describe("The `webhook-id` of every attempt."),
    trigger_id: Id,
    type: z.string(),
    entity_id: Id.nullable(),
    test: z.boolean(),
    status: DeliveryStatus,
    attempts: z.int(),
    last_status: z.int().nullable().describe("Status of the latest answer."),
    problem: z.string().nullable().describe("Why the latest attempt failed."),
    next_attempt_at: Timestamp.nullable().describe("While pending: not before then."),
    created_at: Timestamp,
    settled_at: Timestamp.nullable(),
  })
  .meta({ id: "TriggerDeliverySummary", description: "One event on its way to a trigger's URL." });
export type DeliverySummary = z.output<typeof DeliverySummary>;

export const Delivery = z
  .strictObject({
    ...DeliverySummary.shape,
    attempts: z.array(Attempt).describe("The latest 20, oldest first."),
    request: z.strictObject({
      url: z.string(),
      headers: z
        .record(z.string(), z.string())
        .describe("Without the time and the signature, which each attempt makes."),
      body: z.string(),
    }),
  })
  .meta({ id: "TriggerDelivery", description: "A delivery with its request and attempts." });
export type Delivery = z.output<typeof Delivery>;

const exampleId = "0190a6e0-0000-7000-8000-000000000050";
const exampleDeliveryId = "0190a6e0-0000-7000-8000-000000000060";
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";

const exampleTrigger: z.input<typeof Trigger> = {
  id: exampleId,
  name: "Slack alerts",
  url: "https://hooks.example.com/rapport",
  events: ["stage.advanced"],
  filters: {},
  status: "active",
  message: null,
  waiting: 0,
  failing_since: null,
  next_attempt_at: null,
  secret_overlap_until: null,
  created_at: "2026-06-03T09:00:00.000Z",
  updated_at: "2026-06-03T09:00:00.000Z",
};
const exampleSummary: z.input<typeof DeliverySummary> = {
  id: exampleDeliveryId,
  trigger_id: exampleId,
  type: "stage.advanced",
  entity_id: "0190a6e0-0000-7000-8000-000000000020",
  test: false,
  status: "delivered",
  attempts: 1,
  last_status: 200,
  problem: null,
  next_attempt_at: null,
  created_at: "2026-06-03T14:00:00.510Z",
  settled_at: "2026-06-03T14:00:00.600Z",
};
const exampleDelivery: z.input<typeof Delivery> = {
  ...exampleSummary,
  attempts: [
    {
      at: "2026-06-03T14:00:00.520Z",
      ms: 80,
      by: "delivery",
      ok: true,
      status: 200,
      problem: null,
      response: "ok",
      response_cut: false,
    },
  ],
  request: {
    url: exampleTrigger.url,
    headers: { "content-type": "application/json", "webhook-id": exampleDeliveryId },
    body: JSON.stringify(sampleBody("stage.advanced")),
  },
};

const name = z.string().trim().max(100).describe("What you call it; up to 100 characters.");
const url = z
  .string()
  .trim()
  .max(MOST_URL)
  .describe("Where events are sent: an http or https URL of the public internet.");
const events = z
  .array(z.string().max(100))
  .max(MOST_EVENTS)
  .describe("Names of events, such as `stage.advanced`; GET /v2/workspace/trigger-events lists them.");
const idOfTrigger = Id.describe("The trigger.");
const idOfDelivery = Id.describe("The delivery.");
const trigger404 = { fields: { id: "trigger_not_found" } } as const;
const delivery404 = { fields: { id: "delivery_not_found" } } as const;

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
    "Deliveries follow Standard Webhooks: at least once, in order for each trigger, tried again after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h. A 410 disables the trigger. The secret is shown once. Only events from then on are sent.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers", status: 201 },
  input: z.strictObject({
    url,
    events,
    name: name.optional(),
    filters: Filters.optional(),
  }),
  output: z.strictObject({ ok: z.literal(true), trigger: Trigger, secret: z.string().describe("Shown once.") }),
  errors: ["url_and_events_required", "invalid_url", "unknown_event", "too_many_triggers"],
  codes: { required: "url_and_events_required", requiredFields: ["url", "events"], fields: { url: "invalid_url" } },
  sensitive: true,
  shownOnce: ["secret"],
  tool: {
    name: "set_trigger",
    description:
      "Send events (e.g. stage.advanced, contact.created, activity.email_received, note.saved) to a URL as signed webhooks. Answers the signing secret once.",
    parameters: ["url", "events", "name"],
    openWorld: true,
  },
  example: {
    input: { url: exampleTrigger.url, events: ["stage.advanced"], name: "Slack alerts" },
    output: { ok: true, trigger: exampleTrigger, secret: exampleSecret },
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
  input: z.strictObject({ id: idOfTrigger }),
  output: z.strictObject({ trigger: TriggerSummary }),
  errors: ["trigger_not_found"],
  codes: trigger404,
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
  input: z.strictObject({ id: idOfTrigger }),
  output: z.strictObject({ days: DayCounts }),
  errors: ["trigger_not_found"],
  codes: trigger404,
  example: {
    input: { id: exampleId },
    output: { days: [{ day: "2026-06-03", delivered: 12, failed: 1 }] },
  },
});

export const changeTrigger = defineOperation({
  name: "changeTrigger",
  tag,
  summary: "Change a trigger, or pause it",
  description:
    "Sets the fields given and leaves the others. What already waits goes to the new URL. While it is paused events wait, for 30 days at most; POST …/resume goes on.",
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
  input: z.strictObject({ id: idOfTrigger }),
  output: z.strictObject({}),
  errors: ["trigger_not_found"],
  codes: trigger404,
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
  sensitive: true,
  shownOnce: ["secret"],
  example: {
    input: { id: exampleId },
    output: {
      ok: true,
      trigger: { ...exampleTrigger, secret_overlap_until: "2026-06-04T09:00:00.000Z" },
      secret: exampleSecret,
    },
  },
});

export const testTrigger = defineOperation({
  name: "testTrigger",
  tag,
  summary: "Send a sample event to a trigger's URL now",
  description:
    "Sends once, signed like any delivery, with the sample of the event and `webhook-test: true`, whatever the trigger's status. When the target accepts it, what waits for a retry is tried at once.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/:id/test" },
  input: z.strictObject({
    id: idOfTrigger,
    event: z.string().max(100).optional().describe("Which event; default: the first one of the trigger."),
  }),
  output: z.strictObject({ ok: z.boolean().describe("Whether the target accepted it."), delivery: Delivery }),
  errors: ["trigger_not_found", "unknown_event"],
  codes: trigger404,
  example: { input: { id: exampleId }, output: { ok: true, delivery: { ...exampleDelivery, test: true } } },
});

export const listTriggerDeliveries = defineOperation({
  name: "listTriggerDeliveries",
  tag,
  summary: "List the deliveries of a trigger, newest first",
  description: "Kept for 30 days.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/triggers/:id/deliveries" },
  input: z.strictObject({
    id: idOfTrigger,
    status: DeliveryStatus.optional(),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    deliveries: z.array(DeliverySummary),
    ...cursorPage,
  }),
  errors: ["trigger_not_found"],
  codes: trigger404,
  example: {
    input: { id: exampleId },
    output: { deliveries: [exampleSummary], limit: 50, has_more: false, next_cursor: null },
  },
});

export const getTriggerDelivery = defineOperation({
  name: "getTriggerDelivery",
  tag,
  summary: "Read a delivery with its request and attempts",
  description: "What was sent, and how the target answered each attempt.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/trigger-deliveries/:id" },
  input: z.strictObject({ id: idOfDelivery }),
  output: z.strictObject({ delivery: Delivery }),
  errors: ["delivery_not_found"],
  codes: delivery404,
  example: { input: { id: exampleDeliveryId }, output: { delivery: exampleDelivery } },
});

export const replayTriggerDelivery = defineOperation({
  name: "replayTriggerDelivery",
  tag,
  summary: "Send a delivery again",
  description:
    "It goes out at once with the same `webhook-id` and body, before what waits behind it. One that waits for a retry is tried now.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/deliveries/:id/replay" },
  input: z.strictObject({ id: idOfDelivery }),
  output: z.strictObject({ ok: z.literal(true), delivery: Delivery }),
  errors: ["delivery_not_found"],
  codes: delivery404,
  example: {
    input: { id: exampleDeliveryId },
    output: { ok: true, delivery: { ...exampleDelivery, status: "pending", settled_at: null } },
  },
});

export const skipTriggerDelivery = defineOperation({
  name: "skipTriggerDelivery",
  tag,
  summary: "Take a delivery out of the queue",
  description:
    "For one that the target will never accept: those behind it go on. It stays in the log and can be replayed. One that does not wait is left as it is.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/deliveries/:id/skip" },
  input: z.strictObject({ id: idOfDelivery }),
  output: z.strictObject({ ok: z.literal(true), delivery: Delivery }),
  errors: ["delivery_not_found"],
  codes: delivery404,
  example: {
    input: { id: exampleDeliveryId },
    output: { ok: true, delivery: { ...exampleDelivery, status: "skipped" } },
  },
});

export const replayTriggerDeliveries = defineOperation({
  name: "replayTriggerDeliveries",
  tag,
  summary: "Send deliveries of a trigger again, in their order",
  description: "All that were given up, or everything since a time. At most 10,000 at once; `next_since` continues.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/triggers/:id/replay" },
  input: z.strictObject({
    id: idOfTrigger,
    which: z
      .enum(["failed", "all"])
      .default("failed")
      .describe("`failed`: given up or skipped. `all`: delivered ones too."),
    since: Time.optional().describe("Only what was created from then on. Required for `all`."),
  }),
  output: z.strictObject({
    ok: z.literal(true),
    replayed: z.int(),
    next_since: Timestamp.nullable().describe("When there are more: call it again with this as `since`."),
  }),
  errors: ["trigger_not_found", "since_required"],
  codes: trigger404,
  example: { input: { id: exampleId }, output: { ok: true, replayed: 3, next_since: null } },
});

export const TriggerEvent = z
  .strictObject({
    type: z.string(),
    label: z.string(),
    group: z.enum(eventGroups),
    description: z.string(),
    alias_of: z.string().nullable().describe("The event that this is another name of."),
    sample: z.record(z.string(), z.json()).describe("A request's body."),
    schema: z.record(z.string(), z.json()).describe("JSON Schema of the body."),
  })
  .meta({ id: "TriggerEvent", description: "An event that triggers can be made for." });
export type TriggerEvent = z.output<typeof TriggerEvent>;

export const listTriggerEvents = defineOperation({
  name: "listTriggerEvents",
  tag,
  summary: "List the events that triggers can be made for, with a sample of each",
  description: "Names, aliases, what each is about, a sample of a request's body, and the JSON Schema of it.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/trigger-events" },
  input: z.strictObject({}),
  output: z.strictObject({ events: z.array(TriggerEvent) }),
  example: {
    input: {},
    output: {
      events: [
        {
          type: "stage.advanced",
          label: "Stage advanced",
          group: "Pipeline",
          description: "A person moved up the pipeline.",
          alias_of: null,
          sample: sampleBody("stage.advanced") as never,
          schema: { type: "object" },
        },
      ],
    },
  },
});
