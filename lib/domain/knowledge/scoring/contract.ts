import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Contribution, Signal, Signals, Tier } from "#lib/domain/crm/scores/contract.ts";
import { Ambiguous } from "#lib/domain/knowledge/contacts/contract.ts";

export {
  type Contribution,
  type Op,
  ops,
  type Rule,
  Signal,
  type Tier,
  tiers,
} from "#lib/domain/crm/scores/contract.ts";

const tag = "ICP scoring";

/** A signal in answers. */
const ScoringSignal = Signal.meta({
  id: "ScoringSignal",
  description: "One thing that makes a person or company a better or worse fit.",
});

const BuilderName = z
  .enum(["given", "rules", "llm"])
  .describe("What made it: signals that a caller gave, the rule-based reader of the GTM profile, or a language model.");
export type BuilderName = z.output<typeof BuilderName>;

export const ScoringModel = z
  .strictObject({
    version: z.int().describe("Counts up with each change."),
    signals: z.array(ScoringSignal),
    builder: BuilderName,
    created_at: Timestamp,
    created_by: z.string(),
    scored: z.int().describe("People and companies it has scored after it was saved."),
    changed: z.int().describe("How many of them got another score."),
    finished_at: Timestamp.nullable().describe("When everyone was scored with it; null while that goes on."),
  })
  .meta({ id: "ScoringModel", description: "A version of the model that ICP scores follow from." });
export type ScoringModel = z.output<typeof ScoringModel>;

const Feature = z.strictObject({
  name: z.string(),
  type: z.enum(["text", "number", "list"]),
  of: z.enum(["person", "company", "both"]).describe("Who it is known of. A person has those of their company too."),
  about: z.string(),
});

const exampleSignals: z.input<typeof Signal>[] = [
  {
    key: "industry_fit",
    label: "Fintech or banking",
    weight: 8,
    rule: { feature: "industry", op: "in", value: ["fintech", "banking"] },
  },
  {
    key: "senior_finance",
    label: "Decides about finance",
    weight: 6,
    rule: { feature: "seniority", op: "in", value: ["c_level", "vp", "head"] },
  },
  {
    key: "no_agencies",
    label: "Agency",
    weight: -10,
    rule: { feature: "industry", op: "in", value: ["agencies"], disqualify: true },
  },
];
const exampleModel = {
  version: 1,
  signals: exampleSignals,
  builder: "given" as const,
  created_at: "2026-06-03T09:00:00.000Z",
  created_by: "api_key:0190a6e0-0000-7000-8000-000000000002",
  scored: 1200,
  changed: 800,
  finished_at: "2026-06-03T09:00:02.000Z",
};

export const getScoringModel = defineOperation({
  name: "getScoringModel",
  tag,
  summary: "Read the ICP scoring model",
  description:
    "The current model, null when there is none, and the features that signals can look at. The score is 100 / (1 + e^(-sum / 8)) of the points of all signals, rounded; a disqualifier that is met caps it at 15. Who they are counts, never what they did.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/scoring-model" },
  input: z.strictObject({}),
  output: z.strictObject({
    model: ScoringModel.nullable(),
    features: z
      .array(Feature)
      .describe(
        "Any custom property is one too, by its name: of the person, else of the company; or person.<property>, company.<property>.",
      ),
    builder: z.enum(["rules", "llm"]).describe("What builds a model from the GTM profile on this server."),
  }),
  example: {
    input: {},
    output: {
      model: exampleModel,
      features: [{ name: "industry", type: "list", of: "both", about: "The industry." }],
      builder: "rules",
    },
  },
});

export const buildScoringModel = defineOperation({
  name: "buildScoringModel",
  tag,
  summary: "Build the ICP scoring model",
  description:
    "From the signals given, else from the current facts of ICP, Market, Product, Pricing, Competitors and Positioning, by a language model or, without one, by their words. An existing model is replaced only with `force` and stays in the history. Everyone is scored again in the background.",
  surface: "public",
  scope: "write",
  asksPerson: ({ force }) => force,
  http: { method: "POST", path: "/v2/workspace/scoring-model", status: 201 },
  input: z.strictObject({
    force: z.boolean().default(false).describe("Replace the model that exists."),
    signals: Signals.optional().describe("The signals of the model, 1 to 60; absent: built from the GTM profile."),
  }),
  output: z.strictObject({
    ok: z.literal(true),
    signals: z.array(ScoringSignal),
    version: z.int(),
    builder: BuilderName,
    notes: z.array(z.string()).describe("What the builder wants to be checked, in sentences."),
  }),
  errors: ["model_exists", "no_gtm_context"],
  tool: {
    name: "build_scoring_model",
    description:
      "Build the ICP scoring model from the GTM profile and score everyone. Write ICP and Product first. With force it replaces the existing model.",
    parameters: ["force"],
    hints: ["openWorld"],
  },
  example: {
    input: { signals: exampleSignals, force: true },
    output: { ok: true, signals: exampleSignals, version: 2, builder: "given", notes: [] },
  },
});

export const draftScoringModel = defineOperation({
  name: "draftScoringModel",
  tag,
  summary: "Draft signals from the GTM profile",
  description: "As building the model would, and saves nothing.",
  surface: "app",
  scope: "write",
  writes: () => false,
  http: { method: "POST", path: "/scoring-model/draft" },
  input: z.strictObject({}),
  output: z.strictObject({ signals: z.array(ScoringSignal), builder: BuilderName, notes: z.array(z.string()) }),
  errors: ["no_gtm_context"],
  example: { input: {} },
});

export const listScoringModels = defineOperation({
  name: "listScoringModels",
  tag,
  summary: "List the versions of the ICP scoring model",
  description: "The latest first. To go back to one, save its signals again.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/workspace/scoring-model/versions" },
  input: z.strictObject({
    before: z.int().min(1).max(2_147_483_647).optional().describe("Only versions before this one, to page on."),
    limit: pageSize(20, 100),
  }),
  output: z.strictObject({ versions: z.array(ScoringModel), has_more: z.boolean() }),
  example: { input: { limit: 20 }, output: { versions: [exampleModel], has_more: false } },
});

/** How many people a preview scores, the most recently active first, and how many it names. */
export const MOST_PREVIEWED = 10_000;
export const MOST_MOVERS = 50;

const Standing = z.strictObject({ score: z.int(), tier: Tier }).nullable();

export const previewScoringModel = defineOperation({
  name: "previewScoringModel",
  tag,
  summary: "See who would move with other signals",
  description:
    "Scores people with the signals given and changes nothing. At most the 10,000 people active last are looked at. `before` is their score by the current model.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/workspace/scoring-model/preview" },
  input: z.strictObject({ signals: Signals.describe("The signals to try, 1 to 60.") }),
  output: z.strictObject({
    examined: z.int(),
    sampled: z.boolean().describe("There are more people than were looked at."),
    would_move: z.int().describe("People who would have another score."),
    up: z.int(),
    down: z.int(),
    by_tier: z.array(z.strictObject({ tier: z.enum([...Tier.options, "no_score"]), before: z.int(), after: z.int() })),
    distribution: z
      .array(z.strictObject({ from: z.int(), to: z.int(), before: z.int(), after: z.int() }))
      .describe("People by score, in tens."),
    signals: z
      .array(z.strictObject({ key: z.string(), met: z.int(), known: z.int() }))
      .describe("Of how many people each signal's feature is known, and how many meet its rule."),
    movers: z
      .array(z.strictObject({ entity_id: Id, name: z.string(), before: Standing, after: Standing, reason: z.string() }))
      .describe("The 50 who would move furthest."),
  }),
  example: {
    input: { signals: exampleSignals },
    output: {
      ...{ examined: 120, sampled: false, would_move: 1, up: 1, down: 0 },
      by_tier: [{ tier: "tier_1", before: 0, after: 1 }],
      distribution: [{ from: 80, to: 89, before: 0, after: 1 }],
      signals: [{ key: "industry_fit", met: 40, known: 90 }],
      movers: [
        {
          entity_id: "0190a6e0-0000-7000-8000-000000000010",
          name: "Anna Smith",
          before: { score: 50, tier: "tier_3" },
          after: { score: 85, tier: "tier_1" },
          reason: "For: Fintech or banking, Decides about finance.",
        },
      ],
    },
  },
});

const Path = z
  .strictObject({
    target: z.int().describe("The score to reach."),
    tier: Tier,
    changes: z
      .array(
        z.strictObject({
          feature: z.string(),
          from: z.string().describe("What is known now, in words."),
          to: z.string().describe("What would have to be so, in words."),
          known: z.boolean().describe("False: it is not known yet, so finding out may be enough."),
        }),
      )
      .nullable()
      .describe("The fewest changes that reach it; null when no three do."),
    score: z.int().nullable().describe("The score they give."),
  })
  .meta({ id: "ScorePath", description: "What would bring a score to a target." });

export const AccountScore = z
  .strictObject({
    entity_id: Id,
    name: z.string(),
    model_version: z.int().nullable().describe("Null when the workspace has no model."),
    score: z.int().nullable().describe("Null when no feature that the model looks at is known."),
    tier: Tier.nullable(),
    fit: z.boolean().nullable().describe("A score of 70 or more."),
    reason: z.string().nullable(),
    contributions: z.array(Contribution),
    history: z.array(
      z.strictObject({
        at: Timestamp,
        score: z.int().nullable(),
        previous: z.int().nullable(),
        model_version: z.int(),
        cause: z.enum(["model", "evidence"]).describe("Whether a new model moved it, or something that was learned."),
        evidence: z
          .strictObject({ id: Id, property: z.string(), value: z.json(), source: z.string() })
          .nullable()
          .describe("The latest evidence behind it, where evidence moved it."),
        moved: z
          .array(z.strictObject({ key: z.string(), points: z.number() }))
          .describe("What signals gave more or less than before, by the entry before."),
      }),
    ),
    to_reach: z.array(Path).describe("Empty when the score is 85 or more, or there is none."),
  })
  .meta({ id: "AccountScore", description: "An ICP score, why it is what it is, and what would change it." });
export type AccountScore = z.output<typeof AccountScore>;

export const getAccountScore = defineOperation({
  name: "getAccountScore",
  tag,
  summary: "Why an account has its ICP score",
  description:
    "The score, what each signal gave, the history with what moved it, and the fewest changes that would reach the next tier and 70.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/accounts/:focus/score" },
  input: z.strictObject({
    focus: z.string().min(1).describe("Entity id, e-mail, LinkedIn URL, domain, or a name."),
    limit: pageSize(20, 100).describe("Entries of the history; default 20, capped at 100."),
  }),
  output: z.union([AccountScore, Ambiguous]),
  errors: ["entity_not_found"],
  example: {
    input: { focus: "anna@acme.com", limit: 20 },
    output: {
      entity_id: "0190a6e0-0000-7000-8000-000000000010",
      ...{ name: "Anna Smith", model_version: 1, score: 68, tier: "tier_3", fit: false },
      reason: "For: Decides about finance.",
      contributions: [
        {
          ...{ key: "senior_finance", label: "Decides about finance", feature: "seniority", weight: 6, points: 6 },
          ...{ met: true, found: "vp", disqualifies: false },
        },
      ],
      history: [
        {
          ...{ at: "2026-06-03T09:00:00.000Z", score: 68, previous: 50, model_version: 1, cause: "evidence" },
          evidence: {
            ...{
              id: "0190a6e0-0000-7000-8000-00000000000b",
              property: "job_title",
              value: "VP Finance",
              source: "api",
            },
          },
          moved: [{ key: "senior_finance", points: 6 }],
        },
      ],
      to_reach: [
        {
          ...{ target: 70, tier: "tier_2", score: 85 },
          changes: [{ feature: "industry", from: "not known", to: "fintech", known: false }],
        },
      ],
    },
  },
});

const Scorable = z
  .strictObject({
    focus: z
      .string()
      .trim()
      .min(1)
      .max(2_048)
      .describe("E-mail, domain, LinkedIn URL or id. The record may not exist."),
    job_title: z.string().max(500).optional(),
    company: z.string().max(500).optional().describe("The company's name."),
    industry: z.string().max(500).optional(),
    employee_count: z.int().min(0).optional(),
    country: z.string().max(200).optional(),
    properties: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .optional()
      .describe("Custom properties by name."),
  })
  .describe("Who, and what you know of them. It counts before what is recorded.");
export type Scorable = z.output<typeof Scorable>;

export const scoreRows = defineOperation({
  name: "scoreRows",
  tag,
  summary: "Score people and companies, known or not, and write nothing",
  description:
    "The current model on what is recorded of each and what the row says. A person who is not known has the company of their address, where that is known.",
  surface: "public",
  scope: "read",
  http: { method: "POST", path: "/v2/score" },
  input: z.strictObject({ rows: z.array(Scorable).min(1).max(100).describe("1 to 100 people or companies.") }),
  output: z.strictObject({
    model_version: z.int().nullable().describe("Null when the workspace has no model: then there are no scores."),
    results: z
      .array(
        z.strictObject({
          focus: z.string(),
          entity_id: Id.nullable().describe("Null when there is no such record."),
          type: z.enum(["person", "company"]),
          score: z.int().nullable().describe("Null when no feature that the model looks at is known."),
          tier: Tier.nullable(),
          fit: z.boolean().nullable().describe("A score of 70 or more."),
          reason: z.string().nullable(),
        }),
      )
      .describe("In the order of the rows."),
  }),
  errors: ["invalid_focus", "entity_not_found"],
  tool: {
    name: "score",
    description: "ICP score of up to 100 people or companies, known or not. Writes nothing.",
    parameters: ["rows"],
  },
  example: {
    input: { rows: [{ focus: "anna@acme.com", job_title: "VP Sales" }] },
    output: {
      model_version: 1,
      results: [
        {
          ...{ focus: "anna@acme.com", entity_id: "0190a6e0-0000-7000-8000-000000000010", type: "person" as const },
          ...{ score: 85, tier: "tier_1" as const, fit: true, reason: "For: Decides about sales." },
        },
      ],
    },
  },
});
