import { z } from "zod";
import { anyOf, anyOrNone } from "#lib/core/any-of.ts";
import { defineOperation, LARGE_BODY_LIMIT, nonBlank } from "#lib/core/operation.ts";
import { counted, counting, offsetPage, offsetPaging } from "#lib/core/page-input.ts";
import { Days, describedAs, Id, Time, Timestamp } from "#lib/core/schema.ts";
import { leadStatuses, replyOutcomes } from "./rules/states.ts";

const tag = "Leads";
/** The id of what is in the path. */
const Own = Id.describe("Its id.");
const Into = Id.describe("The lead list.");
const shared = { tag, surface: "public", feature: "lead_lists" } as const;

export const LeadStatus = z.enum(leadStatuses).meta({ id: "LeadStatus", description: "How far a lead is." });
export type LeadStatus = z.output<typeof LeadStatus>;
export const ReplyOutcome = z.enum(replyOutcomes).meta({ id: "ReplyOutcome", description: "What a reply says." });
export type ReplyOutcome = z.output<typeof ReplyOutcome>;

const count = z.int();

export const LeadList = z
  .strictObject({
    id: Id,
    name: z.string(),
    source: z.string().describe("Where its leads come from; the source of the people it creates."),
    columns: z.array(z.string()).describe("Names of the fields of its leads, in the order in which they are shown."),
    lead_count: count,
    by_status: z.strictObject({ pending: count, sent: count, replied: count, bounced: count }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "LeadList", description: "A list of people to write to." });
export type LeadList = z.output<typeof LeadList>;

const FieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

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

const exampleList: LeadList = {
  id: "0190a6e0-0000-7000-8000-000000000051",
  name: "Fintech CFOs, DACH",
  source: "apollo",
  columns: ["title", "industry"],
  lead_count: 1,
  by_status: { pending: 0, sent: 0, replied: 1, bounced: 0 },
  created_at: "2026-06-01T09:00:00.000Z",
  updated_at: "2026-06-01T09:00:00.000Z",
};

const exampleLead: Lead = {
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

export const MOST_FIELDS = 100;
const FieldName = z
  .string()
  .max(100)
  .refine((name) => name.trim() !== "", { error: "must not be blank" });
const columns = z
  .array(FieldName)
  .max(MOST_FIELDS)
  .refine((names) => new Set(names).size === names.length, { error: "must not hold a name twice" })
  .describe(`Names of fields, in the order in which they are shown; up to ${MOST_FIELDS}.`);
const listName = nonBlank().trim().max(200).describe("1 to 200 characters.");
const source = z.string().trim().min(1).max(128);

const ofList = { codes: { fields: { id: "lead_list_not_found" } }, errors: ["lead_list_not_found"] } as const;

export const listLeadLists = defineOperation({
  ...shared,
  name: "listLeadLists",
  summary: "List the lead lists, newest first",
  description: "Each with the number of its leads, by status. The id breaks ties.",
  scope: "read",
  http: { method: "GET", path: "/v2/lead-lists" },
  input: z.strictObject(offsetPaging),
  output: z.strictObject({ lead_lists: z.array(LeadList), ...offsetPage }),
  example: {
    input: { limit: 100 },
    output: { lead_lists: [exampleList], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

export const createLeadList = defineOperation({
  ...shared,
  name: "createLeadList",
  summary: "Create a lead list",
  description: "It is empty at first: add people with POST /v2/leads or POST /v2/leads/bulk.",
  scope: "write",
  http: { method: "POST", path: "/v2/lead-lists", status: 201 },
  input: z.strictObject({
    name: listName,
    source: source.optional().describe("Where its leads come from; default: the caller, as `api` or `manual`."),
    columns: columns.optional(),
  }),
  output: z.strictObject({ lead_list: LeadList }),
  errors: ["name_required"],
  codes: { required: "name_required", requiredFields: ["name"] },
  example: {
    input: { name: exampleList.name, source: "apollo", columns: ["title", "industry"] },
    output: { lead_list: { ...exampleList, lead_count: 0, by_status: { ...exampleList.by_status, replied: 0 } } },
  },
});

export const getLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "getLeadList",
  summary: "Get a lead list",
  description: "With the number of its leads, by status.",
  scope: "read",
  http: { method: "GET", path: "/v2/lead-lists/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id }, output: { lead_list: exampleList } },
});

export const changeLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "changeLeadList",
  summary: "Rename a lead list, or change its columns or source",
  description: "Fields not given stay. Fields that leads bring are added to `columns` by themselves.",
  scope: "write",
  http: { method: "PATCH", path: "/v2/lead-lists/:id" },
  input: z.strictObject({
    id: Own,
    name: listName.optional(),
    source: source.optional().describe("Where its leads come from."),
    columns: columns.optional(),
  }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id, name: exampleList.name }, output: { lead_list: exampleList } },
});

export const deleteLeadList = defineOperation({
  ...shared,
  ...ofList,
  name: "deleteLeadList",
  summary: "Delete a lead list and its leads",
  description: "Its people stay, with everything that is known about them. It cannot be undone.",
  scope: "write",
  http: { method: "DELETE", path: "/v2/lead-lists/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead_list: LeadList }),
  example: { input: { id: exampleList.id }, output: { lead_list: exampleList } },
});

export const leadSorts = ["created_desc", "created_asc", "score_desc"] as const;

const Score = z.number().min(0).max(1);

export const listLeads = defineOperation({
  ...shared,
  name: "listLeads",
  summary: "List leads",
  description:
    "The leads of all lists, or of one; filtered and paged. `score_desc` puts leads without a score last; the id breaks ties.",
  scope: "read",
  http: { method: "GET", path: "/v2/leads" },
  input: z.strictObject({
    list_id: Id.optional().describe("Only leads of this list."),
    entity_id: Id.optional().describe("Only leads of this person."),
    status: anyOf(z.enum(leadStatuses), { what: `one of ${leadStatuses.join(", ")}`, allowed: leadStatuses })
      .optional()
      .describe("The status, or several: `pending,sent` is one of these, `not:bounced` any other."),
    reply_outcome: anyOrNone(z.enum(replyOutcomes), {
      what: `one of ${replyOutcomes.join(", ")}`,
      allowed: replyOutcomes,
    })
      .optional()
      .describe(
        "What the reply says: one, several, `not:` none of these, or `exists:false` for leads without an outcome.",
      ),
    has_replied: z.boolean().optional().describe("Only those with `replied_at`, or those still waiting."),
    has_email: z.boolean().optional().describe("Only leads with, or without, an e-mail address."),
    sent_within: Days.optional().describe("Last sent within this time: 2d, 7d."),
    sent_before: Days.optional().describe("Last sent longer ago than this, or never: 2d, 7d."),
    score_gte: Score.optional().describe("Only those with this `scorecard_score` or a higher one; 0 to 1."),
    score_lte: Score.optional().describe("Only those with this `scorecard_score` or a lower one; 0 to 1."),
    sort: z.enum(leadSorts).default("created_desc").describe("What comes first."),
    ...counting,
    ...offsetPaging,
  }),
  output: z.strictObject({ leads: z.array(Lead), ...offsetPage, ...counted }),
  example: {
    input: { status: "replied", limit: 100 },
    output: { leads: [exampleLead], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

const ofLead = { codes: { fields: { id: "lead_not_found" } }, errors: ["lead_not_found"] } as const;

export const getLead = defineOperation({
  ...shared,
  ...ofLead,
  name: "getLead",
  summary: "Get a lead",
  description: "As GET /v2/leads has it.",
  scope: "read",
  http: { method: "GET", path: "/v2/leads/:id" },
  input: z.strictObject({ id: Own }),
  output: z.strictObject({ lead: Lead }),
  example: { input: { id: exampleLead.id }, output: { lead: exampleLead } },
});

const GivenValue = z.union([z.string().max(2000), z.number(), z.boolean(), z.array(z.string().max(500)).max(100)]);
const fields = z
  .record(FieldName, GivenValue.nullable())
  .refine((given) => Object.keys(given).length <= MOST_FIELDS, { error: `must be at most ${MOST_FIELDS} fields` })
  .refine((given) => JSON.stringify(given).length <= 32_768, { error: "must be at most 32,768 characters" })
  .optional()
  .describe(
    `Values by name: texts, numbers, booleans or lists of texts; up to ${MOST_FIELDS}, 32,768 characters as JSON.`,
  );

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
  http: { method: "POST", path: "/v2/leads/bulk", bodyLimit: LARGE_BODY_LIMIT },
  input: z.strictObject({
    list_id: Into,
    leads: z
      .array(describedAs("LeadInput"))
      .min(1)
      .max(MOST_LEADS)
      .describe(`1 to ${MOST_LEADS} rows, each as the body of \`POST /v2/leads\` without \`list_id\`.`),
  }),
  row: LeadInput,
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
  http: { method: "POST", path: "/v2/leads/bulk-delete" },
  input: z.strictObject({ lead_ids: LeadIds }),
  output: z.strictObject({ removed: count, not_found: NotFound }),
  example: { input: { lead_ids: [exampleLead.id] }, output: { removed: 1, not_found: [] } },
});
