import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { draftOf } from "./make.ts";
import { type ListedBackup, listBackups } from "./manifest.ts";
import { superfluousBackups } from "./thinning.ts";
import { oldestSegments, removeUnneededLog } from "./unneeded-log.ts";
import { removeStream } from "./wal.ts";

/**
 * Removes the backups that are no longer kept, and the log that no backup needs. Killed anywhere, what is left is whole
 * backups, and the next time does the rest. Returns the names of the removed ones.
 */
export function thinOut(into: string, now: number): string[] {
  const backups = listBackups(into);
  const superfluous = superfluousBackups(backups, now);
  const kept = backups.filter((backup) => !superfluous.includes(backup));
  const needed = oldestSegments(kept);
  // Its log first, or nothing would name the stream any more.
  for (const stream of oldestSegments(superfluous).keys()) if (!needed.has(stream)) removeStream(into, stream);
  for (const backup of superfluous) removeBackup(into, backup);
  removeUnneededLog(into);
  return superfluous.map(({ folder }) => path.basename(folder));
}

/** Removes a backup; killed in the middle, no half of it is left that looks like one. */
export function removeBackup(into: string, { folder }: ListedBackup): void {
  const draft = draftOf(into, path.basename(folder));
  renameSync(folder, draft);
  rmSync(draft, { recursive: true, force: true });
}
