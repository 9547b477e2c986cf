import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { diskOf } from "#lib/db/disk-space.ts";
import { clusterHome } from "#lib/db/embedded/embedded.ts";
import { livePostmaster, stopPostmaster } from "#lib/db/embedded/postmaster.ts";
import { isAlive } from "#lib/db/embedded/server-processes.ts";
import { hasState } from "#lib/db/embedded/state.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";

/** Data folders into which backups are restored for a proof, by the process that does it. */
const TRIAL = /^rapport-verify-(\d+)-/;

/** What a restored database needs beside its files. */
const SPARE = 200e6;

/** A new data folder for a restored database, in the first of the folders for temporary files and `dataDir` that has the space. */
export async function openTrial(dataDir: string, bytes: number): Promise<string> {
  for (const parent of [tmpdir(), dataDir]) {
    await clearTrials(parent);
    if ((await diskOf(parent)).free < bytes + SPARE) continue;
    const folder = mkdtempSync(path.join(parent, `rapport-verify-${process.pid}-`));
    chmodSync(folder, 0o711); // Postgres may run as another user
    return folder;
  }
  const megabytes = Math.ceil((bytes + SPARE) / 1e6);
  throw new OperatorError(`A proof needs ${megabytes} MB in ${tmpdir()} or ${dataDir}, and neither has so much.`);
}

/** The process of a proof touches its folder so often; one that no one has touched for so long is abandoned. */
const TOUCHED_MS = 10 * 60_000;
const ABANDONED_MS = 60 * 60_000;

/** Touches the folder of a trial until the returned function is called. */
export function keepTrial(folder: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(folder, now, now);
    } catch {
      // it was removed meanwhile
    }
  }, TOUCHED_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Stops the database of a trial and removes the folder. */
export async function closeTrial(folder: string): Promise<void> {
  const home = hasState(folder) ? clusterHome(folder) : path.join(folder, "postgres");
  const data = path.join(home, "data");
  const running = livePostmaster(data);
  if (running) await stopPostmaster(running.pid, data);
  for (const each of [home, folder]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * What killed processes left in a folder, an hour after the last touch: a process of another container, which shares the folder, cannot
 * be seen by its id. Not what another user put there for us to follow.
 */
export const abandonedTrials = (parent: string, now = Date.now()): string[] =>
  (existsSync(parent) ? readdirSync(parent) : []).flatMap((name) => {
    const pid = TRIAL.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) return [];
    const folder = path.join(parent, name);
    const entry = lstatSync(folder, { throwIfNoEntry: false });
    if (!entry?.isDirectory() || now - entry.mtimeMs < ABANDONED_MS) return [];
    return process.getuid === undefined || entry.uid === process.getuid() ? [folder] : [];
  });

async function clearTrials(parent: string): Promise<void> {
  for (const folder of abandonedTrials(parent)) await closeTrial(folder);
}
