import { BoundedCounter } from "#lib/core/bounded-counter.ts";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";

const requests = singleton("rate-limit", () => new BoundedCounter(60_000));

/**
 * Counts one request of `id` against the minute's limit and returns the headers that say what is left. Throws 429
 * `rate_limited`. Each instance counts on its own, so `n` instances allow up to `n` times the limit.
 */
export function countRequest(id: string, headers: Record<string, string>): void {
  const limit = getBoot().env.RATE_LIMIT_PER_MINUTE;
  if (limit === 0) return;
  const { count, endsIn } = requests.add(id);
  const seconds = Math.max(1, Math.ceil(endsIn / 1000));
  headers["RateLimit-Limit"] = String(limit);
  headers["RateLimit-Remaining"] = String(Math.max(0, limit - count));
  headers["RateLimit-Reset"] = String(seconds);
  if (count > limit) throw new Fault("rate_limited", { retry_after: seconds });
}
