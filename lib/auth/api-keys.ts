import { timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withProof } from "#lib/db/transaction.ts";
import { isAllowed } from "./cidr.ts";
import { findKeyByHash, type KeyGrant } from "./queries/api-keys.ts";
import { isWellFormedKey, sha256 } from "./secret-tokens.ts";

export type { KeyGrant } from "./queries/api-keys.ts";

const TTL_MS = 5_000;

/**
 * Grants of keys seen in the last seconds, by key text. An entry is removed at once when the database notifies that a
 * key or plan of its workspace changed (`lib/auth/key-changes.ts`); the time limit covers a lost notification.
 */
const grants = singleton("key-grants", () => new LRUCache<string, KeyGrant>({ max: 10_000, ttl: TTL_MS }));

/** Counts evictions: a look-up that began before the latest one may have read old data, so it is not kept. */
const evictions = singleton("key-evictions", () => ({ count: 0 }));

/** Forgets cached grants of one workspace, or of all when the notification channel was lost. */
export function forgetGrants(workspaceId?: string): void {
  evictions.count += 1;
  if (workspaceId === undefined) {
    grants.clear();
    return;
  }
  for (const [key, grant] of grants.entries()) if (grant.workspaceId === workspaceId) grants.delete(key);
}

/** Authenticates `Authorization: Bearer <key>`. Throws 401 `unauthorized` or 403 `ip_not_allowed`. */
export async function authenticateKey(authorization: string | undefined, ip: string): Promise<KeyGrant> {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (!key || !isWellFormedKey(key)) throw new Fault("unauthorized");
  let grant = grants.get(key);
  if (!grant) {
    const hash = sha256(key);
    const before = evictions.count;
    const found = await withProof({ keyHash: hash }, (db) => findKeyByHash(db, hash));
    if (!found || !timingSafeEqual(found.hash, hash)) throw new Fault("unauthorized");
    grant = found;
    if (evictions.count === before) grants.set(key, found);
  }
  if (grant.expiresAt && grant.expiresAt.getTime() <= Date.now()) throw new Fault("unauthorized");
  if (grant.allowedCidrs.length > 0 && !isAllowed(ip, grant.allowedCidrs)) throw new Fault("ip_not_allowed");
  return grant;
}
