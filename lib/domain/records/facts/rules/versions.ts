import { type Belief, deriveBelief, type Evidence, type FactValue } from "#lib/domain/records/evidence/service.ts";

/** One wording of a fact, from when it was learned until it was replaced. */
export type Version = {
  id: string;
  value: FactValue;
  belief: Pick<
    Belief,
    "method" | "source" | "observationId" | "sourceCount" | "recordedAt" | "lastObservedAt" | "conflicts"
  >;
  /**
   * null while current; `by` is the fact that replaced it (the same id when only the wording changed), null when
   * retired
   */
  end: { by: string | null; at: Date } | null;
};

/**
 * Every wording of one fact, oldest first. `evidence` is all evidence on the fact in the order it was learned; each
 * prefix is derived with the one derivation, and a version ends where the derived belief changes.
 */
export function versionsOf(id: string, evidence: readonly Evidence[]): Version[] {
  const versions: Version[] = [];
  for (let length = 1; length <= evidence.length; length++) {
    const belief = deriveBelief(evidence.slice(0, length));
    if (!belief) continue;
    const value = belief.value as FactValue;
    const open = versions.at(-1);
    if (belief.ended) {
      if (open && !open.end) open.end = { by: belief.ended.causedBy, at: belief.ended.recordedAt };
      continue;
    }
    if (open && !open.end && open.value.content === value.content && open.value.category === value.category) {
      open.belief = belief;
      continue;
    }
    if (open && !open.end) open.end = { by: id, at: (evidence[length - 1] as Evidence).recordedAt };
    versions.push({ id, value, belief, end: null });
  }
  return versions;
}
