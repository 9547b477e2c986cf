import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { diskOf } from "#lib/db/disk-space.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import type { Storage } from "./storage.ts";

const PIECE = 1 << 20;

/** Backups in a folder of this machine. */
export function folderStorage(address: string): Storage {
  const at = (name: string) => path.join(address, name);
  const entries = (folder: string) => unlessMissing(readdir(at(folder), { withFileTypes: true }));
  return {
    address,
    prepare: () => makeFolder(address, address),
    folders: async () => {
      const top = await entries("");
      if (!top) throw new OperatorError(`There is no folder ${address}.`);
      return top.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    files: async (folder) => ((await entries(folder)) ?? []).filter((entry) => entry.isFile()).map(({ name }) => name),
    read: async (name) => {
      const handle = await unlessMissing(open(at(name)));
      return handle ? handle.createReadStream({ highWaterMark: PIECE }) : null;
    },
    write: (name, pieces) => write(address, at(name), pieces),
    remove: async (names) => {
      for (const name of names) await rm(at(name), { force: true });
    },
    removeFolder: (folder) => rm(at(folder), { recursive: true, force: true }),
    room: async () => (await diskOf(address)).free,
  };
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function makeFolder(address: string, folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new OperatorError(`Cannot write to ${address}: ${(error as Error).message}.`, { cause: error });
  }
}

/** Two processes never write the same file, so what a killed one left is written over, or removed with its folder. */
async function write(address: string, file: string, pieces: Parameters<Storage["write"]>[1]): Promise<void> {
  await makeFolder(address, path.dirname(file));
  const draft = `${file}.tmp`;
  try {
    const handle = await open(draft, "w", 0o600);
    try {
      for await (const piece of pieces) await writeAll(handle, piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    throw new OperatorError(`The disk that holds ${address} is full.`, { cause: error });
  }
}

async function writeAll(handle: FileHandle, piece: Uint8Array): Promise<void> {
  for (let place = 0; place < piece.length; ) place += (await handle.write(piece, place)).bytesWritten;
}

/** A new name is durable once its folder is synced; Windows cannot open folders and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
