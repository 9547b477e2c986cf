import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { describedAs, Id, Time, Timestamp } from "#lib/core/schema.ts";
import { Stage } from "#lib/domain/crm/people/contract.ts";
import { activityTypes } from "#lib/domain/records/evidence/contract.ts";

const MAX_METADATA_BYTES = 32 * 1024;

const captureFields = {
  email: z.string().max(320).optional().describe("Who it happened with. An unknown address becomes a contact."),
  contact_id: Id.optional().describe("The same by id; rules when both are given, and the address is then attached."),
  type: z.enum(activityTypes).describe("What happened."),
  source: z
    .string()
    .trim()
    .min(1)
    .max(128)
    .optional()
    .describe("Where the signal comes from; default `api` (`mcp` over MCP, `manual` in the app)."),
  description: z.string().trim().max(2_000).optional().describe("Label on the timeline."),
  external_id: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      "Your id of this signal. The same contact, source and external_id is one activity: repeat a request as often as you like.",
    ),
  occurred_at: Time.optional().describe("When it happened; default now. A meeting may be in the future."),
  metadata: z
    .record(z.string(), z.unknown())
    .refine((metadata) => new TextEncoder().encode(JSON.stringify(metadata)).length <= MAX_METADATA_BYTES, {
      error: "must be at most 32 KiB of JSON",
    })
    .optional()
    .describe("Anything else, at most 32 KiB. `metadata.event` names what a `custom` activity is."),
};

const captured = {
  activity_id: Id,
  contact_id: Id,
  stage_before: Stage,
  stage_after: Stage.describe("Higher than stage_before when the signal advanced the contact."),
  deduplicated: z.boolean().describe("It was known already; everything else is as in the first answer."),
  created_contact: z.boolean(),
};

const captureErrors = [
  "contact_id_or_email_required",
  "type_required",
  "invalid_type",
  "invalid_email",
  "invalid_contact_id",
  "invalid_occurred_at",
  "invalid_metadata",
  "contact_not_found",
  "identifier_conflict",
] as const;

export const capture = defineOperation({
  name: "capture",
  tag: "Activities",
  summary: "Log a signal on a contact's timeline",
  description:
    "Records what happened, moves the contact's stage forward by the workspace's rules, and creates the contact when the e-mail address is new, all in one transaction before the answer. What happened more than 90 days ago moves nothing unless the rules say otherwise. Archived contacts stay archived.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/api/v1/capture" },
  input: z.strictObject(captureFields).meta({ id: "Signal", description: "Something that happened with a contact." }),
  output: z.strictObject({ ok: z.literal(true), ...captured }),
  errors: captureErrors,
  codes: {
    missing: { "email|contact_id": "contact_id_or_email_required", type: "type_required" },
    fields: {
      type: "invalid_type",
      email: "invalid_email",
      contact_id: "invalid_contact_id",
      occurred_at: "invalid_occurred_at",
      metadata: "invalid_metadata",
    },
  },
  example: {
    input: {
      email: "anna@acme.com",
      type: "email_received",
      source: "gmail",
      description: "Re: pilot",
      external_id: "msg-18c2",
      occurred_at: "2026-06-03T09:00:00Z",
    },
    output: {
      ok: true,
      activity_id: "0190a6e0-0000-7000-8000-00000000000b",
      contact_id: "0190a6e0-0000-7000-8000-000000000010",
      stage_before: "aware",
      stage_after: "interested",
      deduplicated: false,
      created_contact: false,
    },
  },
});

export const MOST_CAPTURED = 1_000;

export const captureBatch = defineOperation({
  name: "captureBatch",
  tag: "Activities",
  summary: "Log up to 1,000 signals at once",
  description:
    'The body is a JSON array of what `POST /api/v1/capture` takes, the same one object a line (`application/x-ndjson`), or `{"activities": […]}`. Signals are entered in the order given. Each is answered for itself, in the same order; those that are refused leave the others as they are.',
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/api/v1/capture/batch", body: { limit: LARGE_BODY_LIMIT, lines: "activities" } },
  input: z.strictObject({
    activities: z.array(describedAs("Signal")).min(1).max(MOST_CAPTURED).describe("1 to 1,000 signals."),
  }),
  output: z.strictObject({
    ok: z.boolean().describe("True when none was refused."),
    results: z.array(
      z.union([
        z.strictObject({ index: z.int(), ok: z.literal(true), ...captured }).meta({ id: "CapturedSignal" }),
        z
          .strictObject({ index: z.int(), ok: z.literal(false), error: z.string(), message: z.string() })
          .catchall(z.unknown())
          .meta({ id: "RefusedSignal", description: "A code of POST /api/v1/capture, with its extras." }),
      ]),
    ),
    captured: z.int().describe("How many were new."),
    deduplicated: z.int(),
    failed: z.int(),
  }),
  example: {
    input: { activities: [{ email: "anna@acme.com", type: "website_visit", source: "site" }] },
    output: {
      ok: true,
      results: [
        {
          index: 0,
          ok: true,
          activity_id: "0190a6e0-0000-7000-8000-00000000000b",
          contact_id: "0190a6e0-0000-7000-8000-000000000010",
          stage_before: "identified",
          stage_after: "aware",
          deduplicated: false,
          created_contact: false,
        },
      ],
      captured: 1,
      deduplicated: 0,
      failed: 0,
    },
  },
});

const activityId = Id.describe("Of an activity, as the timeline has it.");
const exampleActivity = "0190a6e0-0000-7000-8000-00000000000b";
const exampleContact = "0190a6e0-0000-7000-8000-000000000010";

export const correctActivity = defineOperation({
  name: "correctActivity",
  tag: "Activities",
  summary: "Correct an activity's description or time",
  description:
    "Keeps a correction beside the activity as it was first recorded, and shows it in its place everywhere: timeline, last activity, context, queries. What was recorded before is not changed, so `known_at` still shows what was known then. The correction has an id of its own; the stage stays as it is.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "PATCH", path: "/v2/activities/:id" },
  input: z.strictObject({
    id: activityId,
    description: z.string().trim().min(1).max(2_000).nullable().optional().describe("The label; null takes it away."),
    occurred_at: Time.optional().describe("When it happened."),
  }),
  output: z.strictObject({
    activity_id: Id.describe("Of the correction; of the activity itself when nothing changed."),
    replaces: Id.nullable().describe("The id you gave; null when nothing changed."),
    contact_id: Id,
    type: z.string(),
    description: z.string().nullable(),
    occurred_at: Timestamp,
  }),
  errors: ["activity_not_found", "activity_superseded", "activity_removed"],
  codes: { fields: { id: "activity_not_found" } },
  example: {
    input: { id: exampleActivity, description: "Meeting: Pilot review with Ben" },
    output: {
      activity_id: "0190a6e0-0000-7000-8000-00000000000d",
      replaces: exampleActivity,
      contact_id: exampleContact,
      type: "meeting_held",
      description: "Meeting: Pilot review with Ben",
      occurred_at: "2026-06-03T09:00:00.000Z",
    },
  },
});

const amended = {
  activity_id: Id,
  contact_id: Id,
  removed: z.boolean().describe("True while the activity is removed."),
  stage_before: Stage.optional().describe("Only when the stage changed with it."),
  stage_after: Stage.optional(),
};

const ofActivity = ofOne({
  id: activityId,
  output: z.strictObject(amended),
  missing: "activity_not_found",
  also: ["activity_superseded"],
});

export const removeActivity = defineOperation({
  name: "removeActivity",
  tag: "Activities",
  summary: "Remove an activity that did not happen",
  description:
    "The activity is no longer shown or counted, and a stage that it alone led to is taken back. The evidence keeps it, with who removed it; a report repeated with its external_id does not bring it back. `POST /v2/activities/{id}/restore` does. Removing it again changes nothing.",
  surface: "public",
  scope: "write",
  http: { method: "DELETE", path: "/v2/activities/:id" },
  ...ofActivity,
  example: {
    input: { id: exampleActivity },
    output: {
      activity_id: exampleActivity,
      contact_id: exampleContact,
      removed: true,
      stage_before: "evaluating",
      stage_after: "interested",
    },
  },
});

export const restoreActivity = defineOperation({
  name: "restoreActivity",
  tag: "Activities",
  summary: "Bring back an activity that was removed",
  description:
    "The activity is shown and counted again, and the stage that its removal took back is given back, unless it was changed since. One that is not removed stays as it is.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/activities/:id/restore" },
  ...ofActivity,
  example: {
    input: { id: exampleActivity },
    output: { activity_id: exampleActivity, contact_id: exampleContact, removed: false },
  },
});
