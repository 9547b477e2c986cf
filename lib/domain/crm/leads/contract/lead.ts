import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { FieldValue, LeadStatus, ReplyOutcome } from "./fields.ts";
import { exampleList } from "./list.ts";

export const Lead = z
  .strictObject({
    id: Id,
    lead_list_id: Id,
    entity_id: Id.describe("The lead's person; accepted wherever a focus is taken."),
    email: z.string().nullable(),
    name: z.string().nullable(),
    company: z.string().nullable(),
    linkedin_url: z.string().nullable(),
    status: LeadStatus,
    sent_at: Timestamp.nullable().describe("The latest send; null: never sent."),
    replied_at: Timestamp.nullable().describe("The first reply; null: still waiting."),
    reply_outcome: ReplyOutcome.nullable(),
    scorecard_score: z
      .number()
      .nullable()
      .describe("0 to 1: as given, else the person's ICP score / 100; null: there is neither."),
    fields: z.record(z.string(), FieldValue).describe("Whatever else is known of the lead, by name."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Lead", description: "One row of one lead list." });
export type Lead = z.output<typeof Lead>;

export const exampleLead: Lead = {
  id: "0190a6e0-0000-7000-8000-000000000052",
  lead_list_id: exampleList.id,
  entity_id: "0190a6e0-0000-7000-8000-000000000010",
  email: "anna@acme.com",
  name: "Anna Smith",
  company: "Acme",
  linkedin_url: "https://www.linkedin.com/in/anna-smith",
  status: "replied",
  sent_at: "2026-06-03T09:00:00.000Z",
  replied_at: "2026-06-04T10:30:00.000Z",
  reply_outcome: "interested",
  scorecard_score: 0.82,
  fields: { title: "CFO", industry: "Payments" },
  created_at: "2026-06-01T09:05:00.000Z",
  updated_at: "2026-06-04T10:30:00.120Z",
};

export const ofLead = { codes: { fields: { id: "lead_not_found" } }, errors: ["lead_not_found"] } as const;
