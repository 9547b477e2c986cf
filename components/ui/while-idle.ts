/** The page's own requests come first, and then the reader's first keys and clicks. */
export const REST_MS = 5_000;

const waiting: (() => Promise<unknown>)[] = [];
let isRunning = false;

/** Loads things that the reader may want next, one after the other, when the browser has nothing else to do. */
export function whileIdle(load: () => Promise<unknown>): void {
  if (typeof window === "undefined") return;
  waiting.push(load);
  if (isRunning) return;
  isRunning = true;
  performance.mark("rapport.loading");
  if (document.readyState === "complete") rest();
  else window.addEventListener("load", rest, { once: true });
}

function rest(): void {
  setTimeout(next, REST_MS);
}

function next(): void {
  const load = isFrugal() ? undefined : waiting.shift();
  if (!load) {
    isRunning = false;
    performance.mark("rapport.idle");
    return;
  }
  // A part that fails here is loaded again when it is needed, and then the failure is shown.
  const step = () => void load().then(next, next);
  if ("requestIdleCallback" in window) requestIdleCallback(step, { timeout: 5_000 });
  else setTimeout(step);
}

type Network = { saveData?: boolean; effectiveType?: string };

/** The reader saves data or has a slow connection. */
function isFrugal(): boolean {
  const { connection } = navigator as Navigator & { connection?: Network };
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? "");
}
