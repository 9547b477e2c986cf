import { Fault } from "#lib/core/errors.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import type { Credentials } from "#lib/providers/provider.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import type { Provider } from "../contract.ts";
import { readCredentials } from "../rules.ts";

/** The portal behind the credentials, where the provider names it. */
export type ProviderPortal = {
  provider: Provider;
  credentials: Credentials;
  portalId: string | null;
  portalName: string | null;
  /** e-mail addresses of the portal, which are hosts and never contacts */
  ownAddresses: string[];
  /** when the credentials end, where the provider says so */
  endsAt: Date | null;
};

/** Throws 404 `unknown_provider`. */
export function requireProvider(text: string): Provider {
  if (!isProviderName(text)) throw new Fault("unknown_provider", { provider: text.slice(0, 100) });
  return text;
}

/** Asks the provider whether it accepts the credentials. Throws `invalid_credentials` with its reason, or `provider_unavailable`. */
export async function askProvider(request: { provider: string; credentials: Credentials }): Promise<ProviderPortal> {
  const provider = requireProvider(request.provider);
  const checked = readCredentials(provider, request.credentials);
  if ("wrong" in checked) throw refusal(provider, checked.wrong);
  const credentials = checked.read;
  try {
    const description = providerOf(provider);
    const { id, name, ownAddresses, endsAt = null } = await description.ask(addressOf(description), credentials);
    return { provider, credentials, portalId: id, portalName: name, ownAddresses: [...ownAddresses], endsAt };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    throw faultOf(provider, error);
  }
}

/** No answer is not a wrong key: the first is `provider_unavailable`, the second `invalid_credentials`. */
export function faultOf(provider: Provider, error: ProviderFault): Fault {
  const { retryAfterMs, trouble, status, reason } = error;
  if (trouble === "refused") return refusal(provider, reason ?? `it answered ${status}`);
  const wait = retryAfterMs === null ? {} : { retry_after: Math.ceil(retryAfterMs / 1000) };
  return new Fault(
    "provider_unavailable",
    { provider, reason: trouble, ...wait },
    `${error.message} ${status === null ? NO_ANSWER : "Nothing was changed; try again in a moment."}`,
  );
}

const NO_ANSWER =
  "The credentials were not checked and nothing was changed. Check this server's network, DNS, proxy and firewall, then try again.";

const refusal = (provider: Provider, reason: string): Fault =>
  new Fault(
    "invalid_credentials",
    { provider, reason },
    `${providerOf(provider).displayName} does not accept these credentials: ${reason.replace(/\.$/, "")}.`,
  );
