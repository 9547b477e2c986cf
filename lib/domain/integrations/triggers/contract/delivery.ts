import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { sampleBody } from "../events.ts";
import { exampleId, exampleTrigger } from "./trigger.ts";

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
export const exampleDeliveryId = "0190a6e0-0000-7000-8000-000000000060";

export const exampleSummary: z.input<typeof DeliverySummary> = {
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

export const exampleDelivery: z.input<typeof Delivery> = {
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
