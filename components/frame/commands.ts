import type { LucideIcon } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";

/**
 * Something the reader can do from anywhere on the page. One registry feeds the command palette, the keyboard and the
 * help dialog, so a command cannot be in one and missing from another.
 */
export type Command = {
  id: string;
  label: string;
  /** The heading it stands under: "Go to", "Create", … */
  group: string;
  icon?: LucideIcon;
  keywords?: readonly string[];
  /** `mod+k`, `g p`, `/`. */
  keys?: string;
  /** Works by keys only. */
  hidden?: boolean;
  run: () => void;
};

const byOwner = new Map<symbol, readonly Command[]>();
const listeners = new Set<() => void>();
let all: readonly Command[] = [];

/** Offers commands while the calling component is mounted. A new array each render is fine. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useRef(Symbol("commands")).current;
  useEffect(() => {
    byOwner.set(owner, commands);
    publish();
  });
  useEffect(
    () => () => {
      byOwner.delete(owner);
      publish();
    },
    [owner],
  );
}

export function currentCommands(): readonly Command[] {
  return all;
}

export function useCurrentCommands(): readonly Command[] {
  return useSyncExternalStore(subscribe, currentCommands, currentCommands);
}

function publish() {
  all = [...byOwner.values()].flat();
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
