import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import { getBoot } from "#lib/core/boot.ts";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";

const limiter = singleton("rate-limiter", () => new Map<number, RateLimiterMemory>());

/**
 * Counts one request of `id` against the minute's limit and returns the headers that say what is left. Throws 429
 * `rate_limited`. Each instance counts on its own, so `n` instances allow up to `n` times the limit.
 */
export async function countRequest(id: string, headers: Record<string, string>): Promise<void> {
  const limit = getBoot().env.RATE_LIMIT_PER_MINUTE;
  if (limit === 0) return;
  let counter = limiter.get(limit);
  if (!counter) {
    counter = new RateLimiterMemory({ points: limit, duration: 60 });
    limiter.set(limit, counter);
  }
  let state: RateLimiterRes;
  let refused = false;
  try {
    state = await counter.consume(id);
  } catch (rejected) {
    if (rejected instanceof Error) throw rejected;
    state = rejected as RateLimiterRes;
    refused = true;
  }
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  headers["RateLimit-Limit"] = String(limit);
  headers["RateLimit-Remaining"] = String(Math.max(0, state.remainingPoints));
  headers["RateLimit-Reset"] = String(seconds);
  if (refused) throw new Fault("rate_limited", { retry_after: seconds });
}
