import { timingSafeEqual } from "node:crypto";
import { Fault } from "#lib/core/errors.ts";
import { withinRole } from "#lib/core/plans.ts";
import { withProof, withWorkspace } from "#lib/db/transaction.ts";
import { isAllowed } from "./cidr.ts";
import { grantCache } from "./grant-cache.ts";
import { findKeyByHash, type KeyGrant } from "./queries/api-keys.ts";
import { findRole } from "./queries/members.ts";
import { isWellFormedKey, sha256 } from "./secret-tokens.ts";

export type { KeyGrant } from "./queries/api-keys.ts";

const grants = grantCache<KeyGrant>("keys");

/** The working key with this text, without a look at its addresses; null when there is none. */
export async function findLiveKey(key: string): Promise<KeyGrant | null> {
  if (!isWellFormedKey(key)) return null;
  const hash = sha256(key);
  const keyRow = await withProof({ keyHash: hash }, (db) => findKeyByHash(db, hash));
  return keyRow && timingSafeEqual(keyRow.hash, hash) ? withinMembership(keyRow) : null;
}

/** The key of a device login as far as its person's role goes, as a connected client; null when they are no member. */
async function withinMembership(grant: KeyGrant): Promise<KeyGrant | null> {
  const { workspaceId, loginUserId, scopes } = grant;
  if (loginUserId === null) return grant;
  const role = await withWorkspace(workspaceId, (db) => findRole(db, loginUserId), { readOnly: true });
  return role && { ...grant, scopes: withinRole(scopes, role) };
}

/** Authenticates `Authorization: Bearer <key>`. Throws 401 `unauthorized` or 403 `ip_not_allowed`. */
export async function authenticateKey(authorization: string | undefined, ip: string): Promise<KeyGrant> {
  const key = bearerIn(authorization);
  if (!key) throw new Fault("unauthorized");
  // Only a key that was found is in the cache, so its checksum is not computed again.
  const grant = await grants.of(key, () => findLiveKey(key));
  if (!grant) throw new Fault("unauthorized");
  if (grant.expiresAt && grant.expiresAt.getTime() <= Date.now()) throw new Fault("unauthorized");
  if (grant.allowedCidrs.length > 0 && !isAllowed(ip, grant.allowedCidrs)) throw new Fault("ip_not_allowed");
  return grant;
}

/** The secret of an Authorization header with the scheme Bearer. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
