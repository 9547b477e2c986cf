import {
  confidenceAt,
  type Evidence,
  type FactValue,
  factIdOf,
  freshnessAt,
} from "#lib/domain/records/evidence/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Fact, FactVersion } from "./contract.ts";
import type { ClaimRow } from "./queries.ts";
import type { Version } from "./rules/versions.ts";
import { ASSERTED_CONFIDENCE } from "./words.ts";

/** How far a fact of the profile can be trusted: what was asserted, fully; what a machine drafted, as any belief. */
const confidenceOf = (belief: Parameters<typeof confidenceAt>[0], now: Date): number =>
  belief.method === "asserted" ? ASSERTED_CONFIDENCE : confidenceAt(belief, now);

/** The wire form of a current fact; confidence and freshness as of `now`. */
export function factOfClaim(row: ClaimRow, now: Date): FactVersion {
  return {
    id: factIdOf(row.property),
    category: row.category,
    content: row.content,
    source: row.source,
    recorded_at: formatTime(row.recordedAt),
    confidence: confidenceOf({ ...row, conflicts: { length: row.conflictCount } }, now),
    freshness: freshnessAt(row.lastObservedAt, now),
    epistemic_class: row.method,
    last_observed_at: formatTime(row.lastObservedAt),
    supersedes: row.supersedes,
  };
}

/** The wire form of one version in history. */
export function factOfVersion(version: Version, now: Date, withHistory: boolean): FactVersion {
  const { value, belief, end } = version;
  return {
    id: version.id,
    category: value.category,
    content: value.content,
    source: belief.source,
    recorded_at: formatTime(belief.recordedAt),
    confidence: confidenceOf(belief, now),
    freshness: freshnessAt(belief.lastObservedAt, now),
    epistemic_class: belief.method,
    last_observed_at: formatTime(belief.lastObservedAt),
    supersedes: value.supersedes ?? null,
    ...(withHistory && end ? { superseded_by: end.by, superseded_at: formatTime(end.at) } : {}),
  };
}

/** The wire form of a fact that was just recorded. */
export const factOfEvidence = (
  evidence: Pick<Evidence, "property" | "source" | "recordedAt"> & { value: FactValue },
): Fact => ({
  id: factIdOf(evidence.property),
  category: evidence.value.category,
  content: evidence.value.content,
  source: evidence.source,
  recorded_at: formatTime(evidence.recordedAt),
});
