import { useEffect, useSyncExternalStore } from "react";
import { type Command, currentCommands } from "./commands.ts";

/** After `g` the next key must come within this time. */
const sequenceMs = 1200;

/**
 * Runs the command whose keys were pressed. Mounted once, by the frame. Commands come and go between the two keys of a
 * sequence, which libraries for shortcuts do not allow (docs/decisions/0056).
 */
export function useKeyboard(): void {
  useEffect(() => {
    let pending = "";
    let pendingUntil = 0;

    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing || event.altKey) return;
      if (event.key === "Shift" || event.key === "Control" || event.key === "Meta") return;
      const withMod = event.metaKey || event.ctrlKey;
      if (!withMod && (!singleKeysOn() || isBusy(event.target))) return;

      const key = keysOf(event, withMod);
      const sequence = pending && event.timeStamp < pendingUntil ? `${pending} ${key}` : key;
      pending = "";

      const command = find(sequence) ?? find(key);
      if (command) {
        event.preventDefault();
        command.run();
      } else if (!withMod && currentCommands().some((candidate) => candidate.keys?.startsWith(`${key} `))) {
        pending = key;
        pendingUntil = event.timeStamp + sequenceMs;
      }
    }

    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** As commands write it. A letter is the same with Caps Lock; of other keys what they type counts, such as `?`. */
function keysOf(event: KeyboardEvent, withMod: boolean): string {
  const lower = event.key.toLowerCase();
  if (withMod) return `mod+${lower}`;
  if (/^\p{L}$/u.test(event.key)) return event.shiftKey ? `shift+${lower}` : lower;
  return event.key.length === 1 ? event.key : lower;
}

/** The newest wins, so a page can take a key over while it is open. */
function find(keys: string): Command | undefined {
  return currentCommands().findLast((command) => command.keys === keys);
}

/** Letters go to the field that is being typed in, and to an open dialog or menu. */
function isBusy(target: EventTarget | null): boolean {
  const typing =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest("input, textarea, select, [role=textbox], [role=menu], [role=listbox]"));
  return Boolean(typing) || document.querySelector("[role=dialog], [role=alertdialog]") !== null;
}

/*
 * WCAG 2.1.4: shortcuts of a single character can be switched off, for people who dictate. Kept in this browser.
 */
const storageKey = "rapport.single-keys";
const listeners = new Set<() => void>();

function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

export function useSingleKeys(): [on: boolean, setOn: (on: boolean) => void] {
  const on = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    singleKeysOn,
    () => true,
  );
  return [on, setSingleKeys];
}

function setSingleKeys(on: boolean) {
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, "off");
  } catch {
    // Storage can be refused; the choice is then lost on the next reload.
  }
  for (const notify of listeners) notify();
}
