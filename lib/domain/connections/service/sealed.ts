import { getBoot } from "#lib/core/boot.ts";
import { decrypt, encrypt } from "#lib/db/encrypted.ts";
import { purposeOfCredentials, purposeOfSigningSecret } from "#lib/db/encrypted-columns.ts";
import type { ConnectionRow } from "../queries.ts";
import type { Credentials } from "../rules.ts";

const keys = () => getBoot().secrets.encryptionKeys;

export const sealCredentials = (id: string, credentials: Credentials): string =>
  encrypt(keys(), purposeOfCredentials(id), JSON.stringify(credentials));

export const openCredentials = ({ id, credentials }: ConnectionRow): Credentials =>
  JSON.parse(decrypt(keys(), purposeOfCredentials(id), credentials)) as Credentials;

export const sealSecret = (id: string, secret: string): string => encrypt(keys(), purposeOfSigningSecret(id), secret);

/** Null when the connection has none. */
export const openSecret = ({ id, signingSecret }: ConnectionRow): string | null =>
  signingSecret === null ? null : decrypt(keys(), purposeOfSigningSecret(id), signingSecret);
