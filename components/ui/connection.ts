/** Whether the server can be reached, and what could not be opened. */
export type Connection = {
  /** When the connection was lost, in milliseconds; null while connected. */
  lostAt: number | null;
  /** The server can be reached but no longer has a part of the page: it runs another version. */
  outdated: boolean;
  /** What could not be opened, in the reader's words. */
  missing: readonly string[];
};

const PROBE = "/healthz";
const PROBE_TIMEOUT_MS = 5_000;
/** Pauses between two probes; the last one is repeated. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000];

export const holding: Connection = { lostAt: null, outdated: false, missing: [] };

let now = holding;
const listeners = new Set<() => void>();
/** Parts of the page that wait to be loaded again. */
const waiting = new Set<() => void>();
let asking: Promise<boolean> | null = null;
let isWatching = false;
/** How often the browser said that it went offline. */
let losses = 0;
let endPause = () => {};

export const connection = (): Connection => now;

export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isLost = (): boolean => now.lostAt !== null;

/** Tells the reader that this could not be opened. */
export function miss(what: string): void {
  if (!now.missing.includes(what)) set({ missing: [...now.missing, what] });
}

/** The server has answered. */
export function connectionHolds(): void {
  if (!isLost()) return;
  set({ lostAt: null, missing: [] });
  tryWaiting();
}

/** Called when a request did not reach the server: probes the server, and keeps probing until it answers. */
export function suspectLoss(): Promise<boolean> {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

/** Probes at once instead of after the pause. */
export function tryAgain(): void {
  endPause();
  if (!isLost()) tryWaiting();
}

/** Waits until the server can be reached. */
export async function untilBack(): Promise<void> {
  if (!(await suspectLoss())) await new Promise<void>((resolve) => waiting.add(resolve));
}

/** Watches the browser's network events. Returns a function that stops. */
export function watchNetwork(): () => void {
  const suspect = () => {
    losses += 1;
    void suspectLoss();
  };
  window.addEventListener("offline", suspect);
  window.addEventListener("online", tryAgain);
  if (!navigator.onLine) suspect();
  return () => {
    window.removeEventListener("offline", suspect);
    window.removeEventListener("online", tryAgain);
  };
}

/** A script that could not be fetched, by the bundler's error name; an error inside a script does not count. */
export const isChunkError = (error: unknown): boolean => error instanceof Error && error.name === "ChunkLoadError";

/**
 * Loads a part of the page and keeps trying: again when the connection is back, and when the reader asks. When the
 * server no longer has it, only a reload helps, and the reader decides about that. Throws what the part itself throws.
 * `what` is null for a part that the reader did not ask for: it comes when it can, without a word.
 */
export async function untilLoaded<T>(what: string | null, load: () => Promise<T>): Promise<T> {
  for (let isSecond = false; ; ) {
    try {
      const part = await load();
      if (what !== null) noteRestored(what);
      return part;
    } catch (error) {
      if (!isChunkError(error)) throw error;
      const reachable = await suspectLoss();
      if (reachable && !isSecond) {
        // The connection may have been lost only for a moment.
        isSecond = true;
        continue;
      }
      isSecond = false;
      if (what !== null) {
        miss(what);
        if (reachable) set({ outdated: true });
      }
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
}

function noteRestored(what: string): void {
  if (!now.missing.includes(what)) return;
  const missing = now.missing.filter((other) => other !== what);
  set({ missing, outdated: now.outdated && missing.length > 0 });
}

async function ask(): Promise<boolean> {
  const since = Date.now();
  if (await isReachable()) {
    connectionHolds();
    return true;
  }
  if (!isLost()) set({ lostAt: since });
  void watchUntilBack();
  return false;
}

async function watchUntilBack(): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  for (let round = 0; isLost(); round += 1) {
    await pause(WAITS_MS[Math.min(round, WAITS_MS.length - 1)] as number);
    if (isLost() && (await isReachable())) connectionHolds();
  }
  isWatching = false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** The answer to a probe that was sent before the browser went offline does not count. */
async function isReachable(): Promise<boolean> {
  for (;;) {
    const before = losses;
    const answers = await probe();
    if (losses === before) return answers;
  }
}

async function probe(): Promise<boolean> {
  try {
    const answer = await fetch(PROBE, { cache: "no-store", signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    return answer.ok;
  } catch {
    return false;
  }
}

function tryWaiting(): void {
  const all = [...waiting];
  waiting.clear();
  for (const go of all) go();
}

function set(change: Partial<Connection>): void {
  now = { ...now, ...change };
  for (const notify of listeners) notify();
}
