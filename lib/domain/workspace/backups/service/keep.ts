import os from "node:os";
import path from "node:path";
import { nextBackup, nextProof } from "#lib/db/backup/due.ts";
import { makeBackup } from "#lib/db/backup/make.ts";
import { listBackups, type Proof } from "#lib/db/backup/manifest.ts";
import { openStorage } from "#lib/db/backup/open-storage.ts";
import { lookAtBackups } from "#lib/db/backup/status.ts";
import { addressIn, type Storage } from "#lib/db/backup/storage.ts";
import { thinOut } from "#lib/db/backup/thin-out.ts";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { tryLock } from "#lib/db/embedded/lock.ts";
import type { Boot } from "#lib/settings/boot.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { verifyBackup, wasAbandoned } from "./verify.ts";

/** `busy`: another process does it. */
export type KeptBackups = { busy: boolean; made: string | null; removed: string[]; proof: Proof | null };

/** The app's requests come first. */
const NICE = 10;

/**
 * What the server does by itself with `BACKUP_EVERY`: makes the backup that is due, removes old ones, proves the newest once a
 * week. One process at a time; killed anywhere, the next one goes on. For a process of its own, while the app runs.
 */
export async function keepBackups(env: Boot["env"], operator: string): Promise<KeptBackups> {
  const { BACKUP_TO, BACKUP_EVERY, RAPPORT_DATA_DIR: dataDir } = env;
  if (BACKUP_TO === undefined || BACKUP_EVERY === undefined)
    throw new OperatorError("Set BACKUP_TO and BACKUP_EVERY first: where backups are kept, and how often one is made.");
  const kept: KeptBackups = { busy: false, made: null, removed: [], proof: null };
  const lock = tryLock(path.join(dataDir, "backups.lock"));
  if (!lock) return { ...kept, busy: true };
  let problem: string | null = null;
  try {
    os.setPriority(NICE);
    const into = openStorage(BACKUP_TO, env);
    await into.prepare();
    const now = Date.now();
    if (nextBackup(await listBackups(into), BACKUP_EVERY) <= now) kept.made = await makeOne(dataDir, into);
    kept.removed = await thinOut(into, now);
    const backups = await listBackups(into);
    const [newest] = backups;
    const proveAt = nextProof(backups);
    if (newest && proveAt !== null && proveAt <= now) kept.proof = await verifyBackup(env, newest, operator);
    return kept;
  } catch (error) {
    if (!wasAbandoned()) problem = (error as Error).message;
    throw error;
  } finally {
    await lookAtBackups(env, problem);
    lock.release();
  }
}

async function makeOne(dataDir: string, into: Storage): Promise<string> {
  const server = await startEmbedded({ dataDir, joins: true, log: () => undefined });
  try {
    return addressIn(into, (await makeBackup(server.superuserUrl, into)).name);
  } finally {
    await server.stop();
  }
}
