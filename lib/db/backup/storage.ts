import { buffer } from "node:stream/consumers";

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

export const addressIn = ({ address }: Storage, name: string): string => `${address}/${name}`;

export async function readWhole(storage: Storage, name: string): Promise<Buffer | null> {
  const pieces = await storage.read(name);
  return pieces && buffer(pieces);
}

export const writeText = (storage: Storage, name: string, text: string): Promise<void> =>
  storage.write(name, [Buffer.from(text)]);
