import { useSyncExternalStore } from "react";

/** What is open over the page: the command palette, the help dialog, the sidebar of a narrow screen, or nothing. */
export type Panel = "palette" | "help" | "menu" | null;

const listeners = new Set<() => void>();
let open: Panel = null;

export function showPanel(panel: Panel): void {
  open = panel;
  for (const notify of listeners) notify();
}

export function usePanel(): Panel {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
    () => null,
  );
}
