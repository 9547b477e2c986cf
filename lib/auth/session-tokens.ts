import { hkdfSync } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { getBoot } from "#lib/settings/boot.ts";
import { sessionSecretsOf } from "#lib/settings/secrets.ts";
import { COOKIE_SECONDS } from "./cookies.ts";

/** How next-auth seals its cookies, with 15 seconds for clocks that differ. For such a key jose would take other algorithms too. */
const SEALED = { keyManagementAlgorithms: ["dir"], contentEncryptionAlgorithms: ["A256GCM"], clockTolerance: 15 };

/** The content of a cookie of next-auth, by any of our secrets; null for anything else. `salt`: the cookie's, where it has one of its own. */
export async function openToken({ token, salt = "" }: { token?: string | undefined; salt?: string | undefined }) {
  if (!token) return null;
  for (const secret of sessionSecretsOf(getBoot().secrets)) {
    const opened = await jwtDecrypt(token, keyOf(secret, salt), SEALED).catch(() => null);
    if (opened) return opened.payload;
  }
  return null;
}

/** A session's cookie as next-auth seals it. */
export const sealToken = (claims: SessionClaims): Promise<string> =>
  new EncryptJWT(claims)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setIssuedAt()
    .setExpirationTime(`${COOKIE_SECONDS}s`)
    .encrypt(keyOf(getBoot().secrets.sessionSecret, ""));

/** What a session's cookie says: the user, the session's row, and which renewal of it this is; absent before the first. */
export type SessionClaims = { sub: string; sid: string; renewals?: number };

const keys = new Map<string, Uint8Array>();

/** The key that next-auth makes of a secret. Its own `decode` makes it again for each token, in another thread. */
function keyOf(secret: string, salt: string): Uint8Array {
  const name = `${salt} ${secret}`;
  const purpose = `NextAuth.js Generated Encryption Key${salt === "" ? "" : ` (${salt})`}`;
  const key = keys.get(name) ?? new Uint8Array(hkdfSync("sha256", secret, salt, purpose, 32));
  keys.set(name, key);
  return key;
}
