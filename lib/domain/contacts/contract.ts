import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { cursorPage, cursorPaging } from "#lib/core/page-input.ts";
import { Id, Time, Timestamp } from "#lib/core/schema.ts";
import { Company, exampleCompany, examplePerson, Person, Stage } from "#lib/domain/people/contract.ts";
import { Contribution, Tier } from "#lib/domain/scores/contract.ts";

const tag = "Accounts";
export const AccountFocus = z
  .string()
  .describe("Entity id, e-mail, LinkedIn URL, domain or name; `workspace` names the workspace itself.");

export const Freshness = z
  .enum(["fresh", "aging", "suspect", "expired"])
  .meta({ id: "Freshness", description: "By the age of the latest evidence: under 30, 90, 180 days, or older." });

export const EpistemicClass = z
  .enum(["asserted", "observed", "inferred"])
  .meta({ id: "EpistemicClass", description: "How it is known, strongest first." });

export const Confidence = z.number().min(0).max(1).describe("How sure, at the moment of reading.");

/** The answer to a name that several people or companies have. */
export const Ambiguous = z
  .strictObject({
    status: z.literal("ambiguous"),
    candidates: z
      .array(z.strictObject({ entity_id: Id, name: z.string(), detail: z.string() }))
      .describe("At most 10, the most recently active first. Call again with one of the ids."),
  })
  .meta({ id: "Ambiguous", description: "Several people or companies have that name." });
export type Ambiguous = z.output<typeof Ambiguous>;

export const ConflictView = z
  .strictObject({
    value: z.json(),
    source: z.string(),
    method: EpistemicClass,
    observation_id: Id,
    observed_at: Timestamp,
  })
  .meta({ id: "Conflict", description: "Evidence that says something else than what is believed." });

export const ClaimView = z
  .strictObject({
    property: z.string(),
    value: z.json(),
    name: z.string().optional().describe("Of `works_at`: what the company is called."),
    confidence: Confidence,
    freshness: Freshness,
    epistemic_class: EpistemicClass,
    source: z.string().describe("Who first said the present value."),
    observation_count: z.int().describe("Observations that say the present value."),
    last_observed_at: Timestamp,
    conflicts: z.array(ConflictView).optional().describe("Evidence that disagrees; absent when there is none."),
  })
  .meta({ id: "Claim", description: "What is believed of one property, and how sure." });
export type ClaimView = z.output<typeof ClaimView>;

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

const Identifiers = z
  .array(z.strictObject({ kind: z.string(), value: z.string() }))
  .describe("Active identifiers; the first of a kind is the primary one, which lists show.");

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

const exampleId = "0190a6e0-0000-7000-8000-000000000001";
const exampleEvidence = "0190a6e0-0000-7000-8000-00000000000b";

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
      "Everything recorded about one person or company: each claim with its confidence and conflicts, recent evidence, documents, relationships. Longer than get_context.",
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

const StageChange = z
  .strictObject({
    id: Id.describe("The observation of the new stage."),
    from: Stage,
    to: Stage,
    caused_by: Id.describe("The activity that caused it: this one, as it was first recorded."),
  })
  .meta({ id: "StageChange", description: "What an activity did to the stage of its person." });

export const Activity = z
  .strictObject({
    id: Id,
    type: z
      .string()
      .describe("The activity type, such as `meeting_held`; the property for events that are no interaction."),
    property: z.string(),
    summary: z.string().nullable().describe("The label it was recorded with; null when it has none."),
    value: z.json(),
    source: z.string(),
    observed_at: Timestamp.describe("When it happened."),
    recorded_at: Timestamp.describe("When we learned it."),
    entity_id: Id.describe("Who it was with: on a company's timeline one of its people, or the company."),
    entity_name: z.string(),
    corrects: Id.optional().describe("Only of a correction: the activity as it was first recorded."),
    stage_change: StageChange.optional().describe("Only when it moved the person to another stage."),
  })
  .meta({ id: "Activity", description: "One event of a timeline." });

export const exampleActivity = {
  id: exampleEvidence,
  type: "meeting_held",
  property: "interaction.meeting_held",
  summary: "Meeting: Pilot review",
  value: { description: "Meeting: Pilot review" },
  source: "fathom",
  observed_at: "2026-06-03T09:00:00.000Z",
  recorded_at: "2026-06-03T09:40:00.000Z",
  entity_id: exampleId,
  entity_name: "Anna Smith",
};

export const getTimeline = defineOperation({
  name: "getTimeline",
  tag,
  summary: "Page the whole timeline of a person or company",
  description:
    "Events by the time they happened, the latest (or furthest in the future) first. A company's timeline holds its own events and those of its people, each with its contact. An event that moved a stage carries `stage_change`. `cursor` continues where a page ended and is stable while events are recorded.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/timeline" },
  input: z.strictObject({
    focus: AccountFocus,
    type: z.string().min(1).max(200).optional().describe("Only this activity type, such as `meeting_held`."),
    ...cursorPaging(50, 200),
  }),
  output: z.union([
    z.strictObject({
      entity_id: Id,
      events: z.array(Activity),
      ...cursorPage,
    }),
    Ambiguous,
  ]),
  errors: ["entity_not_found"],
  example: {
    input: { focus: "anna@acme.com" },
    output: {
      entity_id: exampleId,
      events: [
        {
          ...exampleActivity,
          stage_change: {
            id: "0190a6e0-0000-7000-8000-00000000000c",
            from: "interested",
            to: "evaluating",
            caused_by: exampleEvidence,
          },
        },
      ],
      limit: 50,
      has_more: false,
      next_cursor: null,
    },
  },
});

export const getHistory = defineOperation({
  name: "getHistory",
  tag,
  summary: "Every value a property has had",
  description:
    "All evidence on one property by the time it was true, the latest first. `value` null says that the fact ended. `standing` says what each is worth today.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/history" },
  input: z.strictObject({
    focus: AccountFocus,
    property: z.string().min(1).max(200).describe("The property, such as `job_title`."),
    ...cursorPaging(100, 500),
  }),
  output: z.union([
    z.strictObject({
      entity_id: Id,
      property: z.string(),
      values: z.array(
        z.strictObject({
          observation_id: Id,
          value: z.json(),
          source: z.string(),
          epistemic_class: EpistemicClass,
          observed_at: Timestamp.describe("When it was true."),
          recorded_at: Timestamp.describe("When we learned it."),
          caused_by: Id.optional().describe("The activity that caused it, of a stage change for example."),
          standing: z
            .enum(["current", "conflicting", "past"])
            .describe("`current` supports the present value, `conflicting` disagrees with it, `past` came before it."),
        }),
      ),
      ...cursorPage,
    }),
    Ambiguous,
  ]),
  errors: ["entity_not_found", "claim_not_found"],
  example: {
    input: { focus: "anna@acme.com", property: "job_title" },
    output: {
      entity_id: exampleId,
      property: "job_title",
      values: [
        {
          observation_id: exampleEvidence,
          value: "VP Sales",
          source: "crm",
          epistemic_class: "observed",
          observed_at: "2026-06-03T09:00:00.000Z",
          recorded_at: "2026-06-03T09:00:00.000Z",
          standing: "current",
        },
      ],
      limit: 100,
      has_more: false,
      next_cursor: null,
    },
  },
});

export const getConfidence = defineOperation({
  name: "getConfidence",
  tag,
  summary: "How sure we could be of a property since it was first recorded",
  description:
    "The confidence at the moments of the latest evidence and between them, by what is known today. It is 0 while the property had no value.",
  surface: "app",
  scope: "read",
  http: { method: "GET", path: "/accounts/:id/confidence" },
  input: z.strictObject({ id: Id, property: z.string().min(1).max(200) }),
  output: z.strictObject({
    points: z.array(z.strictObject({ at: Timestamp, confidence: Confidence })).describe("The oldest first, now last."),
  }),
  errors: ["entity_not_found", "claim_not_found"],
  codes: { fields: { id: "entity_not_found" } },
  example: {
    input: { id: exampleId, property: "job_title" },
    output: {
      points: [
        { at: "2026-06-03T09:00:00.000Z", confidence: 0.8 },
        { at: "2026-09-03T09:00:00.000Z", confidence: 0.57 },
      ],
    },
  },
});

const Assessment = z
  .strictObject({ value: z.json(), confidence: Confidence, freshness: Freshness })
  .meta({ id: "Assessment" });

export const verifyClaim = defineOperation({
  name: "verifyClaim",
  tag,
  summary: "Check a claim against its evidence",
  description:
    "`before` is the claim as it is kept, `after` the same derived again from its evidence. A fact that ended has the value null and the confidence 0. With `confirm: true`, which takes the scope `write`, the value counts as checked now: fresh, and conflicts with weaker or equal evidence are settled.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/verify" },
  input: z.strictObject({
    focus: z.string().min(1).describe("Entity id, e-mail, LinkedIn URL, domain or name."),
    property: z
      .string()
      .min(1)
      .max(200)
      .describe("A claim's property; also `email`, `linkedin_url`, `domain`, `phone` and `pipeline_stage`."),
    confirm: z.boolean().default(false).describe("True records that the value was checked now and still holds."),
  }),
  output: z.union([
    z.strictObject({
      entity_id: Id,
      property: z.string(),
      before: Assessment,
      after: Assessment,
      note: z.string(),
      evidence: z
        .array(
          z.strictObject({
            observation_id: Id,
            value: z.json(),
            source: z.string(),
            epistemic_class: EpistemicClass,
            observed_at: Timestamp,
            recorded_at: Timestamp,
            caused_by: Id.optional(),
            supports: z.boolean().describe("True when it says the value of `after`."),
          }),
        )
        .describe("The latest first, at most 50."),
    }),
    Ambiguous,
  ]),
  errors: ["entity_not_found", "claim_not_found"],
  tool: {
    name: "verify",
    description:
      "Shows the evidence behind one claim before you rely on it. Set confirm when you have checked that it still holds.",
    parameters: ["focus", "property", "confirm"],
    writes: true,
    idempotent: true,
  },
  example: {
    input: { focus: "anna@acme.com", property: "job_title" },
    output: {
      entity_id: exampleId,
      property: "job_title",
      before: { value: "VP Sales", confidence: 0.8, freshness: "fresh" },
      after: { value: "VP Sales", confidence: 0.8, freshness: "fresh" },
      note: "1 observation from 1 source supports it, the latest on 2026-06-03.",
      evidence: [
        {
          observation_id: exampleEvidence,
          value: "VP Sales",
          source: "crm",
          epistemic_class: "observed",
          observed_at: "2026-06-03T09:00:00.000Z",
          recorded_at: "2026-06-03T09:00:00.000Z",
          supports: true,
        },
      ],
    },
  },
});

const OneFocus = z.string().describe("Entity id, e-mail, LinkedIn URL, domain or name.");

export const getPerson = defineOperation({
  name: "getPerson",
  tag: "People",
  summary: "Read one person as the list has them",
  description:
    "The row of `GET /v2/people`, whatever its status. A name that several people have answers with the candidates; `GET /v2/accounts/{focus}` has everything known about the person.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/people/:focus" },
  input: z.strictObject({ focus: OneFocus }),
  output: z.union([z.strictObject({ person: Person }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  example: { input: { focus: "anna@acme.com" }, output: { person: examplePerson } },
});

export const getCompany = defineOperation({
  name: "getCompany",
  tag: "Companies",
  summary: "Read one company as the list has it",
  description:
    "The row of `GET /v2/companies`, whatever its status. A name that several companies have answers with the candidates; `GET /v2/accounts/{focus}` has everything known about the company.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/companies/:focus" },
  input: z.strictObject({ focus: OneFocus }),
  output: z.union([z.strictObject({ company: Company }), Ambiguous]),
  errors: ["invalid_focus", "entity_not_found"],
  example: { input: { focus: "acme.com" }, output: { company: exampleCompany } },
});

const IdentifierFields = {
  focus: z.string().describe("Entity id, e-mail, LinkedIn URL or domain."),
  kind: z
    .enum(["email", "linkedin_url", "domain"])
    .describe("People have e-mails and LinkedIn URLs, companies domains and LinkedIn URLs."),
  value: z.string().min(1).max(500).describe("The identifier; it is normalised."),
};
const identifierErrors = [
  "invalid_focus",
  "entity_not_found",
  "invalid_email",
  "invalid_linkedin_url",
  "invalid_domain",
] as const;

export const addIdentifier = defineOperation({
  name: "addIdentifier",
  tag,
  summary: "Add an identifier to a person or company, or make it primary",
  description:
    "A record may have several identifiers of a kind; lists show the primary one: the first, or any that is given with `primary: true`, also when the record has it already. One that another record has is 409 `identifier_conflict` with that record's id. The evidence keeps who added it.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/accounts/:focus/identifiers" },
  input: z.strictObject({
    ...IdentifierFields,
    primary: z.boolean().default(false).describe("True makes it the primary one of its kind."),
  }),
  output: z.strictObject({
    entity_id: Id,
    added: z.boolean().describe("False when the record had it already."),
    identifiers: Identifiers,
  }),
  errors: [...identifierErrors, "identifier_conflict"],
  example: {
    input: { focus: "anna@acme.com", kind: "email", value: "anna.smith@acme.com" },
    output: {
      entity_id: exampleId,
      added: true,
      identifiers: [
        { kind: "email", value: "anna@acme.com" },
        { kind: "email", value: "anna.smith@acme.com" },
      ],
    },
  },
});

export const removeIdentifier = defineOperation({
  name: "removeIdentifier",
  tag,
  summary: "Take an identifier from a person or company",
  description:
    "The record is no longer found by it, and another may take it. The evidence keeps that it was there and who removed it. Where it was the primary one, the latest other of its kind becomes primary.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/accounts/:focus/identifiers/remove" },
  input: z.strictObject(IdentifierFields),
  output: z.strictObject({ entity_id: Id, identifiers: Identifiers }),
  errors: [...identifierErrors, "identifier_not_found"],
  example: {
    input: { focus: "anna@acme.com", kind: "email", value: "anna@acme.com" },
    output: { entity_id: exampleId, identifiers: [] },
  },
});
