import { attio } from "./attio/provider.ts";
import { calCom } from "./cal-com/provider.ts";
import { fathom } from "./fathom/provider.ts";
import { hubspot } from "./hubspot/provider.ts";
import type { Provider } from "./provider.ts";

/** Every provider by its name in the API, in the order of lists. The rest is derived from this. */
export const registry = {
  cal_com: calCom,
  fathom,
  hubspot,
  attio,
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof registry;
/** Those that deliver to us. */
export type DeliveringName = {
  [N in ProviderName]: (typeof registry)[N] extends { inbound: unknown } ? N : never;
}[ProviderName];

export const providerNames = Object.keys(registry) as [ProviderName, ...ProviderName[]];
export const deliveringNames = providerNames.filter((name) => "inbound" in registry[name]) as [
  DeliveringName,
  ...DeliveringName[],
];

/** The CRMs. */
export const crmNames = providerNames.filter((name) => "crm" in registry[name]);

/** The description of a provider. */
export const providerOf = (name: ProviderName): Provider => registry[name];

export const isProviderName = (text: string): text is ProviderName => Object.hasOwn(registry, text);
