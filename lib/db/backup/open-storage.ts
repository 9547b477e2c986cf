import path from "node:path";
import type { Env } from "#lib/settings/env.ts";
import { folderStorage } from "./folder.ts";
import { isS3, type S3Settings, s3Storage } from "./s3.ts";
import { sealedStorage } from "./seal.ts";
import type { Backup, Storage } from "./storage.ts";

export type StorageSettings = Partial<Pick<Env, "BACKUP_KEY">> & S3Settings;

/** A folder in full, so that it means the same in another working directory. */
export const addressOf = (place: string): string =>
  isS3(place) ? place.replace(/(?<=[^/])\/$/, "") : path.resolve(place);

/** The storage at an address. Files are sealed when there is a key, and opened whether they are sealed or not. */
export function openStorage(place: string, settings: StorageSettings): Storage {
  const address = addressOf(place);
  const stored = isS3(address) ? s3Storage(address, settings) : folderStorage(address);
  return sealedStorage(stored, settings.BACKUP_KEY ?? []);
}

/** The backup at an address: a folder of the storage above it. */
export function openBackup(place: string, settings: StorageSettings): Backup {
  const address = addressOf(place);
  const above = address.slice(0, -path.basename(address).length - 1);
  return { storage: openStorage(above || path.sep, settings), name: path.basename(address) };
}
