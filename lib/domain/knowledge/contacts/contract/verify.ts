import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { Id, Timestamp } from "#lib/core/schema.ts";
import { Confidence, EpistemicClass, Freshness } from "./claims.ts";
import { Ambiguous, exampleEvidence, exampleId, tag } from "./focus.ts";

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
  writes: ({ confirm }) => confirm,
  http: { method: "POST", path: "/v2/verify" },
  input: z.strictObject({
    focus: z.string().min(1).describe("Entity id, e-mail, LinkedIn URL, domain or name."),
    property: z
      .string()
      .min(1)
      .max(200)
      .describe("A claim's property; also `email`, `linkedin_url`, `domain`, `phone` and `pipeline_stage`."),
    confirm: z.boolean().default(false).describe("True records that the value still holds."),
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
    hints: ["idempotent"],
  },
  example: {
    input: { focus: "anna@acme.com", property: "job_title" },
    output: {
      entity_id: exampleId,
      property: "job_title",
      before: { value: "VP Sales", confidence: 0.8, freshness: "fresh" },
      after: { value: "VP Sales", confidence: 0.8, freshness: "fresh" },
      note: "1 piece of evidence from 1 source supports it, the latest on 2026-06-03.",
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
