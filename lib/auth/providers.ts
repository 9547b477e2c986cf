import type { OAuthConfig } from "next-auth/providers/oauth";
import { together } from "#lib/core/together.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { DAY_MS } from "#lib/text/time.ts";

export type ProviderId = "google" | "github" | "oidc";

/** The providers this server is set up for, with the words for their buttons. */
export function providersOffered(): { id: ProviderId; name: string }[] {
  const { GOOGLE_CLIENT_ID, GITHUB_CLIENT_ID, OIDC_ISSUER, OIDC_NAME } = getBoot().env;
  const offered: { id: ProviderId; name: string }[] = [];
  if (GOOGLE_CLIENT_ID) offered.push({ id: "google", name: "Google" });
  if (GITHUB_CLIENT_ID) offered.push({ id: "github", name: "GitHub" });
  if (OIDC_ISSUER) offered.push({ id: "oidc", name: OIDC_NAME });
  return offered;
}

/** What a provider says about a person. `email` counts only when the provider has verified it. */
type Claims = {
  sub?: string;
  id?: number;
  login?: string;
  name?: string | null;
  email?: string | null;
  email_verified?: unknown;
};

type OpenId = {
  id: ProviderId;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What the provider is asked for beside the usual. */
  params?: Record<string, string>;
  /** The accepted ways to sign in (`acr`): an ID token must name one of them. Unset: any. */
  acrValues?: readonly string[] | undefined;
};

const openid = ({ id, name, issuer, clientId, clientSecret, params = {}, acrValues }: OpenId): OAuthConfig<Claims> => ({
  id,
  name,
  type: "oauth",
  wellKnown: `${withoutSlash(issuer)}/.well-known/openid-configuration`,
  authorization: { params: { scope: "openid email profile", ...params } },
  token: {
    // What next-auth does itself, between two checks that it does not make.
    async request({ client, provider, params: answer, checks }) {
      const named = client.issuer.metadata.issuer;
      if (withoutSlash(named) !== withoutSlash(issuer))
        throw new Error(`the metadata of ${issuer} name another issuer: ${named}`);
      const tokens = await client.callback(provider.callbackUrl, answer, checks);
      const { acr } = tokens.claims();
      if (acrValues && !acrValues.includes(acr ?? ""))
        throw new Error(`the provider signed in with acr ${acr ?? "unset"}, which OIDC_ACR_VALUES does not have`);
      return { tokens };
    },
  },
  idToken: true,
  checks: ["pkce", "state", "nonce"],
  clientId,
  clientSecret,
  profile: ({ sub, name, email }) => ({ id: String(sub), name: name ?? null, email: email ?? null }),
});

const withoutSlash = (address: string): string => address.replace(/\/$/, "");

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
  if (env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET) {
    const { OIDC_NAME: name, OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
    const { OIDC_ACR_VALUES: acrValues, SESSION_MAX_DAYS } = env;
    const params = {
      max_age: String((SESSION_MAX_DAYS * DAY_MS) / 1_000),
      ...(acrValues ? { acr_values: acrValues.join(" ") } : {}),
    };
    providers.push(openid({ id: "oidc", name, issuer, clientId, clientSecret, params, acrValues }));
  }
  return providers;
}
