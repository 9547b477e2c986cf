import { Fault } from "#lib/core/errors.ts";
import { getSelf } from "#lib/providers/attio/client.ts";
import { getMe } from "#lib/providers/cal-com/client.ts";
import { addressOf } from "#lib/providers/endpoints.ts";
import { getAccount } from "#lib/providers/hubspot/client.ts";
import { ProviderFault } from "#lib/providers/request.ts";
import type { Provider } from "../contract.ts";
import { type Credentials, isProvider, readCredentials, traits } from "../rules.ts";

/** The account behind the credentials, where the provider names it. */
export type Asked = {
  provider: Provider;
  credentials: Credentials;
  accountId: string | null;
  account: string | null;
  /** e-mail addresses of the account, which are hosts and never contacts */
  ownAddresses: string[];
};

/** Throws 404 `unknown_provider`. */
export function requireProvider(text: string): Provider {
  if (!isProvider(text)) throw new Fault("unknown_provider", { provider: text.slice(0, 100) });
  return text;
}

/** Asks the provider whether it accepts the credentials. Throws `invalid_credentials` with its reason, or `provider_unavailable`. */
export async function askProvider(given: { provider: string; credentials: Credentials }): Promise<Asked> {
  const provider = requireProvider(given.provider);
  const checked = readCredentials(provider, given.credentials);
  if ("wrong" in checked) throw refusal(provider, checked.wrong);
  const credentials = checked.read;
  try {
    return { provider, credentials, ...(await accountOf(provider, credentials)) };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    if (error.trouble === "refused") throw refusal(provider, error.reason ?? `it answered ${error.status}`);
    const { retryAfterMs, trouble } = error;
    throw new Fault(
      "provider_unavailable",
      { provider, reason: trouble, ...(retryAfterMs === null ? {} : { retry_after: Math.ceil(retryAfterMs / 1000) }) },
      `${error.message} Nothing was changed; try again in a moment.`,
    );
  }
}

const refusal = (provider: Provider, reason: string): Fault =>
  new Fault(
    "invalid_credentials",
    { provider, reason },
    `${traits[provider].displayName} does not accept these credentials: ${reason.replace(/\.$/, "")}.`,
  );

const nobody = { accountId: null, account: null, ownAddresses: [] };

async function accountOf(provider: Provider, { api_key = "", access_token = "" }: Credentials) {
  if (provider === "fathom") return nobody; // it only delivers; its signatures are checked as they come
  if (provider === "cal_com") {
    const { id, email, name, username } = await getMe({ ...addressOf("CAL_COM_API_URL"), apiKey: api_key });
    const known = name || username;
    const account = known && email ? `${known} (${email})` : known || email || `account ${id}`;
    return { accountId: id, account, ownAddresses: email ? [email.toLowerCase()] : [] };
  }
  const crms = { attio: [getSelf, "ATTIO_API_URL"], hubspot: [getAccount, "HUBSPOT_API_URL"] } as const;
  const [ask, address] = crms[provider]; // a provider that is missing here is a type error
  const { base, configured } = addressOf(address);
  const self = await ask(base, configured, access_token);
  return { accountId: self.id, account: self.name, ownAddresses: [] };
}
