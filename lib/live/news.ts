import { singleton } from "#lib/core/singleton.ts";
import { subscribe } from "./announce.ts";

const waits = singleton("live-waits", () => ({ end: new AbortController() }));

/** Ends every wait for news in this process, which is about to stop. */
export function endWaits(): void {
  waits.end.abort();
  waits.end = new AbortController();
}

/** What no feed of changes tells of. */
const UNTOLD: ReadonlySet<string> = new Set([
  "integrations",
  "approvals",
  "events",
  "triggers",
  "deliveries",
  "scores",
  "imports",
  "tasks",
  "bulk-actions",
]);

export type News = {
  /** The caller has gone, or the process is about to stop. */
  readonly isOver: boolean;
  /** What is announced from here on ends the next wait. Call it before reading, so that nothing falls between. */
  expect(): void;
  /** Until something was announced since `expect`, for no longer than `ms`. */
  wait(ms: number): Promise<void>;
  close(): void;
};

/** Follows what is recorded in a workspace until `close` is called. */
export function newsOf(workspaceId: string, signal?: AbortSignal): News {
  const over = AbortSignal.any([waits.end.signal, ...(signal ? [signal] : [])]);
  let heard = false;
  let wake = () => {};
  const hear = () => {
    heard = true;
    wake();
  };
  const unsubscribe = subscribe(workspaceId, (event) => (event && UNTOLD.has(event.topic) ? undefined : hear()));
  over.addEventListener("abort", hear, { once: true });
  return {
    get isOver() {
      return over.aborted;
    },
    expect() {
      heard = over.aborted;
    },
    async wait(ms) {
      if (heard) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      wake = resolve;
      await promise;
      clearTimeout(timer);
      wake = () => {};
    },
    close() {
      unsubscribe();
      over.removeEventListener("abort", hear);
    },
  };
}
