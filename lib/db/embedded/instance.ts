import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { type Lock, tryLock, waitForLock } from "./lock.ts";

/** What a running app writes about itself into `<dataDir>/app.json`. */
export interface Instance {
  pid: number;
  startedAt: string;
}

const lockFile = (dataDir: string) => path.join(dataDir, "app.lock");
const infoFile = (dataDir: string) => path.join(dataDir, "app.json");

/** Makes this process the only app of the data folder. Throws an error that names the other when there is one. */
export async function lockInstance(dataDir: string): Promise<Lock> {
  // A call of `runningInstance` in another process may hold the lock for a moment.
  const lock = await waitForLock(lockFile(dataDir), 500);
  if (!lock) {
    const other = readInstance(dataDir);
    const who = other ? ` (process ${other.pid}, since ${other.startedAt})` : "";
    throw new OperatorError(
      `Rapport is already running on the data folder ${dataDir}${who}. Stop it first, or set RAPPORT_DATA_DIR to another folder.`,
    );
  }
  const self: Instance = { pid: process.pid, startedAt: new Date().toISOString() };
  writeAtomically(infoFile(dataDir), `${JSON.stringify(self)}\n`, { mode: 0o644 });
  return {
    release() {
      rmSync(infoFile(dataDir), { force: true });
      lock.release();
    },
  };
}

/** The app that runs on the data folder now, if one does. */
export function runningInstance(dataDir: string): Instance | undefined {
  const lock = tryLock(lockFile(dataDir));
  if (!lock) return readInstance(dataDir);
  lock.release();
  return undefined;
}

function readInstance(dataDir: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(infoFile(dataDir), "utf8")) as Instance;
  } catch {
    return undefined;
  }
}
