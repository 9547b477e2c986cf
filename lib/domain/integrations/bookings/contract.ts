import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";

const tag = "Integrations";
const count = z.int();

export const BackfillState = z
  .enum(["queued", "running", "waiting", "done", "failed", "cancelled"])
  .describe("`waiting`: the provider could not be asked just now; it is tried again. `failed`: it can be resumed.");

export const Backfill = z.strictObject({
  id: Id,
  state: BackfillState,
  everyone: z.boolean().describe("Of everyone with an e-mail address."),
  contacts: count.describe("Addresses to look up."),
  looked_up: count,
  logged: count.describe("Bookings that are now on a timeline."),
  present: count.describe("Bookings that were there already."),
  skipped: count.describe("Bookings that are neither scheduled nor cancelled, moved away, or of someone else."),
  failed: count.describe("Addresses the provider could not be asked about."),
  message: z.string().nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
});
export type Backfill = z.output<typeof Backfill>;

const example: Backfill = {
  id: "0190a6e0-0000-7000-8000-000000000041",
  state: "running",
  everyone: true,
  contacts: 240,
  looked_up: 60,
  logged: 41,
  present: 3,
  skipped: 5,
  failed: 0,
  message: null,
  created_at: "2026-06-03T09:00:00.000Z",
  finished_at: null,
};

export const startBackfill = defineOperation({
  name: "startBackfill",
  tag,
  summary: "Look for past bookings of contacts at the booking provider",
  description:
    "Queued, and paced under the provider's limit (100 contacts a minute). Bookings already on a timeline are not logged again. 409 `backfill_running` while one of everyone is under way.",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/backfills", status: 201 },
  input: z.strictObject({
    contact_ids: z
      .array(Id)
      .min(1)
      .max(10_000)
      .optional()
      .describe("Those with an e-mail address are looked up. Default: everyone who has one."),
  }),
  output: z.strictObject({ backfill: Backfill }),
  errors: ["not_connected", "backfill_running"],
  example: {
    input: {},
  },
});

export const listBackfills = defineOperation({
  name: "listBackfills",
  tag,
  summary: "The latest backfills, newest first",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/backfills" },
  input: z.strictObject({ limit: pageSize(5, 100) }),
  output: z.strictObject({ backfills: z.array(Backfill) }),
  example: { input: {} },
});

export const BackfillContact = z.strictObject({
  contact_id: Id,
  email: z.string(),
  looked_up: z.boolean(),
  logged: count,
  present: count,
  skipped: count,
  problem: z.string().nullable(),
});
export type BackfillContact = z.output<typeof BackfillContact>;

const missing = { errors: ["backfill_not_found"], codes: { fields: { id: "backfill_not_found" } } } as const;

export const listBackfillContacts = defineOperation({
  name: "listBackfillContacts",
  tag,
  summary: "What a backfill found, contact by contact",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/backfills/:id/contacts" },
  input: z.strictObject({
    id: Id,
    limit: pageSize(100, 1000),
    offset: z.int().min(0).max(10_000_000).default(0).describe("Place of the first, in the order they are looked up."),
  }),
  output: z.strictObject({ contacts: z.array(BackfillContact), has_more: z.boolean() }),
  ...missing,
  example: {
    input: { id: example.id },
  },
});

export const cancelBackfill = defineOperation({
  name: "cancelBackfill",
  tag,
  summary: "Stop a backfill; what it logged stays",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/backfills/:id/cancel" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ backfill: Backfill }),
  ...missing,
  example: { input: { id: example.id } },
});

export const resumeBackfill = defineOperation({
  name: "resumeBackfill",
  tag,
  summary: "Go on with a backfill that failed or was stopped",
  surface: "app",
  scope: "write",
  http: { method: "POST", path: "/backfills/:id/resume" },
  input: z.strictObject({ id: Id }),
  output: z.strictObject({ backfill: Backfill }),
  errors: [...missing.errors, "not_connected"],
  codes: missing.codes,
  example: { input: { id: example.id } },
});
