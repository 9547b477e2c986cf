/** The OIDC providers of this server: which there are, and for whom each may speak. */

import { getBoot } from "#lib/settings/boot.ts";
import { type OidcProvider, oidcProvidersOf } from "#lib/settings/oidc.ts";
import { hostOf } from "#lib/text/mailbox.ts";

/** The OIDC providers of this server. */
export const oidcProviders = (): readonly OidcProvider[] => oidcProvidersOf(getBoot().env);

/** The OIDC provider of this id; null for other ways to sign in. */
export const oidcProvider = (id: string): OidcProvider | null =>
  oidcProviders().find((provider) => provider.id === id) ?? null;

/** The OIDC provider with this issuer; null when the server has none. */
export const providerOfIssuer = (issuer: string): OidcProvider | null =>
  oidcProviders().find((provider) => provider.issuer === withoutSlash(issuer)) ?? null;

const withoutSlash = (address: string): string => address.replace(/\/$/, "");

/** Where a provider publishes its metadata (OpenID Connect Discovery 1.0, 4). */
export const metadataAddress = (issuer: string): string => `${withoutSlash(issuer)}/.well-known/openid-configuration`;

/** Throws unless the metadata of an issuer name it: one could else pose as another. */
export function requireIssuer(named: unknown, issuer: string): void {
  if (typeof named !== "string" || withoutSlash(named) !== withoutSlash(issuer))
    throw new Error(`the metadata of ${issuer} name another issuer: ${named}`);
}

/**
 * Whether a provider may say who has this address. One with domains says it for those alone; the others say it for all domains that none has for
 * itself. Without this, who runs one provider could open the accounts of all.
 */
export function mayVouch(provider: OidcProvider, email: string): boolean {
  const domain = hostOf(email);
  const has = ({ domains }: OidcProvider): boolean => domains?.includes(domain) ?? false;
  return provider.domains ? has(provider) : !oidcProviders().some(has);
}

/** The groups of a person, as a provider told them at a sign-in. Null: it has more than it told. */
export type ToldGroups = { issuer: string; names: readonly string[] | null };

/**
 * The groups that the claims of an ID token name; null when the provider has more than it tells in a token, as Entra ID says in
 * `_claim_names` or `hasgroups`.
 */
export function groupsIn(claims: object | undefined, { groupsClaim }: OidcProvider): readonly string[] | null {
  const told = (claims ?? {}) as Readonly<Record<string, unknown>>;
  const elsewhere = told._claim_names;
  if (typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim)) return null;
  if (told.hasgroups === true || told.hasgroups === "true") return null;
  const named = Object.hasOwn(told, groupsClaim) ? told[groupsClaim] : [];
  return (Array.isArray(named) ? named : [named]).filter((name) => typeof name === "string" && name !== "");
}
