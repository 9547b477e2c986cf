import { seal, sealJson, unseal } from "#lib/db/sealed.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import type { Credentials } from "#lib/providers/provider.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { ConnectionRow } from "../queries.ts";

export const sealCredentials = (id: string, credentials: Credentials): string =>
  sealJson(purposeOfCredentials(id), credentials);

export const openCredentials = ({ id, credentials }: ConnectionRow): Credentials =>
  JSON.parse(unseal(purposeOfCredentials(id), credentials)) as Credentials;

export const sealSecret = (id: string, secret: string): string => seal(purposeOfSigningSecret(id), secret);

/** Null when the connection has none. */
export const openSecret = ({ id, signingSecret }: ConnectionRow): string | null =>
  signingSecret === null ? null : unseal(purposeOfSigningSecret(id), signingSecret);

/** The server's own signing secret for workspaces that saved none; null when the provider or the server has none. */
export function serverSecretOf(name: string): string | null {
  const provider = isProviderName(name) ? providerOf(name) : null;
  const setting = provider && provider.deliveries !== "none" ? provider.inbound.serverSecret : undefined;
  return setting === undefined ? null : (getBoot().env[setting] ?? null);
}
