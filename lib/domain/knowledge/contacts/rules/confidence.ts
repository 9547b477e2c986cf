import { confidenceAt, deriveBelief, type Evidence, evidenceAt } from "#lib/domain/records/evidence/service.ts";
import { HOUR_MS } from "#lib/text/time.ts";

/** Moments between the first evidence and now, evenly spread, and no closer than an hour. */
const STEPS = 40;
/** Evidence whose own moments are added: the latest. */
const MOST_MOMENTS = 40;
/** Evidence that is weighed: the latest, so that a property that changes every hour is answered too. */
const MOST_WEIGHED = 300;

export type ConfidencePoint = { at: Date; confidence: number };

/** How sure one could be of a property over time, by what is known today; the oldest first, `now` last. */
export function confidenceOver(evidence: readonly Evidence[], now: Date): ConfidencePoint[] {
  const weighed = evidence
    .filter(({ observedAt }) => observedAt <= now)
    .toSorted((a, b) => a.observedAt.getTime() - b.observedAt.getTime())
    .slice(-MOST_WEIGHED);
  const [first] = weighed;
  if (!first) return [];
  const begin = first.observedAt.getTime();
  const span = now.getTime() - begin;
  const steps = Math.max(1, Math.min(STEPS, Math.floor(span / HOUR_MS)));
  const moments = new Set([
    ...Array.from({ length: steps }, (_, step) => Math.round(begin + (span * step) / steps)),
    now.getTime(),
    ...weighed.slice(-MOST_MOMENTS).map(({ observedAt }) => observedAt.getTime()),
  ]);
  return [...moments]
    .sort((a, b) => a - b)
    .map((moment) => {
      const at = new Date(moment);
      const belief = deriveBelief(evidenceAt(weighed, at, null));
      return { at, confidence: belief && !belief.ended ? confidenceAt(belief, at) : 0 };
    });
}
