import { z } from "zod";

/** The features that every workspace has, beside its custom properties. */
export const featureNames: readonly string[] = [
  "job_title",
  "seniority",
  "department",
  "company",
  "industry",
  "employee_count",
  "country",
  "region",
  "technologies",
];

/** How a rule compares a feature. */
export const ops = ["==", "!=", ">=", "<=", ">", "<", "in", "between", "exists", "contains_any", "scaled"] as const;
export const Op = z.enum(ops);
export type Op = z.output<typeof Op>;

const Scalar = z.union([z.string().trim().min(1).max(200), z.number(), z.boolean()]);

export const Rule = z
  .strictObject({
    feature: z
      .string()
      .regex(/^((person|company)\.)?[a-z][a-z0-9_]{0,62}$/, {
        error: `must be ${featureNames.join(", ")}, the name of a property, person.<property> or company.<property>`,
      })
      .describe(
        "What is looked at: a feature of GET /v2/workspace/scoring-model, or person.<property>, company.<property>. Any other name is the property of that name, of the person, else of the company.",
      ),
    op: Op.describe(
      "How it is compared. A feature that is not known meets no rule, except exists with the value false.",
    ),
    value: z
      .union([Scalar, z.array(Scalar).min(1).max(200)])
      .optional()
      .describe(
        "A text, number or boolean; for in and contains_any a list; != takes a list too, and means none of them; for between the least and the most; for scaled two numbers: where nothing counts, and where everything does.",
      ),
    disqualify: z.boolean().optional().describe("Where the rule is met, the score is 15 at most."),
  })
  .superRefine(({ op, value }, context) => {
    const fault = faultOf(op, value);
    if (fault) context.addIssue({ code: "custom", path: ["value"], message: fault });
  })
  .describe("What a signal looks for.");
export type Rule = z.output<typeof Rule>;

/** What is wrong with the value of a rule; null when nothing is. */
function faultOf(op: Op, value: z.output<typeof Scalar> | z.output<typeof Scalar>[] | undefined): string | null {
  if (op === "exists")
    return value === undefined || typeof value === "boolean" ? null : "must be true or false for exists";
  if (value === undefined) return `is required for ${op}`;
  if (op === "scaled" || op === "between") {
    const [from, to] = Array.isArray(value) ? value : [];
    const good = Array.isArray(value) && value.length === 2 && typeof from === "number" && typeof to === "number";
    if (op === "between") return good && from <= to ? null : "must be the least and the most for between";
    return good && from !== to ? null : "must be two different numbers for scaled";
  }
  if (op === "in") return Array.isArray(value) ? null : "must be a list for in";
  if (op === "contains_any")
    return Array.isArray(value) && value.every((item) => typeof item === "string")
      ? null
      : "must be a list of texts for contains_any";
  if (op === "==" || op === "!=")
    return op === "==" && Array.isArray(value) ? "must not be a list for ==; use in" : null;
  return typeof value === "number" ? null : `must be a number for ${op}`;
}

export const Signal = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,62}$/, { error: "must be snake_case, up to 63 characters" })
      .describe("Names the signal in the model; the same key in a later version is the same signal."),
    label: z.string().trim().min(1).max(120).describe("What it is called in explanations."),
    weight: z.number().min(-10).max(10).describe("How much it counts: -10 to 10; less than 0 speaks against."),
    rule: Rule,
  })
  .describe("One thing that makes a person or company a better or worse fit.");
export type Signal = z.output<typeof Signal>;

export const MOST_SIGNALS = 60;

export const Signals = z
  .array(Signal.meta({ id: "ScoringSignalInput" }))
  .min(1, { error: "must hold at least one signal" })
  .max(MOST_SIGNALS)
  .refine((signals) => new Set(signals.map(({ key }) => key)).size === signals.length, {
    error: "must not hold the same key twice",
  });

export const tiers = ["tier_1", "tier_2", "tier_3", "not_icp"] as const;
export const Tier = z.enum(tiers).meta({
  id: "ScoreTier",
  description: "`tier_1`: a score of 85 or more; `tier_2`: 70 or more; `tier_3`: 50 or more; `not_icp`: less than 50.",
});
export type Tier = z.output<typeof Tier>;

export const Contribution = z
  .strictObject({
    key: z.string(),
    label: z.string(),
    feature: z.string(),
    weight: z.number(),
    points: z.number().describe("What it added to the sum: its weight where its rule is met, less for scaled, else 0."),
    met: z.boolean().nullable().describe("Whether the rule is met; null when the feature is not known."),
    found: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
      .nullable()
      .describe("The feature's value; null when it is not known."),
    disqualifies: z.boolean().describe("It caps the score at 15."),
  })
  .meta({ id: "ScoreContribution", description: "What one signal gave to a score." });
export type Contribution = z.output<typeof Contribution>;
