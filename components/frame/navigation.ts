import { useSyncExternalStore } from "react";

/** Where the reader is going, as a path with its query, and the path they come from. */
export type Way = { to: string; from: string };

let way: Way | null = null;
const listeners = new Set<() => void>();

function set(next: Way | null): void {
  if (next?.to === way?.to) return;
  way = next;
  for (const notify of listeners) notify();
}

/** Called by `instrumentation-client.ts` when the router begins to go to the address. */
export function navigationBegan(url: string): void {
  const { origin, pathname, search } = new URL(url, location.href);
  const stays = origin !== location.origin || pathname + search === location.pathname + location.search;
  set(stays ? null : { to: pathname + search, from: location.pathname });
}

export const navigationEnded = (): void => set(null);

/** Null while the reader stays where they are. */
export const useWay = (): Way | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => way,
    () => null,
  );
