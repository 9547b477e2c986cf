import { useSyncExternalStore } from "react";
import { keepTyping } from "#components/ui/typed-ahead.ts";

/** What is open over the page: the command palette, the help dialog, the sidebar of a narrow screen, or nothing. */
export type Panel = "palette" | "help" | "menu" | null;

const listeners = new Set<() => void>();
let open: Panel = null;
let wasAsked = false;

export function showPanel(panel: Panel): void {
  if (panel === "palette") keepTyping();
  open = panel;
  wasAsked ||= panel === "palette";
  for (const notify of listeners) notify();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePanel = (): Panel =>
  useSyncExternalStore(
    subscribe,
    () => open,
    () => null,
  );

/** Whether the palette was opened in this document: what only it offers is not needed before. */
export const usePaletteAsked = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => wasAsked,
    () => false,
  );
