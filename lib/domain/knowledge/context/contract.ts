import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, nonBlank, Time, Timestamp } from "#lib/core/schema.ts";
import {
  Ambiguous,
  Confidence,
  Document,
  EpistemicClass,
  Freshness,
  Icp,
} from "#lib/domain/knowledge/contacts/contract.ts";
import { messageTypes } from "#lib/domain/knowledge/messages/words.ts";
import { intents } from "./rules/intents.ts";

export { type Intent, intents } from "./rules/intents.ts";

/** A smaller budget cannot hold an answer. */
export const MIN_BUDGET = 256;
export const MAX_BUDGET = 32_000;

export const Context = z
  .strictObject({
    entity: z.strictObject({ id: Id, type: z.enum(["person", "company", "workspace"]), name: z.string() }),
    intent: z.enum(intents),
    summary: z.string(),
    known_by: z.string().optional().describe("Which members know them, how well and since when; today's."),
    claims: z.array(
      z.strictObject({
        property: z.string().describe("Names and the source are left out, unless someone disputes them."),
        value: z.json().describe("Shortened above 600 characters."),
        name: z.string().optional().describe("Of `works_at`: what the company is called."),
        confidence: Confidence,
        freshness: Freshness,
        epistemic_class: EpistemicClass,
        last_observed_at: Timestamp,
        observation_ids: z
          .array(Id)
          .describe("The evidence: the observation that first said the value, then those that disagree."),
      }),
    ),
    workspace: z
      .array(
        z.strictObject({
          property: z.string().describe("The section."),
          value: z.string().describe("What the fact says."),
          id: Id,
        }),
      )
      .describe("Current facts of the GTM profile: how the workspace sells."),
    conversation: z
      .strictObject({
        when: Timestamp,
        age_days: z.int(),
        type: z.enum(messageTypes),
        from: z.string().describe("Who wrote last."),
        to: z.string().optional(),
        subject: z.string().optional(),
        snippet: z.string().optional(),
        asked: z.array(z.string()).optional().describe("What the last message from them asks."),
        waits_for: z.enum(["us", "them"]).optional(),
        thread_id: Id,
      })
      .optional()
      .describe("The last one by e-mail, as far as the caller may see it; absent for earlier moments."),
    timeline: z
      .array(
        z.strictObject({
          when: Timestamp,
          type: z.string(),
          summary: z.string().optional(),
          tier: z
            .enum(["full", "brief", "count"])
            .describe("`count` says how many events of a type there are in all; `when` is then the latest of them."),
          count: z.int().optional(),
          id: Id.optional().describe("The observation; absent on counts."),
        }),
      )
      .describe("The latest (or furthest in the future) first, counts last."),
    documents: z.array(Document),
    stakeholders: z
      .array(z.strictObject({ entity_id: Id, name: z.string(), role: z.string().nullable() }))
      .describe("A company's people, or a person's colleagues."),
    tasks: z
      .array(
        z.strictObject({
          title: z.string().describe("Shortened above 300 characters."),
          due: z.string().nullable().describe("A day, or a moment in UTC."),
          assignee: z.string().nullable().describe("E-mail address of the member who is to do it."),
          id: Id,
        }),
      )
      .optional()
      .describe("What is to do about it, the next due first; absent when there is nothing, and for earlier moments."),
    icp: Icp.optional(),
    predictions: z.array(z.never()).describe("Always empty."),
    meta: z.strictObject({
      token_estimate: z.int().describe("Tokens of this answer by the o200k encoding."),
      budget_tokens: z.int(),
      claims_total: z.int(),
      claims_returned: z.int(),
      timeline_events: z.int(),
      truncated: z.boolean().describe("True when something was left out for want of room."),
    }),
  })
  .meta({ id: "Context", description: "What an agent needs before it acts, within its budget of tokens." });
export type Context = z.output<typeof Context>;

export const getContext = defineOperation({
  name: "getContext",
  tag: "Context",
  summary: "Everything an agent needs before it acts, within a token budget",
  description:
    "The whole answer, as JSON, is never more than `budget_tokens` by the o200k encoding; each section has its most useful lines for the intent first. Superseded facts never appear, and each line names its evidence.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/context" },
  input: z.strictObject({
    focus: nonBlank().describe("Entity id, e-mail, LinkedIn URL, domain or name."),
    intent: z
      .string()
      .meta({ enum: [...intents] })
      .default("account_review")
      .describe("What you are about to do; it decides what comes first."),
    budget_tokens: z
      .int()
      .min(MIN_BUDGET)
      .overwrite((budget) => Math.min(budget, MAX_BUDGET))
      .optional()
      .describe(
        `From ${MIN_BUDGET}. Values above ${MAX_BUDGET} are lowered to it. Default: draft_email 1200, follow_up 1500, meeting_prep and call_prep 1800, account_review 2000.`,
      ),
    as_of: Time.optional().describe("What was true at this time."),
    known_at: Time.optional().describe("What we knew at this time."),
  }),
  output: z.union([Context, Ambiguous]),
  errors: ["focus_required", "invalid_intent", "entity_not_found"],
  codes: { missing: { focus: "focus_required" } },
  // A kept answer may hold what a member shares with no one.
  secrets: { output: ["conversation"] },
  tool: {
    name: "get_context",
    description:
      "Call this before you write to, call or meet a person or company. Gives what is known, your own GTM profile, the latest activity, mail, documents and colleagues, within a token budget.",
    parameters: ["focus", "intent", "budget_tokens"],
  },
  example: {
    input: { focus: "anna@acme.com", intent: "draft_email" },
    output: {
      entity: { id: "0190a6e0-0000-7000-8000-000000000001", type: "person", name: "Anna Smith" },
      intent: "draft_email",
      summary: "Anna Smith, VP Sales at Acme, stage interested. No activity yet.",
      claims: [
        {
          property: "job_title",
          value: "VP Sales",
          confidence: 0.8,
          freshness: "fresh",
          epistemic_class: "observed",
          last_observed_at: "2026-06-03T09:00:00.000Z",
          observation_ids: ["0190a6e0-0000-7000-8000-00000000000b"],
        },
      ],
      workspace: [
        {
          property: "ICP",
          value: "Series A fintechs in the EU, 20 to 200 people.",
          id: "0190a6e0-0000-7000-8000-00000000000c",
        },
      ],
      timeline: [],
      documents: [],
      stakeholders: [],
      predictions: [],
      meta: {
        token_estimate: 320,
        budget_tokens: 1200,
        claims_total: 1,
        claims_returned: 1,
        timeline_events: 0,
        truncated: false,
      },
    },
  },
});

/** The parts of the text, in its order, with the titles that the page gives them. */
export const ContextPart = z.enum([
  ...["Summary", "Who knows them", "ICP fit", "Facts", "Your context", "Open tasks"],
  ...["Conversation", "Timeline", "Documents", "Stakeholders", "End"],
] as const);
export type ContextPart = z.output<typeof ContextPart>;

/** For the page that shows people what their agents read. */
export const getContextText = defineOperation({
  name: "getContextText",
  tag: "Context",
  summary: "The context as the text that an MCP client reads",
  surface: "app",
  scope: "read",
  http: { method: "POST", path: "/context-text" },
  input: getContext.input,
  output: z.union([
    z.strictObject({
      text: z.string().describe("What `get_context` answers over MCP."),
      tokens: z.int().describe("What the text costs, by the o200k encoding."),
      sections: z.array(z.strictObject({ title: ContextPart, tokens: z.int() })),
      context: Context,
    }),
    Ambiguous,
  ]),
  errors: ["focus_required", "invalid_intent", "entity_not_found"],
  codes: { missing: { focus: "focus_required" } },
  secrets: { output: ["text", "sections", "context"] },
  example: {
    input: { focus: "anna@acme.com", intent: "draft_email" },
  },
});
