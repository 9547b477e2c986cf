const MOST_MS = 5_000;

let typed = "";
let stop = (): void => {};

/** Keeps what is typed for a field that was asked for and is not there yet, until `takeTyped`, Escape, a press or some seconds. */
export function keepTyping(): void {
  stop();
  typed = "";
  const done = new AbortController();
  const timer = setTimeout(() => stop(), MOST_MS);
  stop = () => {
    clearTimeout(timer);
    done.abort();
  };
  document.addEventListener("keydown", keep, { capture: true, signal: done.signal });
  document.addEventListener("pointerdown", () => stop(), { capture: true, signal: done.signal });
}

/** What was typed for the field that has the focus now; nothing when called again. From here on the keys are its own. */
export function takeTyped(): string {
  stop();
  const text = typed;
  typed = "";
  return text;
}

function keep(event: KeyboardEvent): void {
  if (event.key === "Escape") stop();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.key === "Backspace") typed = typed.slice(0, -1);
  else if (event.key.length === 1) typed += event.key;
  else return;
  event.preventDefault();
  event.stopPropagation();
}
