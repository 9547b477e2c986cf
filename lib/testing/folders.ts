/** Where tests keep databases that they throw away. */
import { accessSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Memory that is used like a disk, on Linux. */
const MEMORY = "/dev/shm";
/** What the databases of a run take at most, with room to spare. */
const ENOUGH_BYTES = 6 * 2 ** 30;

/**
 * A new folder in memory where there is enough of it: a database is a thousand files, and to make one on a disk takes ten times as
 * long. What is left when a machine loses its power is no question of tests; `npm run torture` and its test work on a disk.
 */
export const databaseFolder = (prefix: string): string => mkdtempSync(path.join(parent(), prefix));

function parent(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
