import { HOUR_MS } from "#lib/text/time.ts";
import type { DeliveryStatus } from "../contract.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The pause before each attempt but the first, as Standard Webhooks recommends. */
export const PAUSES_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Pauses are up to this much longer, so that targets that failed together are not all tried together. */
export const JITTER = 0.2;

/** The longest time that a target may ask us to wait. */
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** What a target answered, as far as it decides what comes next. `status` is null when there was no answer. */
export type TargetAnswer = { ok: boolean; status: number | null; retryAfterMs: number | null };

/** How a trigger's target does. */
export type Standing = { failingSince: Date | null; givenUp: number };

export type Verdict = {
  status: DeliveryStatus;
  tries: number;
  nextAt: Date;
  standing: Standing;
  /** why the trigger stops; null: it goes on */
  stops: "gone" | "failing" | null;
};

/**
 * What follows from an attempt. `tries`: failed attempts of this delivery's schedule before it; `random` is in 0..1.
 * A trigger stops when its target says 410, or when a delivery was given up and the next one fails as well: then
 * nothing was accepted for the whole schedule, more than three days.
 */
export function verdictOn(
  { ok, status, retryAfterMs }: TargetAnswer,
  tries: number,
  standing: Standing,
  now: Date,
  random: number,
): Verdict {
  if (ok) return { status: "delivered", tries, nextAt: now, standing: { failingSince: null, givenUp: 0 }, stops: null };
  const failed = tries + 1;
  const failing = { failingSince: standing.failingSince ?? now, givenUp: standing.givenUp };
  if (status === 410) return { status: "pending", tries: 0, nextAt: now, standing: failing, stops: "gone" };
  if (standing.givenUp > 0) return { status: "pending", tries: 0, nextAt: now, standing: failing, stops: "failing" };
  const pause = PAUSES_MS[failed - 1];
  if (pause === undefined) {
    const standing = { ...failing, givenUp: failing.givenUp + 1 };
    return { status: "failed", tries: failed, nextAt: now, standing, stops: null };
  }
  const wait = Math.max(pause * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, LONGEST_WAIT_MS));
  return {
    status: "pending",
    tries: failed,
    nextAt: new Date(now.getTime() + wait),
    standing: failing,
    stops: null,
  };
}
