/**
 * Sign-in to a mailbox by its provider, in place of a password: OAuth 2.0 with the operator's own client, for IMAP by XOAUTH2.
 * Google: developers.google.com/workspace/gmail/imap/xoauth2-protocol and identity/protocols/oauth2/web-server.
 * Microsoft: learn.microsoft.com/exchange, "Authenticate an IMAP, POP or SMTP connection using OAuth".
 */
import { createHash } from "node:crypto";
import { singleton } from "#lib/core/singleton.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { Env } from "#lib/settings/env.ts";
import type { MailServer } from "../imap/client.ts";
import { ProviderFault, request } from "../request.ts";

const mailProviders = ["google", "microsoft"] as const;
export type MailProvider = (typeof mailProviders)[number];

type Client = { id: string; secret: string };

type Described = {
  label: string;
  server: MailServer;
  scope: string;
  /** what else the person's browser is sent to it with */
  params: Readonly<Record<string, string>>;
  clientOf(env: Env): Client | null;
  /** where it asks people, and where it gives tokens */
  addressesOf(env: Env): { authorize: string; token: string };
};

const imaps = (host: string): MailServer => ({ host, port: 993, secure: true });

/** Tests put their stand-ins in its place. */
export const described = singleton<Record<MailProvider, Described>>("mail-sign-in", () => ({
  google: {
    label: "Google",
    server: imaps("imap.gmail.com"),
    scope: "https://mail.google.com/ openid email",
    // It gives a refresh token only with both.
    params: { access_type: "offline", prompt: "consent" },
    clientOf: ({ GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret }) => (id && secret ? { id, secret } : null),
    addressesOf: () => ({
      authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
    }),
  },
  microsoft: {
    label: "Microsoft",
    server: imaps("outlook.office365.com"),
    scope: "https://outlook.office.com/IMAP.AccessAsUser.All offline_access openid email",
    params: { prompt: "select_account" },
    clientOf: ({ MICROSOFT_CLIENT_ID: id, MICROSOFT_CLIENT_SECRET: secret }) => (id && secret ? { id, secret } : null),
    addressesOf({ MICROSOFT_TENANT: tenant = "" }) {
      const base = `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0`;
      return { authorize: `${base}/authorize`, token: `${base}/token` };
    },
  },
}));

/** The providers whose client the operator has set. */
export const signInProviders = (): MailProvider[] =>
  mailProviders.filter((provider) => described[provider].clientOf(getBoot().env) !== null);

/** The provider that signs people in to the mailboxes of a server; null when none does. */
export const providerOf = ({ host }: Pick<MailServer, "host">): MailProvider | null =>
  signInProviders().find((provider) => described[provider].server.host === host) ?? null;

/** The person took the permission back, or it ended: they have to sign in again. */
export class SignInOver extends Error {
  override name = "SignInOver";
}

export type Tokens = {
  accessToken: string;
  /** until when, in milliseconds of the clock */
  endsAt: number;
  /** null: the one that was sent goes on working */
  refreshToken: string | null;
  /** the account's own address; null where the answer does not say it */
  address: string | null;
};

type SignInRequest = { redirectUri: string; state: string; verifier: string; address: string | null };

/** Where the person's browser is sent to. */
export function authorizationAddress(
  provider: MailProvider,
  { redirectUri, state, verifier, address }: SignInRequest,
): string {
  const { scope, params, addressesOf } = described[provider];
  const url = new URL(addressesOf(getBoot().env).authorize);
  const parameters = {
    response_type: "code",
    client_id: clientOf(provider).id,
    redirect_uri: redirectUri,
    ...{ scope, state, code_challenge: createHash("sha256").update(verifier).digest("base64url") },
    code_challenge_method: "S256",
    ...params,
    ...(address ? { login_hint: address } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Exchanges the code that the browser came back with. Throws `SignInOver` for one that does not work, and `ProviderFault`. */
export const exchangeCode = (
  provider: MailProvider,
  { code, verifier, redirectUri }: { code: string; verifier: string; redirectUri: string },
): Promise<Tokens> =>
  ask(provider, { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: redirectUri });

/** A new access token. Throws `SignInOver` and `ProviderFault`. */
export const refreshTokens = (provider: MailProvider, refreshToken: string): Promise<Tokens> =>
  ask(provider, { grant_type: "refresh_token", refresh_token: refreshToken, scope: described[provider].scope });

function clientOf(provider: MailProvider): Client {
  const { label, clientOf: of } = described[provider];
  const client = of(getBoot().env);
  if (!client) throw new ProviderFault(label, "refused", { reason: "this server has no client for it any more" });
  return client;
}

/** An hour, where the answer does not say how long. */
const USUAL_SECONDS = 3_600;

async function ask(provider: MailProvider, form: Readonly<Record<string, string>>): Promise<Tokens> {
  const { label, addressesOf } = described[provider];
  const { id, secret } = clientOf(provider);
  const { origin, pathname } = new URL(addressesOf(getBoot().env).token);
  const { status, body } = await request(
    { provider: label, base: origin, configured: true },
    {
      method: "POST",
      path: pathname,
      headers: {},
      form: { client_id: id, client_secret: secret, ...form },
      accepts: [400],
      whyIn: (answer) => textOf(answer, "error_description") ?? textOf(answer, "error"),
    },
  );
  const now = Date.now();
  const error = textOf(body, "error");
  if (error === "invalid_grant" || error === "interaction_required") throw new SignInOver();
  const accessToken = textOf(body, "access_token");
  if (status !== 200 || accessToken === null)
    throw new ProviderFault(label, status === 200 ? "unreadable" : "rejected", { status, reason: error });
  const seconds = Number((body as { expires_in?: unknown }).expires_in);
  return {
    accessToken,
    endsAt: now + (seconds > 0 ? seconds : USUAL_SECONDS) * 1_000,
    refreshToken: textOf(body, "refresh_token"),
    address: addressIn(textOf(body, "id_token"), id),
  };
}

const textOf = (body: unknown, name: string): string | null => {
  const value = (body as Record<string, unknown> | null)?.[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/**
 * The address in an ID token. Its signature needs no check: it came from the provider itself over TLS (OpenID Connect Core, 3.1.3.7);
 * only that it is for us is looked at.
 */
function addressIn(idToken: string | null, clientId: string): string | null {
  const [, payload] = idToken?.split(".") ?? [];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (textOf(claims, "aud") !== clientId) return null;
    return (textOf(claims, "email") ?? textOf(claims, "preferred_username"))?.toLowerCase() ?? null;
  } catch {
    return null;
  }
}
