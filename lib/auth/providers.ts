import type { OAuthConfig } from "next-auth/providers/oauth";
import { together } from "#lib/core/together.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { OidcProvider } from "#lib/settings/oidc.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { metadataAddress, oidcProvider, oidcProviders, requireIssuer } from "./oidc.ts";

/** A provider as people choose it. */
export type OfferedProvider = { id: string; name: string };

/** The providers this server is set up for, with the words for their buttons. */
export function providersOffered(): OfferedProvider[] {
  const { GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID } = getBoot().env;
  const offered: OfferedProvider[] = [];
  if (GOOGLE_CLIENT_ID) offered.push({ id: "google", name: "Google" });
  if (GITHUB_CLIENT_ID) offered.push({ id: "github", name: "GitHub" });
  return [...offered, ...oidcProviders().map(({ id, name }) => ({ id, name }))];
}

/** Under what the logins of a provider are kept: the issuer of an OIDC provider, because only that makes its ids of people unique. */
export const keptUnder = (id: string): string => oidcProvider(id)?.issuer ?? id;

/** The provider that logins kept under this name belong to; null when the server has it no more. */
export const offeredAs = (kept: string): OfferedProvider | null =>
  providersOffered().find(({ id }) => keptUnder(id) === kept) ?? null;

/** What a provider says about a person. `email` counts only when the provider has verified it. */
type Claims = {
  sub?: string;
  id?: number;
  login?: string;
  name?: string | null;
  email?: string | null;
  email_verified?: unknown;
};

type OpenId = Pick<OidcProvider, "id" | "name" | "issuer" | "clientId" | "clientSecret"> &
  Partial<Pick<OidcProvider, "scopes" | "acrValues">> & {
    /** What the provider is asked for beside the usual. */
    params?: Record<string, string>;
  };

/**
 * A provider of OpenID Connect. Which one a sign-in was begun with is in the signed cookies of state, nonce and PKCE and in the address that it
 * leads back to, and `iss` in the answer has to be its own (RFC 9207): so no provider gets the code of another.
 */
const openid = ({
  id,
  name,
  issuer,
  clientId,
  clientSecret,
  params = {},
  scopes = [],
  acrValues = null,
}: OpenId): OAuthConfig<Claims> => ({
  id,
  name,
  type: "oauth",
  wellKnown: metadataAddress(issuer),
  authorization: { params: { scope: ["openid email profile", ...scopes].join(" "), ...params } },
  token: {
    // What next-auth does itself, between two checks that it does not make.
    async request({ client, provider, params: answer, checks }) {
      requireIssuer(client.issuer.metadata.issuer, issuer);
      const tokens = await client.callback(provider.callbackUrl, answer, checks);
      const { acr } = tokens.claims();
      if (acrValues && !acrValues.includes(acr ?? ""))
        throw new Error(`${name} signed in with acr ${acr ?? "unset"}, which its accepted values do not have`);
      return { tokens };
    },
  },
  idToken: true,
  checks: ["pkce", "state", "nonce"],
  clientId,
  clientSecret,
  profile: ({ sub, name, email }) => ({ id: String(sub), name: name ?? null, email: email ?? null }),
});

/**
 * When the person behind these claims last proved to the provider who they are. `auth_time` must be there when `max_age` was asked for
 * (OpenID Connect Core, 2); a provider that leaves it out is taken to have asked just now.
 */
export function provenAt(claims: object | undefined, now: Date): Date {
  const { auth_time } = (claims ?? {}) as { auth_time?: unknown };
  const time = typeof auth_time === "number" ? auth_time * 1_000 : now.getTime();
  return new Date(Math.min(time, now.getTime()));
}

const GITHUB_API = "https://api.github.com";

const github = (clientId: string, clientSecret: string): OAuthConfig<Claims> => ({
  id: "github",
  name: "GitHub",
  type: "oauth",
  authorization: { url: "https://github.com/login/oauth/authorize", params: { scope: "read:user user:email" } },
  token: "https://github.com/login/oauth/access_token",
  userinfo: {
    url: `${GITHUB_API}/user`,
    // The profile's own e-mail may be one GitHub never verified: the list of addresses shows which is.
    async request({ tokens }) {
      const headers = { authorization: `Bearer ${tokens.access_token}`, "user-agent": "Rapport" };
      const [user, emails] = await together(
        ["/user", "/user/emails"].map(async (path) => {
          const response = await fetch(`${GITHUB_API}${path}`, {
            headers,
            redirect: "error",
            signal: AbortSignal.timeout(10_000),
          });
          if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${path}`);
          return response.json();
        }),
      );
      const verified = (emails as { email: string; primary: boolean; verified: boolean }[]).find(
        (each) => each.primary && each.verified,
      );
      return { ...user, email: verified?.email ?? null, email_verified: verified !== undefined };
    },
  },
  clientId,
  clientSecret,
  profile: ({ id, login, name, email }) => ({ id: String(id), name: name ?? login ?? null, email: email ?? null }),
});

/** The providers in the form that next-auth needs. */
export function oauthProviders(): OAuthConfig<Claims>[] {
  const { env } = getBoot();
  const providers: OAuthConfig<Claims>[] = [];
  if (env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET) {
    const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = env;
    providers.push(
      openid({ id: "google", name: "Google", issuer: "https://accounts.google.com", clientId, clientSecret }),
    );
  }
  if (env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET)
    providers.push(github(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET));
  const max_age = String((env.SESSION_MAX_DAYS * DAY_MS) / 1_000);
  for (const provider of oidcProviders()) {
    const { acrValues } = provider;
    providers.push(
      openid({ ...provider, params: { max_age, ...(acrValues ? { acr_values: acrValues.join(" ") } : {}) } }),
    );
  }
  return providers;
}
