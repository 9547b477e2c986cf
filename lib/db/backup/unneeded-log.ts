import { type ListedBackup, listBackups } from "./manifest.ts";
import type { Storage } from "./storage.ts";
import { removeOldLog } from "./wal.ts";

/** The first segment of the log that the oldest backup of each stream needs. `backups`: newest first. */
export function oldestSegments(backups: readonly ListedBackup[]): Map<string, string> {
  const oldest = new Map<string, string>();
  for (const { manifest } of backups) if (manifest.wal) oldest.set(manifest.wal.stream, manifest.wal.segment);
  return oldest;
}

/** Removes the log that no backup in a storage needs. */
export const removeUnneededLog = async (storage: Storage): Promise<void> =>
  removeOldLog(storage, oldestSegments(await listBackups(storage)));
