const MOST_MS = 5_000;

const nothing = { text: "", entered: false };

let typed = nothing;
let stop = (): void => {};

/**
 * Keeps what is typed for a field that was asked for and is not there yet, until `takeTyped`, Escape, a press or some seconds. Enter
 * too: where the focus still is, it would close what was opened.
 */
export function keepTyping(): void {
  stop();
  typed = nothing;
  const done = new AbortController();
  const timer = setTimeout(() => stop(), MOST_MS);
  stop = () => {
    clearTimeout(timer);
    done.abort();
  };
  document.addEventListener("keydown", keep, { capture: true, signal: done.signal });
  document.addEventListener("pointerdown", () => stop(), { capture: true, signal: done.signal });
}

/** What was typed for the field that has the focus now, and whether Enter ended it; nothing when called again. From here on the keys are its own. */
export function takeTyped(): { text: string; entered: boolean } {
  stop();
  const taken = typed;
  typed = nothing;
  return taken;
}

function keep(event: KeyboardEvent): void {
  if (event.key === "Escape") stop();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { text, entered } = typed;
  if (event.key === "Enter") typed = { text, entered: text !== "" };
  else if (event.key === "Backspace") typed = { text: text.slice(0, -1), entered };
  else if (event.key.length === 1) typed = { text: text + event.key, entered };
  else return;
  event.preventDefault();
  event.stopPropagation();
}
