import { Fault } from "#lib/core/errors.ts";
import { singleton } from "#lib/core/singleton.ts";

/** A window or program more than this waits until another is closed. */
const MOST_STREAMS = 30;

const open = singleton("live-streams", () => new Map<string, number>());

/** Throws 429 `rate_limited` when this session or key holds as many streams as it may. */
export function requireRoom(holder: string): void {
  if ((open.get(holder) ?? 0) >= MOST_STREAMS) throw new Fault("rate_limited", { retry_after: 10 });
}

/** Counts a stream of this session or key until the returned function is called. */
export function holdStream(holder: string): () => void {
  open.set(holder, (open.get(holder) ?? 0) + 1);
  return () => {
    const left = (open.get(holder) ?? 1) - 1;
    if (left > 0) open.set(holder, left);
    else open.delete(holder);
  };
}

/** How often the right to a stream is checked: within this time after a session, membership or key ends, the stream ends. */
export const CHECK_MS = 30_000;

/** What an event stream is answered with, beside the headers of every answer. */
export const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Accel-Buffering": "no", // nginx hands each event on
} as const;
