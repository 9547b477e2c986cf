import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";
import { Contribution, Tier } from "#lib/domain/crm/scores/contract.ts";
import { ClaimView } from "./claims.ts";
import { AccountFocus, Ambiguous, exampleId, tag } from "./focus.ts";
import { Identifiers } from "./identifiers.ts";

export const Document = z
  .strictObject({
    id: Id,
    type: z.string(),
    title: z.string().nullable(),
    date: z.string().describe("The document's date as given: a date, or a time in UTC."),
    snippet: z.string(),
  })
  .meta({ id: "Document", description: "A note, by its title and beginning." });
export type Document = z.output<typeof Document>;

const Related = z.strictObject({ entity_id: Id, name: z.string() });

const Relationships = z
  .strictObject({
    works_at: z.array(Related.extend({ domain: z.string().nullable() })).describe("A person's employer."),
    people: z
      .array(Related.extend({ job_title: z.string().nullable() }))
      .describe("A company's people, the most recently active first, at most 25."),
    people_count: z.int().describe("How many active people the company has."),
  })
  .meta({ id: "Relationships", description: "Who works where." });

export const Icp = z
  .strictObject({
    score: z.int(),
    tier: Tier,
    fit: z.boolean().describe("A score of 70 or more."),
    reason: z
      .string()
      .optional()
      .describe(
        "What speaks for it and against it. Absent for a score that a source reported, and at a time in the past.",
      ),
    contributions: z
      .array(Contribution)
      .optional()
      .describe("What each signal of the scoring model gave, the strongest first; in an account only."),
  })
  .meta({ id: "IcpScore", description: "Fit with the ideal customer profile; absent when there is no score." });

export const Account = z
  .strictObject({
    entity_id: Id,
    type: z.enum(["person", "company", "workspace"]),
    status: z.enum(["active", "archived"]),
    name: z.string(),
    identifiers: Identifiers,
    claims: z.record(z.string(), ClaimView).describe("What is believed, by property."),
    recent_observations: z
      .array(
        z
          .strictObject({
            id: Id,
            kind: z.enum(["event", "state"]),
            property: z.string(),
            value: z.json(),
            source: z.string(),
            observed_at: Timestamp,
            recorded_at: Timestamp,
          })
          .meta({ id: "Observation", description: "One piece of evidence." }),
      )
      .describe("The latest learned, at most 50."),
    documents: z.array(Document),
    relationships: Relationships,
    pipeline_stage: z.string().optional().describe("People only."),
    icp: Icp.optional(),
  })
  .meta({ id: "Account", description: "Everything known about one person, company or the workspace." });
export type Account = z.output<typeof Account>;

const timeTravel = {
  as_of: Time.optional().describe("What was true at this time."),
  known_at: Time.optional().describe("What we knew at this time."),
};

export const getAccount = defineOperation({
  name: "getAccount",
  tag,
  summary: "Read everything known about a person or company",
  description:
    "The focus may be a name: no match is 404, several matches give the candidates. `as_of` and `known_at` derive the claims again from the evidence of that moment; identifiers, relationships and status are today's. A claim's confidence and freshness are computed at the moment read about.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus" },
  input: z.strictObject({ focus: AccountFocus, ...timeTravel }),
  output: z.union([Account, Ambiguous]),
  errors: ["entity_not_found"],
  tool: {
    name: "get_account",
    description:
      "Everything recorded about one person or company: claims with confidence and conflicts, evidence, documents. Longer than get_context.",
    parameters: [["id", "focus"]],
  },
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: exampleId,
      type: "person",
      status: "active",
      name: "Anna Smith",
      identifiers: [{ kind: "email", value: "anna@acme.com" }],
      claims: {
        job_title: {
          property: "job_title",
          value: "VP Sales",
          confidence: 0.8,
          freshness: "fresh",
          epistemic_class: "observed",
          source: "crm",
          observation_count: 1,
          last_observed_at: "2026-06-03T09:00:00.000Z",
        },
      },
      recent_observations: [],
      documents: [],
      relationships: { works_at: [], people: [], people_count: 0 },
      pipeline_stage: "identified",
    },
  },
});
