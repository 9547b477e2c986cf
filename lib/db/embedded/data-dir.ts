import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { diskOf } from "#lib/db/disk-space.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";

/** One line that says why a folder could not be written. */
export function explainWriteFailure(folder: string, error: unknown): OperatorError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EACCES: "this user may not write there",
    EPERM: "this user may not write there",
    ENOENT: "the file system takes no new folders",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    EDQUOT: "the disk quota is used up",
    ENOTDIR: "a part of the path is a file",
    EEXIST: "there is a file of that name",
  };
  const reason = reasons[code ?? ""] ?? message;
  return new OperatorError(
    `Cannot write to the data folder ${folder}: ${reason}. Set RAPPORT_DATA_DIR to another folder or make room there.`,
    {
      cause: error,
    },
  );
}

/** Node's own recursive `mkdir` never returns where the kernel refuses new names (/proc). */
function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another start may have created it first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Creates the data folder and proves that it can be written. */
export function prepareDataDir(dataDir: string): void {
  const probe = path.join(dataDir, `.writable-${process.pid}`);
  try {
    // Postgres may run as another user below this folder when we are root, so others may pass through it.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    writeFileSync(probe, Buffer.alloc(4096), { flush: true });
    rmSync(probe);
  } catch (error) {
    throw explainWriteFailure(dataDir, error);
  }
}

/** Refuses to begin work that would stop in the middle because the disk is nearly full. */
export async function requireFreeSpace(folder: string, bytes: number): Promise<void> {
  const { free } = await diskOf(folder);
  if (free >= bytes) return;
  const mebibytes = (count: number) => Math.floor(count / 2 ** 20);
  throw new OperatorError(
    `The disk that holds ${folder} is full: ${mebibytes(free)} MB free, the embedded database needs ${mebibytes(bytes)} MB.`,
  );
}
