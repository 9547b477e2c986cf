import { confidenceAt, type Evidence, freshnessAt } from "#lib/domain/records/evidence/service.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Account, ClaimView } from "./contract.ts";
import type { Member, ObservationRow } from "./queries/account.ts";
import { type Assessment, type Claim, nameBeside } from "./rules/claims.ts";

type Json = ClaimView["value"];

/** The wire form of a claim; confidence and freshness as of `now`. `employer`: the company of `works_at`. */
export function viewOfClaim(claim: Claim, employer: { id: string; name: string } | null, now: Date): ClaimView {
  const name = nameBeside(claim, employer);
  return {
    property: claim.property,
    value: claim.value as Json,
    ...(name === null ? {} : { name }),
    confidence: confidenceAt(claim, now),
    freshness: freshnessAt(claim.lastObservedAt, now),
    epistemic_class: claim.method,
    source: claim.source,
    observation_count: claim.observationCount,
    last_observed_at: formatTime(claim.lastObservedAt),
    ...(claim.conflicts.length > 0 ? { conflicts: claim.conflicts as ClaimView["conflicts"] } : {}),
  };
}

export const viewOfObservation = (row: ObservationRow): Account["recent_observations"][number] => ({
  id: row.id,
  kind: row.kind,
  property: row.property,
  value: row.value as Json,
  source: row.source,
  observed_at: formatTime(row.observedAt),
  recorded_at: formatTime(row.recordedAt),
});

/** One piece of evidence on a property. */
export const viewOfEvidence = (item: Evidence) => ({
  observation_id: item.id,
  value: item.value as Json,
  source: item.source,
  epistemic_class: item.method,
  observed_at: formatTime(item.observedAt),
  recorded_at: formatTime(item.recordedAt),
  ...(item.causedBy ? { caused_by: item.causedBy } : {}),
});

export const viewOfAssessment = ({ value, confidence, freshness }: Assessment) => ({
  value: value as Json,
  confidence,
  freshness,
});

export const viewOfMember = (row: Member) => ({ entity_id: row.id, name: nameOf(row), job_title: row.jobTitle });
