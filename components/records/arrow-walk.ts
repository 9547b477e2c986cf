import type { KeyboardEvent } from "react";

/** Attribute of what the arrow keys walk through. */
export const walked = { "data-walk": "" } as const;

const walking = "[data-walk], button:not([role=combobox])";

/** Moves the focus with the arrow keys, and with Home and End outside of a text, among the elements marked `walked`. */
export function walkByArrows(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  // What is drawn elsewhere (the list of a select), or has a use of its own for the keys.
  if (event.defaultPrevented || !event.currentTarget.contains(target) || !target.matches(walking)) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-walk]:not(:disabled)")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const isText = target instanceof HTMLInputElement;
  const next = nextOf(event.key, at, items.length, isText);
  const item = next === null ? undefined : items[next];
  if (!item) return;
  event.preventDefault();
  item.focus();
}

/** Where a key leads to from a place among so many; null: it does not move. */
export function nextOf(key: string, at: number, count: number, isText: boolean): number | null {
  if (count === 0) return null;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return at <= 0 ? count - 1 : at - 1;
  if (isText) return null;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : null;
}
