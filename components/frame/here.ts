import { useEffect, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let list: string | null = null;

function set(next: string | null): void {
  list = next;
  for (const notify of listeners) notify();
}

/** Says which list a record's page belongs to, by its id in the navigation, when the address does not. */
export function useBelongsTo(id: string): void {
  useEffect(() => {
    set(id);
    return () => set(null);
  }, [id]);
}

/** The list that the current page belongs to; null when it did not set one. */
export const useBelonging = (): string | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => list,
    () => null,
  );
