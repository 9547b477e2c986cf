/**
 * The program of a package is one compressed file: npm unpacks an archive of an installation three times, and thousands
 * of files would take most of that time. Plain JavaScript, since an older Node reads it first.
 *
 * The file is brotli of: the length of the index (4 bytes), the index (JSON: paths and sizes), the files one after another.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliDecompressSync } from "node:zlib";

/** An unfinished folder that nothing has written to for this long was left by a process that ended. */
const ABANDONED_MS = 600_000;

/**
 * Unpacks the archive into `folder`, unless that is there: it appears whole or not at all, also when several processes
 * start at once.
 * @param {string} archive
 * @param {string} folder
 */
export function unpack(archive, folder) {
  if (existsSync(folder)) return;
  const beside = path.dirname(folder);
  const beginning = `${path.basename(folder)}.part-`;
  for (const name of readdirSync(beside)) {
    const at = path.join(beside, name);
    if (name.startsWith(beginning) && Date.now() - statSync(at).mtimeMs > ABANDONED_MS) rmSync(at, { recursive: true });
  }
  const part = path.join(beside, `${beginning}${process.pid}-${Date.now()}`);
  try {
    writeFiles(brotliDecompressSync(readFileSync(archive)), part);
    renameSync(part, folder);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/**
 * @param {Buffer} packed
 * @param {string} folder
 */
function writeFiles(packed, folder) {
  const length = packed.readUInt32LE(0);
  /** @type {[name: string, size: number][]} */
  const index = JSON.parse(packed.toString("utf8", 4, 4 + length));
  const made = new Set();
  let at = 4 + length;
  for (const [name, size] of index) {
    const file = path.join(folder, name);
    const within = path.dirname(file);
    if (!made.has(within)) mkdirSync(within, { recursive: true });
    made.add(within);
    writeFileSync(file, packed.subarray(at, at + size));
    at += size;
  }
}
