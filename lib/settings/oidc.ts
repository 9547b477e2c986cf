/** The OpenID Connect providers that people may sign in with, as the operator names them. */
import { z } from "zod";
import { refuse, text } from "./env-values.ts";

/** A provider. What is left out of the list in `OIDC_PROVIDERS` has its usual value here. */
export type OidcProvider = {
  /** In the address that people come back to: `/api/auth/callback/<id>`. */
  id: string;
  /** On the button. */
  name: string;
  /** Without a slash at its end. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The domains of the addresses that it may sign in; null: all that no other provider has for itself. */
  domains: readonly string[] | null;
  /** The claim of its ID tokens that names the person's groups. */
  groupsClaim: string;
  /** What it is asked for beside `openid email profile`. */
  scopes: readonly string[];
  /** The accepted ways to sign in (`acr`); null: any. */
  acrValues: readonly string[] | null;
};

/** The id of the provider that has variables of its own (`OIDC_ISSUER`). */
const SINGLE = "oidc";
/** Ids that next-auth or other providers have. */
const TAKEN: ReadonlySet<string> = new Set(["google", "github", "credentials"]);

const word = z.string().regex(/^\S+$/);
const Entry = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, "is not 1 to 32 of a-z, 0-9 and -"),
  name: z.string().trim().min(1).max(60),
  issuer: z.url({ protocol: /^https?$/ }),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  domains: z
    .array(z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "is not a domain in small letters, such as acme.com"))
    .min(1)
    .optional(),
  groups_claim: z.string().min(1).default("groups"),
  scopes: z.array(word).default([]),
  acr_values: z.array(word).min(1).optional(),
});

const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** A JSON list of providers. What is wrong is said without any value: one of them is a secret. */
export const oidcProviders = text((value): readonly OidcProvider[] => {
  const parsed = z.array(Entry).safeParse(jsonOf(value));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`is wrong at ${issue?.path.join(".") || "its beginning"}: ${issue?.message}`);
  }
  const providers = parsed.data.map(
    ({ issuer, client_id, client_secret, domains, groups_claim, acr_values, ...entry }): OidcProvider => ({
      ...entry,
      issuer: withoutSlash(issuer),
      clientId: client_id,
      clientSecret: client_secret,
      domains: domains ?? null,
      groupsClaim: groups_claim,
      acrValues: acr_values ?? null,
    }),
  );
  const wrong = conflictIn(providers);
  return wrong === null ? Object.freeze(providers) : refuse(wrong);
});

function jsonOf(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return refuse("is not JSON");
  }
}

/** What two of these providers may not both have; null: nothing. Logins belong to an issuer, so it has one entry. */
function conflictIn(providers: readonly OidcProvider[]): string | null {
  const ids = providers.map(({ id }) => id);
  const taken = ids.find((id, index) => TAKEN.has(id) || ids.indexOf(id) < index);
  if (taken !== undefined) return `has the id ${taken} more than once, or it belongs to another way to sign in`;
  const issuers = providers.map(({ issuer }) => issuer);
  const twice = issuers.find((issuer, index) => issuers.indexOf(issuer) < index);
  return twice === undefined ? null : `has the issuer ${twice} twice`;
}

type OidcEnv = {
  readonly OIDC_PROVIDERS: readonly OidcProvider[] | undefined;
  readonly OIDC_ISSUER: string | undefined;
  readonly OIDC_CLIENT_ID: string | undefined;
  readonly OIDC_CLIENT_SECRET: string | undefined;
  readonly OIDC_NAME: string;
  readonly OIDC_ACR_VALUES: readonly string[] | undefined;
};

/** All providers: the one that has variables of its own, then those of the list. */
export function oidcProvidersOf(env: OidcEnv): readonly OidcProvider[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const listed = env.OIDC_PROVIDERS ?? [];
  if (!issuer || !clientId || !clientSecret) return listed;
  const single: OidcProvider = {
    id: SINGLE,
    name: env.OIDC_NAME,
    issuer: withoutSlash(issuer),
    clientId,
    clientSecret,
    domains: null,
    groupsClaim: "groups",
    scopes: [],
    acrValues: env.OIDC_ACR_VALUES ?? null,
  };
  return [single, ...listed];
}

/** What the two forms may not both have; null: nothing. */
export const conflictOfOidc = (env: OidcEnv): string | null => conflictIn(oidcProvidersOf(env));
