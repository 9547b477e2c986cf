import path from "node:path";
import { buffer } from "node:stream/consumers";
import type { Env } from "#lib/settings/env.ts";
import { folderStorage } from "./folder.ts";
import { isS3, type S3Settings, s3Storage } from "./s3.ts";
import { sealedStorage } from "./seal.ts";

/** Where backups are kept: files in folders, with names such as `rapport-2026-11-27T08-00-00Z/backup.json`. */
export type Storage = {
  /** the address of the whole, as people write it */
  readonly address: string;
  /** Makes what has to be there before the first file. */
  prepare(): Promise<void>;
  /** names of the folders at the top that have files; an error where nothing was prepared, such as a disk that is away */
  folders(): Promise<string[]>;
  /** names of the files in a folder; none where there is no such folder */
  files(folder: string): Promise<string[]>;
  /** null: there is no such file */
  read(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** Durable when it returns; a file has its name only when it is complete, and replaces the one before. */
  write(name: string, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>;
  /** In this order; what is not there counts as removed. */
  remove(names: readonly string[]): Promise<void>;
  /** A folder with all its files, in any order. */
  removeFolder(folder: string): Promise<void>;
  /** bytes that can still be written */
  room(): Promise<number>;
};

/** One backup: a folder of a storage. */
export type Backup = { readonly storage: Storage; readonly name: string };

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

export const addressIn = ({ address }: Storage, name: string): string => `${address}/${name}`;

export async function readWhole(storage: Storage, name: string): Promise<Buffer | null> {
  const pieces = await storage.read(name);
  return pieces && buffer(pieces);
}

export const writeText = (storage: Storage, name: string, text: string): Promise<void> =>
  storage.write(name, [Buffer.from(text)]);
