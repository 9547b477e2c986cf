import { getBoot } from "#lib/core/boot.ts";
import { isConfigured } from "#lib/core/env.ts";
import type { Address, Provider } from "./provider.ts";

/** The address of a provider's API. */
export function addressOf({ address }: Pick<Provider, "address">): Address {
  const { env } = getBoot();
  return { base: env[address], configured: isConfigured(env, address) };
}
