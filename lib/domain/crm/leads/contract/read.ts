import { z } from "zod";
import { anyOf, anyOrNone } from "#lib/core/any-of.ts";
import { defineOperation } from "#lib/core/operation.ts";
import { counted, counting, offsetPage, offsetPaging } from "#lib/core/page-input.ts";
import { Days, Id } from "#lib/core/schema.ts";
import { leadStatuses, replyOutcomes } from "#lib/domain/crm/recording/contract.ts";
import { Own, shared } from "./fields.ts";
import { exampleLead, Lead, ofLead } from "./lead.ts";

export const leadSorts = ["created_desc", "created_asc", "score_desc"] as const;

export const Score = z.number().min(0).max(1);

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
  errors: ["lead_list_not_found"],
  example: {
    input: { status: "replied", limit: 100 },
    output: { leads: [exampleLead], limit: 100, offset: 0, has_more: false, next_cursor: null },
  },
});

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
