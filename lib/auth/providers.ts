import type { OAuthConfig } from "next-auth/providers/oauth";
import { together } from "#lib/core/together.ts";
import { getBoot } from "#lib/settings/boot.ts";

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

const openid = (
  id: ProviderId,
  name: string,
  issuer: string,
  clientId: string,
  clientSecret: string,
): OAuthConfig<Claims> => ({
  id,
  name,
  type: "oauth",
  wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
  authorization: { params: { scope: "openid email profile" } },
  idToken: true,
  checks: ["pkce", "state", "nonce"],
  clientId,
  clientSecret,
  profile: ({ sub, name, email }) => ({ id: String(sub), name: name ?? null, email: email ?? null }),
});

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
    providers.push(
      openid("google", "Google", "https://accounts.google.com", env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
    );
  }
  if (env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET)
    providers.push(github(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET));
  if (env.OIDC_ISSUER && env.OIDC_CLIENT_ID && env.OIDC_CLIENT_SECRET) {
    providers.push(openid("oidc", env.OIDC_NAME, env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET));
  }
  return providers;
}
