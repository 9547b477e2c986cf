import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "#lib/settings/operator-error.ts";

/**
 * A lock on a file that ends with the process that holds it, however that ends. The kernel keeps it, so there is no
 * stale lock to clean and no process id that could be recycled, and it works between containers that share a folder.
 * Node offers no `flock`; SQLite, which Node carries, takes exactly such locks on an empty file.
 */
export interface Lock {
  release(): void;
}

type Kind = "exclusive" | "shared";

/** A lock without a reference would be garbage collected, and so released. */
const heldLocks = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;

/** Takes the lock now, or returns undefined when another process holds it. */
export function tryLock(file: string, kind: Kind = "exclusive"): Lock | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY");
    if (kind === "exclusive") database.exec("BEGIN EXCLUSIVE");
    else database.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
  } catch (error) {
    database?.close();
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw new OperatorError(`Cannot lock ${file}: ${(error as Error).message}`, { cause: error });
  }
  const taken = database;
  heldLocks.add(taken);
  return {
    release() {
      if (heldLocks.delete(taken)) taken.close();
    },
  };
}

/** Takes the lock as soon as it is free, or returns undefined when it is not free within `milliseconds`. */
export async function waitForLock(
  file: string,
  milliseconds: number,
  kind: Kind = "exclusive",
): Promise<Lock | undefined> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const lock = tryLock(file, kind);
    if (lock || Date.now() >= deadline) return lock;
    await sleep(25);
  }
}
