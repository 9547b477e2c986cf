import { RateLimiterMemory } from "rate-limiter-flexible";
import { getBoot } from "#lib/core/boot.ts";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";

/** Requests of one address that proved nothing, a minute, before it is not listened to. Proven ones are never counted. */
const MOST = 600;

const unproven = singleton("inbound-strangers", () => new RateLimiterMemory({ points: MOST, duration: 60 }));

/** Throws 429 `rate_limited` for an address that keeps sending what proves nothing. */
export async function admit(address: string): Promise<void> {
  if (getBoot().env.RATE_LIMIT_PER_MINUTE === 0) return;
  const state = await unproven.get(address);
  if (!state || state.consumedPoints < MOST) return;
  const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  throw new Fault("rate_limited", { retry_after: seconds });
}

/** Counts a request that proved nothing. */
export async function countUnproven(address: string): Promise<void> {
  await unproven.penalty(address);
}
