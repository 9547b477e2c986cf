/** The confidence of a fact of the GTM profile that someone stated: it is how they sell. One that a machine drafted has less. */
export const ASSERTED_CONFIDENCE = 1;

type Standing = {
  freshness: "fresh" | "aging" | "suspect" | "expired";
  epistemic_class: "asserted" | "observed" | "inferred";
};

/** Why a fact should be looked at again; null when it need not be. `suspect` and `expired` are 90 days and more. */
export function worthRevisiting({ freshness, epistemic_class }: Standing): "old" | "inferred" | null {
  if (freshness === "suspect" || freshness === "expired") return "old";
  return epistemic_class === "inferred" ? "inferred" : null;
}
