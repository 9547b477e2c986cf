import { LRUCache } from "lru-cache";
import { singleton } from "#lib/core/singleton.ts";
import { tellWatchers } from "./access-watch.ts";

type WorkspaceGrant = { workspaceId: string };

const TTL_MS = 5_000;
const MOST = 10_000;

/** Counts evictions: a look-up that began before the latest one may have read old data, so it is not kept. */
const state = singleton("grant-caches", () => ({
  evictions: 0,
  caches: new Map<string, LRUCache<string, WorkspaceGrant>>(),
}));

/**
 * What secrets that were seen in the last seconds may do, by their text. An entry is removed at once when the database
 * notifies that access to its workspace changed (`key-changes.ts`); the time limit covers a lost notification.
 */
export function grantCache<Grant extends WorkspaceGrant>(name: string) {
  const cacheOf = (): LRUCache<string, WorkspaceGrant> => {
    const cache = state.caches.get(name) ?? new LRUCache<string, WorkspaceGrant>({ max: MOST, ttl: TTL_MS });
    state.caches.set(name, cache);
    return cache;
  };
  return {
    /** The grant of a secret, from the cache or else as `find` finds it; null when it has none. */
    async of(secret: string, find: () => Promise<Grant | null>): Promise<Grant | null> {
      const cached = cacheOf().get(secret) as Grant | undefined;
      if (cached) return cached;
      const before = state.evictions;
      const grant = await find();
      if (grant && state.evictions === before) cacheOf().set(secret, grant);
      return grant;
    },
  };
}

/**
 * Forgets cached grants of one workspace, or of all when the notification channel was lost, and tells what is open by them. An id
 * may also be that of a user whose session ended.
 */
export function forgetGrants(id?: string): void {
  state.evictions += 1;
  for (const cache of state.caches.values()) {
    if (id === undefined) cache.clear();
    else for (const [secret, grant] of cache.entries()) if (grant.workspaceId === id) cache.delete(secret);
  }
  tellWatchers(id);
}
