import { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { singleton } from "#lib/core/singleton.ts";
import { diskFull } from "#lib/core/unavailable.ts";

/** The disk of a folder, in bytes and files. `total` and `files` are 0 where the file system does not say how many it has. */
export type Disk = { free: number; total: number; freeFiles: number; files: number };

export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder);
  // Some network and user-space file systems report no size at all.
  const free = blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  return { free, total: blocks * bsize, freeFiles: ffree, files };
}

/** Below so many bytes nothing is written: Postgres ends when its log cannot grow, and then nothing is read either. */
const LEAST = 200e6;

const EVERY_MS = 1_000;

const state = singleton("disk-space", () => ({ isFull: false }));

/** Throws 503 `not_ready` while the disk of the embedded database is nearly full. */
export function requireDiskSpace(): void {
  if (state.isFull) throw diskFull();
}

/**
 * Looks every second how much space the disk of `folder` has, and prints one line when writes stop and one when they go on. Returns
 * how to end it.
 */
export function watchDiskSpace(folder: string, log: (line: string) => void, least = LEAST): () => void {
  const stopping = new AbortController();
  const look = async (): Promise<void> => {
    const { free } = await diskOf(folder);
    const isFull = free < least;
    if (isFull === state.isFull || stopping.signal.aborted) return;
    state.isFull = isFull;
    const megabytes = Math.round(free / 1e6);
    log(
      isFull
        ? `the disk that holds ${folder} has ${megabytes} MB left: writes are refused until there is more`
        : `the disk that holds ${folder} has ${megabytes} MB again: writes go on`,
    );
  };
  const watch = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A folder that cannot be looked at belongs to a database that is away, which is reported elsewhere.
      await look().catch(() => undefined);
      await sleep(EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  void watch();
  return () => {
    stopping.abort();
    state.isFull = false;
  };
}
