/** A hidden page paints nothing. */
const LONGEST_MS = 200;

/** Runs `act` when what changed just now is visible: the work for a choice does not delay the menu's closing. */
export function afterPaint(act: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    act();
  };
  const timer = setTimeout(once, LONGEST_MS);
  requestAnimationFrame(() => setTimeout(once));
}
