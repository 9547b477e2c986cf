import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file completely or not at all, durably: a crash leaves the old text or the new one. With `exclusive`, an
 * existing file is left alone and the result is false.
 */
export function writeAtomically(
  file: string,
  text: string,
  { mode = 0o600, exclusive = false }: { mode?: number; exclusive?: boolean } = {},
): boolean {
  const draft = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const descriptor = openSync(draft, "wx", mode);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (exclusive) linkSync(draft, file);
    else renameSync(draft, file);
    syncFolder(path.dirname(file));
    return true;
  } catch (error) {
    if (exclusive && (error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A new name is durable once its folder is synced; Windows cannot open folders and does not need this. */
function syncFolder(folder: string) {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
