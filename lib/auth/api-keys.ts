import { timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { Fault } from "#lib/core/errors.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import type { Plan, Scope } from "#lib/core/plans.ts";
import { singleton } from "#lib/core/singleton.ts";
import { withProof } from "#lib/db/transaction.ts";
import { findKeyByHash } from "./queries.ts";
import { isWellFormedKey, sha256 } from "./secret-tokens.ts";

/** An API key that has proven itself: what a request may do with it. */
export type KeyGrant = {
  workspaceId: WorkspaceId;
  keyId: string;
  prefix: string;
  plan: Plan;
  scopes: readonly Scope[];
  allowedCidrs: readonly string[];
  hash: Buffer;
  expiresAt: Date | null;
};

const TTL_MS = 5_000;

/**
 * Grants of keys seen in the last seconds, by key text. An entry leaves at once when the database says that a key or
 * plan of its workspace changed (`lib/auth/key-changes.ts`); the time limit covers a lost notification.
 */
const grants = singleton("key-grants", () => new LRUCache<string, KeyGrant>({ max: 10_000, ttl: TTL_MS }));

/** Forgets cached grants of one workspace, or of all when the notification channel was lost. */
export function forgetGrants(workspaceId?: string): void {
  if (workspaceId === undefined) return grants.clear();
  for (const [key, grant] of grants.entries()) if (grant.workspaceId === workspaceId) grants.delete(key);
}

/** Authenticates `Authorization: Bearer <key>`. Throws 401 `unauthorized` or 403 `ip_not_allowed`. */
export async function authenticateKey(authorization: string | undefined, ip: string): Promise<KeyGrant> {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (!key || !isWellFormedKey(key)) throw new Fault("unauthorized");
  let grant = grants.get(key);
  if (!grant) {
    const hash = sha256(key);
    const found = await withProof({ keyHash: hash }, (db) => findKeyByHash(db, hash));
    if (!found || !timingSafeEqual(found.hash, hash)) throw new Fault("unauthorized");
    grant = found;
    grants.set(key, found);
  }
  if (grant.expiresAt && grant.expiresAt.getTime() <= Date.now()) throw new Fault("unauthorized");
  if (grant.allowedCidrs.length > 0 && !isAllowed(ip, grant.allowedCidrs)) throw new Fault("ip_not_allowed");
  return grant;
}

function isAllowed(ip: string, cidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  return cidrs.some((cidr) => {
    const [range, bits] = ipaddr.parseCIDR(cidr);
    return range.kind() === address.kind() && address.match(range, bits);
  });
}

/** The canonical form of an address or range ("10.0.0.7" becomes "10.0.0.7/32"); null when it is neither. */
export function parseCidr(text: string): string | null {
  const trimmed = text.trim();
  if (ipaddr.isValid(trimmed) && !trimmed.includes("/")) {
    const address = ipaddr.process(trimmed);
    return `${address.toString()}/${address.kind() === "ipv4" ? 32 : 128}`;
  }
  return ipaddr.isValidCIDR(trimmed) ? trimmed : null;
}
