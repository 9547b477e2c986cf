import { listBackups, removeBackup } from "./manifest.ts";
import type { Storage } from "./storage.ts";
import { superfluousBackups } from "./thinning.ts";
import { oldestSegments, removeUnneededLog } from "./unneeded-log.ts";
import { removeStream } from "./wal.ts";

/**
 * Removes the backups that are no longer kept, and the log that no backup needs. Killed anywhere, what is left is whole
 * backups, and the next time does the rest. Returns the names of the removed ones.
 */
export async function thinOut(storage: Storage, now: number): Promise<string[]> {
  const backups = await listBackups(storage);
  const superfluous = superfluousBackups(backups, now);
  const kept = backups.filter((backup) => !superfluous.includes(backup));
  const needed = oldestSegments(kept);
  // Its log first, or nothing would name the stream any more.
  for (const stream of oldestSegments(superfluous).keys())
    if (!needed.has(stream)) await removeStream({ storage, stream });
  for (const backup of superfluous) await removeBackup(backup);
  await removeUnneededLog(storage);
  return superfluous.map(({ name }) => name);
}
