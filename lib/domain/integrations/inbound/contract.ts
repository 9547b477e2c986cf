import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { deliveringNames } from "#lib/providers/registry.ts";
import { DayCounts } from "#lib/text/day-counts.ts";

/** Providers that deliver to us. */
export const inboundProviders = deliveringNames;

export const InboundProvider = z.enum(inboundProviders);
export type InboundProvider = z.output<typeof InboundProvider>;

export const Status = z
  .enum(["pending", "processed", "skipped", "failed"])
  .describe(
    "`pending`: kept, and waits for its next attempt. `processed`: what it says is recorded. `skipped`: nothing to record. `failed`: given up after the last attempt; replay it.",
  );
export type Status = z.output<typeof Status>;

export const Attempt = z
  .strictObject({
    at: Timestamp,
    by: z.enum(["delivery", "retry", "replay"]).describe("The provider's own request, our retry, or someone's replay."),
    status: Status.describe("How it ended."),
    message: z.string().nullable(),
  })
  .meta({ id: "DeliveryAttempt", description: "One attempt to process a delivery." });
export type Attempt = z.output<typeof Attempt>;

const Answer = z
  .record(z.string(), z.json())
  .describe("What the provider is answered, however often it delivers: `ok`, and `logged`, `skipped` or `queued`.");

export const DeliverySummary = z
  .strictObject({
    id: Id,
    provider: InboundProvider,
    event: z.string().nullable().describe("What the provider calls the event; null when it has only one kind."),
    title: z.string().nullable().describe("The meeting it is about."),
    sample: z.boolean().describe("Whether it is a signed test of our own, not the provider's."),
    status: Status,
    answer: Answer,
    message: z.string().nullable().describe("Why nothing was recorded, or what went wrong."),
    contacts: z.int().describe("How many people have it on their timeline; the delivery itself names them."),
    attempts: z.int(),
    received_at: Timestamp,
  })
  .meta({ id: "DeliverySummary", description: "What a provider delivered." });
export type DeliverySummary = z.output<typeof DeliverySummary>;

export const Delivery = z
  .strictObject({
    ...DeliverySummary.shape,
    attempts: z.array(Attempt).describe("The latest 20, oldest first."),
    contact_ids: z.array(Id).describe("People on whose timeline it is."),
    headers: z.record(z.string(), z.string()).describe("As they came, without the signature."),
    payload: z.string().describe("The body as it came."),
  })
  .meta({ id: "Delivery", description: "What a provider delivered, with its payload and attempts." });
export type Delivery = z.output<typeof Delivery>;

export const Refusal = z
  .strictObject({
    provider: InboundProvider,
    code: z.string().describe("The error code the sender was answered, such as `invalid_signature`."),
    reason: z.string().describe("The code in words."),
    advice: z.string().describe("What to do, if the provider sent them."),
    count: z.int(),
    standing: z.int().describe("How many of them since the last verified delivery; 0 when deliveries come in again."),
    first_at: Timestamp,
    last_at: Timestamp,
  })
  .describe("Requests that were turned away for one reason. Nothing of what they said is kept.");
export type Refusal = z.output<typeof Refusal>;

export const MOST_RETENTION_DAYS = 365;

export const Retention = z
  .strictObject({
    days: z.int().describe("Days that deliveries, their payloads and the counts of refusals are kept."),
    default_days: z.int().describe("The server's INBOUND_RETENTION_DAYS, for workspaces that set none."),
    is_default: z.boolean().describe("Whether the workspace follows the server."),
  })
  .describe("How long the log is kept. What still waits to be processed stays longer.");
export type Retention = z.output<typeof Retention>;

const exampleId = "0190a6e0-0000-7000-8000-000000000040";
const exampleSummary: z.input<typeof DeliverySummary> = {
  id: exampleId,
  provider: "fathom",
  event: null,
  title: "Discovery call",
  sample: false,
  status: "processed",
  answer: { ok: true, logged: 1 },
  message: null,
  contacts: 1,
  attempts: 1,
  received_at: "2026-06-03T15:00:00.000Z",
};
const exampleDelivery: z.input<typeof Delivery> = {
  ...exampleSummary,
  contact_ids: ["0190a6e0-0000-7000-8000-000000000020"],
  attempts: [{ at: "2026-06-03T15:00:00.000Z", by: "delivery", status: "processed", message: null }],
  headers: { "content-type": "application/json", "webhook-id": "msg_2x2zwLOcWaRTzsLK8KtbQt1FTk9" },
  payload: '{"recording_id":123456789,"title":"Discovery call"}',
};

export const listInboundDeliveries = defineOperation({
  name: "listInboundDeliveries",
  tag: "Integrations",
  summary: "List what providers delivered, newest first",
  description:
    "Every delivery with a valid signature and its result, and how many requests were refused. `retention` says how long both are kept; `PATCH /v2/workspace/inbound-retention` changes it.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/inbound-deliveries" },
  input: z.strictObject({
    provider: InboundProvider.optional().describe("Only deliveries of this provider."),
    status: Status.optional(),
    without_contact: z.boolean().default(false).describe("True: only those that found no contact."),
    ...cursorPaging(50, 200),
  }),
  output: z.strictObject({
    deliveries: z.array(DeliverySummary),
    refusals: z.array(Refusal).describe("Of all providers, the latest first; the same on every page."),
    retention: Retention,
    ...cursorPage,
  }),
  example: {
    input: { provider: "fathom" },
    output: {
      deliveries: [exampleSummary],
      refusals: [
        {
          provider: "fathom",
          code: "invalid_signature",
          reason: "the signature does not match",
          advice: "Compare the signing secret here with the one Fathom shows for the webhook.",
          count: 3,
          standing: 3,
          first_at: "2026-06-03T14:00:00.000Z",
          last_at: "2026-06-03T14:05:00.000Z",
        },
      ],
      retention: { days: 30, default_days: 30, is_default: true },
      limit: 50,
      has_more: false,
      next_cursor: null,
    },
  },
});

/** Deliveries that are counted: the latest. */
export const MOST_COUNTED = 10_000;

export const getInboundDays = defineOperation({
  name: "getInboundDays",
  tag: "Integrations",
  summary: "How many deliveries came on each of the last 30 days, and how many of them failed",
  description: "Days are in UTC. The latest 10,000 are counted: `since` says from when on the counts are whole.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/inbound-days" },
  input: z.strictObject({ provider: InboundProvider.optional().describe("Only deliveries of this provider.") }),
  output: z.strictObject({
    days: DayCounts,
    since: Timestamp.nullable().describe("Null when all are counted."),
  }),
  example: {
    input: { provider: "fathom" },
  },
});

export const setInboundRetention = defineOperation({
  name: "setInboundRetention",
  tag: "Integrations",
  summary: "Set how many days deliveries and their payloads are kept",
  description:
    "From 1 to 365 days, or null for as long as the server keeps them (INBOUND_RETENTION_DAYS). What is older goes within the hour, for good; what still waits to be processed stays. What deliveries brought in is not affected.",
  surface: "public",
  scope: "admin",
  http: { method: "PATCH", path: "/v2/workspace/inbound-retention" },
  input: z.strictObject({
    days: z.int().min(1).max(MOST_RETENTION_DAYS).nullable().describe("Days, or null for the server's own number."),
  }),
  output: z.strictObject({ retention: Retention }),
  example: {
    input: { days: 7 },
    output: { retention: { days: 7, default_days: 30, is_default: false } },
  },
});

const ofDelivery = ofOne({
  id: Id.describe("The delivery."),
  output: z.strictObject({ delivery: Delivery }),
  missing: "delivery_not_found",
});

export const getInboundDelivery = defineOperation({
  name: "getInboundDelivery",
  tag: "Integrations",
  summary: "Read a delivery with its payload and attempts",
  description:
    "What came, as it came, without the signature; what each attempt to process it ended in; and on whose timeline it is.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/inbound-deliveries/:id" },
  ...ofDelivery,
  example: { input: { id: exampleId }, output: { delivery: exampleDelivery } },
});

export const replayInboundDelivery = defineOperation({
  name: "replayInboundDelivery",
  tag: "Integrations",
  summary: "Process a delivery again",
  description:
    "Does with the stored payload what its arrival did: useful after a failure, or when a person became a contact since. What is recorded already is not recorded again.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/inbound-deliveries/:id/replay" },
  ...ofDelivery,
  example: { input: { id: exampleId }, output: { delivery: exampleDelivery } },
});

export const sendTestDelivery = defineOperation({
  name: "sendTestDelivery",
  tag: "Integrations",
  summary: "Deliver a signed sample to this workspace",
  description:
    "Signs a sample of the provider with the workspace's own secret and sends it over HTTP to the address that the provider delivers to, so that it takes the whole way in. It is marked as a test, has no real contact, and the webhook's indicator waits for the provider's own first delivery.",
  surface: "public",
  scope: "admin",
  http: { method: "POST", path: "/v2/workspace/integrations/:provider/test" },
  input: z.strictObject({ provider: z.string().describe(`One of ${inboundProviders.join(", ")}.`) }),
  output: z.strictObject({
    ok: z.literal(true),
    url: z.string().describe("The address it was sent to."),
    delivery: Delivery,
  }),
  errors: ["unknown_provider", "signing_secret_not_configured", "test_not_received"],
  example: {
    input: { provider: "fathom" },
    output: {
      ok: true,
      url: "https://rapport.example.com/inbound/fathom/0190a6e0-0000-7000-8000-000000000001",
      delivery: exampleDelivery,
    },
  },
});
