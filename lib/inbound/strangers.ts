import { getBoot } from "#lib/core/boot.ts";
import { BoundedCounter } from "#lib/core/bounded-counter.ts";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";

/** Requests of one address that proved nothing, a minute, before it is not listened to. Proven ones are never counted. */
const MOST = 600;

const unproven = singleton("inbound-strangers", () => new BoundedCounter(60_000));

/** Throws 429 `rate_limited` for an address that keeps sending what proves nothing. */
export function admit(address: string): void {
  if (getBoot().env.RATE_LIMIT_PER_MINUTE === 0) return;
  const { count, endsIn } = unproven.get(address);
  if (count < MOST) return;
  const seconds = Math.max(1, Math.ceil(endsIn / 1000));
  throw new Fault("rate_limited", { retry_after: seconds });
}

/** Counts a request that proved nothing. */
export const countUnproven = (address: string): void => void unproven.add(address);
