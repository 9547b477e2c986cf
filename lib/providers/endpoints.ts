import { getBoot } from "#lib/settings/boot.ts";
import { type Env, isConfigured } from "#lib/settings/env.ts";
import type { Address, Provider } from "./provider.ts";

/** The address of a provider's API. */
export function addressOf({ address }: Pick<Provider, "address">): Address {
  const { env } = getBoot();
  return isSetting(address, env)
    ? { base: env[address], configured: isConfigured(env, address) }
    : { base: address, configured: false };
}

type Setting = Exclude<Provider["address"], `https://${string}`>;

const isSetting = (address: Provider["address"], env: Env): address is Setting => address in env;
