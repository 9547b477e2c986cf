import { createHash } from "node:crypto";
import { type RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { Fault } from "#lib/core/errors.ts";
import { hashForLog, log } from "#lib/core/log.ts";
import { together } from "#lib/core/together.ts";
import { getPool } from "#lib/db/pool.ts";
import { countersOn } from "./queries/throttles.ts";

/**
 * `attempts` within `seconds` are free. The next one has to wait for `waits[0]` seconds. Each further time the free
 * attempts are used up within a day, the next wait of the list applies; the last wait repeats.
 */
export type Throttle = { name: string; attempts: number; seconds: number; waits: readonly [number, ...number[]] };

const DAY = 86_400;

type Counters = { attempts: RateLimiterPostgres; strikes: RateLimiterPostgres };
const byPool = new WeakMap<object, Map<string, Counters>>();

async function countersOf({ name, attempts, seconds }: Throttle): Promise<Counters> {
  const pool = await getPool();
  const ownCounters = byPool.get(pool) ?? new Map<string, Counters>();
  byPool.set(pool, ownCounters);
  const counters = ownCounters.get(name) ?? {
    attempts: countersOn(pool, name, attempts, seconds),
    strikes: countersOn(pool, `${name}-strikes`, 1, DAY),
  };
  ownCounters.set(name, counters);
  return counters;
}

/** Counters do not store addresses or e-mails in plain text. */
const hidden = (key: string): string => createHash("sha256").update(key).digest("base64url");

/**
 * Counts an attempt before it is made, so that simultaneous attempts cannot all pass. Throws 429 `rate_limited` with
 * `retry_after` seconds. `whenUsedUp`: called once each time that the free attempts are used up.
 */
export async function countAttempt(
  throttle: Throttle,
  key: string,
  whenUsedUp: () => void = () => undefined,
): Promise<void> {
  const { attempts, strikes } = await countersOf(throttle);
  const id = hidden(key);
  let wait: number;
  try {
    await attempts.consume(id);
    return;
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    wait = Math.ceil(refused.msBeforeNext / 1000);
    // Exactly one attempt is the first over the limit; it sets the wait for all.
    if (refused.consumedPoints === throttle.attempts + 1) {
      const { consumedPoints: strike } = await strikes.penalty(id);
      wait = throttle.waits[Math.min(strike, throttle.waits.length) - 1] as number;
      await attempts.block(id, wait);
      const key_hash = hashForLog(key);
      log.warn({ throttle: throttle.name, key_hash, wait_seconds: wait }, "too many attempts: the next has to wait");
      whenUsedUp();
    }
  }
  throw tooMany(wait);
}

/** As `countAttempt` does, throws while there are too many attempts, but counts none. */
export async function requireAttemptsLeft(throttle: Throttle, key: string): Promise<void> {
  const made = await (await countersOf(throttle)).attempts.get(hidden(key));
  if (made && made.consumedPoints > throttle.attempts) throw tooMany(Math.ceil(made.msBeforeNext / 1000));
}

function tooMany(wait: number): Fault {
  const retry_after = Math.max(1, wait);
  return new Fault("rate_limited", { retry_after }, `Too many attempts. Try again in ${inWords(retry_after)}.`);
}

/** The attempts were made by the right person: resets them to zero. */
export async function forgetAttempts(throttle: Throttle, key: string): Promise<void> {
  const { attempts, strikes } = await countersOf(throttle);
  const id = hidden(key);
  await together([attempts.delete(id), strikes.delete(id)]);
}

/** Takes back one attempt; the others, which may be someone else's, stay counted. */
export async function forgiveAttempt(throttle: Throttle, key: string): Promise<void> {
  await (await countersOf(throttle)).attempts.reward(hidden(key));
}

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`;
