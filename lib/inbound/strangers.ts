import { BoundedCounter } from "#lib/core/bounded-counter.ts";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";

/** Unverified requests a minute from one address before it is refused. Verified ones are never counted. */
const MOST = 600;

const unproven = singleton("inbound-strangers", () => new BoundedCounter(60_000));

/** Throws 429 `rate_limited` for an address that keeps sending unverified requests. */
export function admit(address: string): void {
  if (getBoot().env.RATE_LIMIT_PER_MINUTE === 0) return;
  const { count, endsIn } = unproven.get(address);
  if (count < MOST) return;
  const seconds = Math.max(1, Math.ceil(endsIn / 1000));
  throw new Fault("rate_limited", { retry_after: seconds });
}

/** Counts an unverified request. */
export const countUnproven = (address: string): void => void unproven.add(address);
