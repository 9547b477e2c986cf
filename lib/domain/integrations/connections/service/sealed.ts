import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/domain/encrypted-columns.ts";
import type { Credentials } from "#lib/providers/provider.ts";
import { isProviderName, providerOf } from "#lib/providers/registry.ts";
import { getBoot } from "#lib/settings/boot.ts";
import type { ConnectionRow } from "../queries.ts";

const keys = () => getBoot().secrets.encryptionKeys;

export const sealCredentials = (id: string, credentials: Credentials): string =>
  encrypt(keys(), purposeOfCredentials(id), JSON.stringify(credentials));

export const openCredentials = ({ id, credentials }: ConnectionRow): Credentials =>
  JSON.parse(decrypt(keys(), purposeOfCredentials(id), credentials)) as Credentials;

export const sealSecret = (id: string, secret: string): string => encrypt(keys(), purposeOfSigningSecret(id), secret);

/** Null when the connection has none. */
export const openSecret = ({ id, signingSecret }: ConnectionRow): string | null =>
  signingSecret === null ? null : decrypt(keys(), purposeOfSigningSecret(id), signingSecret);

/** The server's own signing secret for workspaces that saved none; null when the provider or the server has none. */
export function serverSecretOf(name: string): string | null {
  const provider = isProviderName(name) ? providerOf(name) : null;
  const setting = provider && provider.deliveries !== "none" ? provider.inbound.serverSecret : undefined;
  return setting === undefined ? null : (getBoot().env[setting] ?? null);
}
