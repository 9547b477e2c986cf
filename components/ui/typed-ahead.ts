import { useEffect } from "react";

let typed = "";
let stop: (() => void) | null = null;

/** From when a field is wanted until it is there, keeps what is typed for it: see `takeTyped`. */
export function useTypedAhead(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    typed = "";
    document.addEventListener("keydown", keep, true);
    stop = () => document.removeEventListener("keydown", keep, true);
    return stop;
  }, [wanted]);
}

/** What was typed for the field that is there now. From here on the keys are its own. */
export function takeTyped(): string {
  stop?.();
  return typed;
}

function keep(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}
