import { watchAccess } from "#lib/auth/access-watch.ts";
import type { Caller } from "#lib/core/context.ts";
import { Fault, isFault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { singleton } from "#lib/core/singleton.ts";
import { isUnavailable } from "#lib/core/unavailable.ts";

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

/** How many streams are held. */
export const heldStreams = (): number => [...open.values()].reduce((sum, count) => sum + count, 0);

/** A change of access that no one told of, such as the expiry of a key, is found after this time. */
const CHECK_MS = 30_000;
/** When notifications may have been missed, all streams look, spread over this time. */
const SPREAD_MS = 5_000;

/**
 * Ends a stream when the right to it has ended: `check` rejects. It is asked when access to the workspace changed or a session of
 * the user ended, and from time to time. Until the returned function is called.
 */
export function whileAllowed(
  caller: Pick<Caller, "workspaceId" | "actor">,
  check: () => Promise<unknown>,
  end: () => void,
): () => void {
  let over = false;
  let asking = false;
  let again = false;
  const refuse = (error: unknown) => {
    // While the database is away no rights change, and the stream continues where it was once it is back.
    if (over || isUnavailable(error)) return;
    if (!isFault(error)) log.warn({ err: error, workspace_id: caller.workspaceId }, "a stream ended early");
    end();
  };
  const ask = async () => {
    again = asking; // what was read so far may be from before the change
    if (asking) return;
    asking = true;
    do {
      again = false;
      await check().catch(refuse);
    } while (again && !over);
    asking = false;
  };
  const timer = setInterval(() => void ask(), CHECK_MS);
  let late: NodeJS.Timeout | undefined;
  const unwatch = watchAccess(caller, (all) => {
    if (!all) return void ask();
    clearTimeout(late);
    late = setTimeout(() => void ask(), Math.random() * SPREAD_MS);
  });
  return () => {
    over = true;
    clearInterval(timer);
    clearTimeout(late);
    unwatch();
  };
}

/** What an event stream is answered with, beside the headers of every answer. */
export const streamHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "X-Accel-Buffering": "no", // nginx hands each event on
} as const;
