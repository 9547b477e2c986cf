import { statfs } from "node:fs/promises";
import { singleton } from "#lib/core/singleton.ts";
import { diskFull } from "#lib/core/unavailable.ts";

/** Below so many bytes nothing is written: Postgres ends when its log cannot grow, and then nothing is read either. */
const LEAST = 200e6;

const EVERY_MS = 1_000;

const state = singleton("disk-room", () => ({ isFull: false }));

/** Throws 503 `not_ready` while the disk of the embedded database is nearly full. */
export function requireRoom(): void {
  if (state.isFull) throw diskFull();
}

/**
 * Looks every second how much room the disk of `folder` has, and prints one line when writes stop and one when they go on. Returns how
 * to end it.
 */
export function watchRoom(folder: string, log: (line: string) => void, least = LEAST): () => void {
  const look = async (): Promise<void> => {
    const { bavail, bsize } = await statfs(folder);
    const isFull = bavail * bsize < least;
    if (isFull === state.isFull) return;
    state.isFull = isFull;
    const megabytes = Math.round((bavail * bsize) / 1e6);
    log(
      isFull
        ? `the disk that holds ${folder} has ${megabytes} MB left: writes are refused until there is more room`
        : `the disk has room again (${megabytes} MB): writes go on`,
    );
  };
  // A folder that cannot be looked at is a database that is away, which is told elsewhere.
  const timer = setInterval(() => void look().catch(() => undefined), EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    state.isFull = false;
  };
}
