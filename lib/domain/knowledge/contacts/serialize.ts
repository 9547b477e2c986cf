import { confidenceAt, type Evidence, freshnessAt } from "#lib/domain/records/evidence/service.ts";
import { nameOf } from "#lib/domain/records/names/service.ts";
import { formatTime } from "#lib/text/time.ts";
import type { Account, ClaimView } from "./contract.ts";
import type { Member, ObservationRow } from "./queries/account.ts";
import { type Assessment, type Claim, nameBeside } from "./rules/claims.ts";

type Json = ClaimView["value"];

/** Names of companies by their ids, which `works_at` holds. */
export type EmployerNames = ReadonlyMap<string, string>;

const named = (value: unknown, names: EmployerNames | null): { name?: string } => {
  const name = typeof value === "string" ? names?.get(value) : undefined;
  return name === undefined ? {} : { name };
};

/**
 * The wire form of a claim; confidence and freshness as of `now`. `employer`: the company of `works_at`; `rivals`: those that
 * disagree with it.
 */
export function viewOfClaim(
  claim: Claim,
  employer: { id: string; name: string } | null,
  now: Date,
  rivals: EmployerNames | null = null,
): ClaimView {
  const name = nameBeside(claim, employer);
  const conflicts = claim.conflicts as NonNullable<ClaimView["conflicts"]>;
  const names = claim.property === "works_at" ? rivals : null;
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
    ...(conflicts.length > 0
      ? { conflicts: names ? conflicts.map((each) => ({ ...each, ...named(each.value, names) })) : conflicts }
      : {}),
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
export const viewOfEvidence = (item: Evidence, names: EmployerNames | null = null) => ({
  observation_id: item.id,
  value: item.value as Json,
  ...named(item.value, names),
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
