import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { SEGMENT_BYTES, segmentOf } from "./lsn.ts";

/**
 * The archived log: `wal/<stream>/<segment>.zst` beside the backups, and `archive.json` that says how far it reaches. A
 * stream is the log of one database without a gap. A restored database begins its own.
 */
const FOLDER = "wal";
const REACH = "archive.json";
const ARCHIVED = /^([0-9A-F]{24})\.zst$/;

const Reach = z.object({
  format: z.literal(1),
  /** where the archived log ends */
  lsn: z.string(),
  /** Everything that was committed by then is in the archived log. */
  until: z.iso.datetime(),
});
export type Reach = Omit<z.infer<typeof Reach>, "format">;

export const streamFolder = (backups: string, stream: string): string => path.join(backups, FOLDER, stream);

/** How far the log in the folder of a stream reaches; null: nothing was archived there. */
export function readReach(folder: string): Reach | null {
  const file = path.join(folder, REACH);
  if (!existsSync(file)) return null;
  try {
    return Reach.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new OperatorError(`${file} is damaged, or was written by a newer release of Rapport.`, { cause: error });
  }
}

export const writeReach = (folder: string, reach: Reach): Promise<void> =>
  write(path.join(folder, REACH), Buffer.from(`${JSON.stringify({ format: 1, ...reach })}\n`));

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const CHECKED = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

/** Archives a segment, or the beginning of one that is filled with zeros: completely, with a checksum, or not at all. */
export async function writeSegment(folder: string, segment: string, bytes: Buffer): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await write(path.join(folder, `${segment}.zst`), await compress(bytes, CHECKED));
}

export async function readSegment(folder: string, segment: string): Promise<Buffer> {
  const file = path.join(folder, `${segment}.zst`);
  let bytes: Buffer;
  try {
    bytes = await decompress(await readFile(file));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new OperatorError(
      isMissing ? `The archived log is not complete: ${file} is missing.` : `The archived log is broken: ${file}.`,
      { cause: error },
    );
  }
  if (bytes.length === SEGMENT_BYTES) return bytes;
  throw new OperatorError(`The archived log is broken: ${file} has ${bytes.length} bytes, not ${SEGMENT_BYTES}.`);
}

/** The segments from one to the place where the log ends. All have the timeline of the first. */
export function segmentsBetween(from: string, { lsn }: Reach): string[] {
  const timeline = from.slice(0, 8);
  const names: string[] = [];
  for (let number = segmentOf.name(from); number <= segmentOf.last(lsn); number++)
    names.push(segmentOf.number(timeline, number));
  return names;
}

/** Removes what no backup needs: `oldest` is the first segment that the oldest backup of each stream needs. */
export function removeOldLog(backups: string, oldest: ReadonlyMap<string, string>): void {
  for (const [stream, first] of oldest) {
    const folder = streamFolder(backups, stream);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const segment = ARCHIVED.exec(name)?.[1];
      if (segment !== undefined && segment < first) rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Removes the log of a stream that no backup needs; first the file that says how far it reaches. */
export function removeStream(backups: string, stream: string): void {
  const folder = streamFolder(backups, stream);
  rmSync(path.join(folder, REACH), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Durably, under its name when it is complete. Only one process archives the log of a database. */
async function write(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.tmp`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  if (process.platform === "win32") return;
  const folder = await open(path.dirname(file), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
