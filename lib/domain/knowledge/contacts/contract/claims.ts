import { z } from "zod";
import { Id, Timestamp } from "#lib/core/schema.ts";

export const Freshness = z
  .enum(["fresh", "aging", "suspect", "expired"])
  .meta({ id: "Freshness", description: "By the age of the latest evidence: under 30, 90, 180 days, or older." });

export const EpistemicClass = z
  .enum(["asserted", "observed", "inferred"])
  .meta({ id: "EpistemicClass", description: "How it is known, strongest first." });

export const Confidence = z.number().min(0).max(1).describe("How sure, at the moment of reading.");

export const ConflictView = z
  .strictObject({
    value: z.json(),
    name: z.string().optional().describe("Of `works_at`: what the company is called."),
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
