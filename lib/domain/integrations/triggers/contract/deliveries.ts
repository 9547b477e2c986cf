import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";
import {
  Delivery,
  DeliveryStatus,
  DeliverySummary,
  exampleDelivery,
  exampleDeliveryId,
  exampleSummary,
} from "./delivery.ts";
import { exampleId, idOfTrigger, tag, trigger404 } from "./trigger.ts";

const ofDelivery = <O extends z.ZodType>(output: O) =>
  ofOne({ id: Id.describe("The delivery."), output, missing: "delivery_not_found" });
const changedDelivery = z.strictObject({ ok: z.literal(true), delivery: Delivery });

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
  ...ofDelivery(z.strictObject({ delivery: Delivery })),
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
  ...ofDelivery(changedDelivery),
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
  ...ofDelivery(changedDelivery),
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
