import { z } from "zod";
import { defineOperation, LARGE_BODY_LIMIT } from "#lib/core/operation.ts";
import { describedAs, Id, Time } from "#lib/core/schema.ts";
import { count, fields, Into, LeadStatus, Own, ReplyOutcome, shared } from "./fields.ts";
import { exampleLead, Lead, ofLead } from "./lead.ts";
import { exampleList } from "./list.ts";
import { Score } from "./read.ts";

/** The identifiers are checked one by one, with errors of their own. */
const leadInput = {
  email: z.string().max(300).optional().describe("The person's e-mail address."),
  linkedin_url: z.string().max(300).optional().describe("The person's LinkedIn profile."),
  entity_id: Id.optional().describe("The person, if known already; instead of identifiers."),
  name: z.string().trim().max(400).optional().describe("Full name; default: the person's."),
  company: z.string().trim().max(300).optional().describe("Company name; default: the person's."),
  fields,
  scorecard_score: Score.nullable().optional().describe("0 to 1; null or left out: follows the person's ICP score."),
};

export const LeadInput = z
  .strictObject(leadInput)
  .meta({ id: "LeadInput", description: "A lead to add: a person by `email`, `linkedin_url` or `entity_id`." });
export type LeadInput = z.output<typeof LeadInput>;

const identifierErrors = [
  "identifier_required",
  "identifier_conflict",
  "invalid_email",
  "invalid_linkedin_url",
] as const;

export const createLead = defineOperation({
  ...shared,
  name: "createLead",
  summary: "Add a person to a lead list",
  description:
    "Finds the person by any identifier, or makes them known with the list's source. What is known of a person is not changed by it. A person is in a list once.",
  scope: "write",
  http: { method: "POST", path: "/v2/leads", status: 201 },
  input: z.strictObject({ list_id: Into, ...leadInput }),
  output: z.strictObject({ lead: Lead }),
  errors: ["lead_list_not_found", "lead_exists", "entity_not_found", ...identifierErrors],
  example: {
    input: { list_id: exampleList.id, email: "anna@acme.com", name: "Anna Smith", fields: { title: "CFO" } },
    output: {
      lead: { ...exampleLead, status: "pending", sent_at: null, replied_at: null, reply_outcome: null },
    },
  },
});

export const MOST_LEADS = 1000;

export const createLeads = defineOperation({
  ...shared,
  name: "createLeads",
  summary: "Add up to 1,000 people to a lead list",
  description:
    "As POST /v2/leads for each row. A row that is refused says why and does not stop the others; a person who is in the list already is skipped.",
  scope: "write",
  http: { method: "POST", path: "/v2/leads/bulk", body: { limit: LARGE_BODY_LIMIT } },
  input: z.strictObject({
    list_id: Into,
    leads: z
      .array(describedAs(LeadInput))
      .min(1)
      .max(MOST_LEADS)
      .describe(`1 to ${MOST_LEADS} rows, each as the body of \`POST /v2/leads\` without \`list_id\`.`),
  }),
  output: z.strictObject({
    results: z
      .array(
        z
          .strictObject({
            index: z.int(),
            status: z.enum(["inserted", "duplicate_skipped", "skipped"]),
            lead_id: Id.nullable().describe("The new lead, or the one that was there."),
            entity_id: Id.nullable(),
            error: z.string().optional(),
            message: z.string().optional(),
          })
          .meta({
            id: "LeadRow",
            description: "What happened with one row; `error` and `message` when it was refused.",
          }),
      )
      .describe("One per row, in the order given."),
    inserted: count.describe("New leads."),
    skipped: count.describe("Rows that were refused."),
    duplicate_skipped: count.describe("Rows of people who were in the list already, or earlier in the request."),
  }),
  errors: ["lead_list_not_found"],
  example: {
    input: { list_id: exampleList.id, leads: [{ email: "anna@acme.com" }, { name: "Bob" }] },
    output: {
      results: [
        { index: 0, status: "inserted", lead_id: exampleLead.id, entity_id: exampleLead.entity_id },
        {
          index: 1,
          status: "skipped",
          lead_id: null,
          entity_id: null,
          error: "identifier_required",
          message: "Give at least one identifier: email or linkedin_url.",
        },
      ],
      inserted: 1,
      skipped: 1,
      duplicate_skipped: 0,
    },
  },
});

const change = {
  status: LeadStatus.optional().describe(
    "`replied` without `replied_at` sets it to now; any other status clears it. `sent` without `sent_at` sets that to now, and `pending` clears it.",
  ),
  reply_outcome: ReplyOutcome.nullable().optional().describe("What the reply says; null: nothing yet."),
};

export const changeLead = defineOperation({
  ...shared,
  name: "changeLead",
  summary: "Change a lead",
  description:
    "Fields not given stay. A later signal moves the lead from where it was put, except that a reply is never taken back.",
  scope: "write",
  http: { method: "PATCH", path: "/v2/leads/:id" },
  input: z.strictObject({
    id: Own,
    ...change,
    sent_at: Time.nullable().optional().describe("The latest send. Without `status`, it makes a pending lead `sent`."),
    replied_at: Time.nullable().optional().describe("The first reply. Without `status`, it makes the lead `replied`."),
    scorecard_score: Score.nullable().optional().describe("0 to 1; null: follows the person's ICP score."),
    fields: fields.describe("Values to set by name; null removes one, and those left out stay."),
  }),
  output: z.strictObject({ lead: Lead }),
  errors: ["lead_not_found"],
  codes: { fields: { id: "lead_not_found" } },
  example: {
    input: { id: exampleLead.id, status: "replied", reply_outcome: "interested" },
    output: { lead: exampleLead },
  },
});

const LeadIds = z.array(Id).min(1).max(MOST_LEADS).describe(`1 to ${MOST_LEADS} ids of leads.`);
const NotFound = z.array(Id).describe("Ids that no lead of this workspace has.");

export const changeLeads = defineOperation({
  ...shared,
  name: "changeLeads",
  summary: "Change the status or outcome of up to 1,000 leads",
  description: "As PATCH /v2/leads/:id for each.",
  scope: "write",
  http: { method: "POST", path: "/v2/leads/bulk-update" },
  input: z.strictObject({ lead_ids: LeadIds, ...change }),
  output: z.strictObject({ changed: count, not_found: NotFound }),
  example: {
    input: { lead_ids: [exampleLead.id], status: "sent" },
    output: { changed: 1, not_found: [] },
  },
});

export const deleteLead = defineOperation({
  ...shared,
  ...ofLead,
  name: "deleteLead",
  summary: "Remove a lead from its list",
  description: "The person stays, with everything that is known about them.",
  scope: "write",
  http: { method: "DELETE", path: "/v2/leads/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead: Lead }),
  example: { input: { id: exampleLead.id }, output: { lead: exampleLead } },
});

export const deleteLeads = defineOperation({
  ...shared,
  name: "deleteLeads",
  summary: "Remove up to 1,000 leads from their lists",
  description: "As DELETE /v2/leads/:id for each.",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/leads/bulk-delete" },
  input: z.strictObject({ lead_ids: LeadIds }),
  output: z.strictObject({ removed: count, not_found: NotFound }),
  example: { input: { lead_ids: [exampleLead.id] }, output: { removed: 1, not_found: [] } },
});
