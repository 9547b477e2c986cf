import { type Fit, fitOf } from "#lib/domain/crm/scores/service.ts";

/** The fit that a reported score means; undefined when it is no number. */
export const icpOf = (score: unknown): Fit | undefined =>
  typeof score === "number" && Number.isFinite(score) ? fitOf(Math.round(score)) : undefined;
