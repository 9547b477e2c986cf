import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { SEGMENT_BYTES, segmentOf } from "./lsn.ts";
import { addressIn, readWhole, type Storage, writeText } from "./storage.ts";

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

/** The log of one database without a gap, in a storage. */
export type Stream = { readonly storage: Storage; readonly stream: string };

export const folderOf = ({ stream }: Pick<Stream, "stream">): string => `${FOLDER}/${stream}`;

/** How far the archived log of a stream reaches; null: nothing was archived there. */
export async function readReach({ storage, stream }: Stream): Promise<Reach | null> {
  const name = `${folderOf({ stream })}/${REACH}`;
  const bytes = await readWhole(storage, name);
  if (!bytes) return null;
  try {
    return Reach.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw new OperatorError(`${addressIn(storage, name)} is damaged, or was written by a newer release of Rapport.`, {
      cause: error,
    });
  }
}

export const writeReach = ({ storage, stream }: Stream, reach: Reach): Promise<void> =>
  writeText(storage, `${folderOf({ stream })}/${REACH}`, `${JSON.stringify({ format: 1, ...reach })}\n`);

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const CHECKED = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

const fileOf = (stream: string, segment: string) => `${folderOf({ stream })}/${segment}.zst`;

/** Archives a segment, or the beginning of one that is filled with zeros: completely, with a checksum, or not at all. */
export async function writeSegment({ storage, stream }: Stream, segment: string, bytes: Buffer): Promise<void> {
  await storage.write(fileOf(stream, segment), [await compress(bytes, CHECKED)]);
}

export async function readSegment({ storage, stream }: Stream, segment: string): Promise<Buffer> {
  const name = fileOf(stream, segment);
  const file = addressIn(storage, name);
  const stored = await readWhole(storage, name);
  if (!stored) throw new OperatorError(`The archived log is not complete: ${file} is missing.`);
  let bytes: Buffer;
  try {
    bytes = await decompress(stored);
  } catch (error) {
    throw new OperatorError(`The archived log is broken: ${file}.`, { cause: error });
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
export async function removeOldLog(storage: Storage, oldest: ReadonlyMap<string, string>): Promise<void> {
  for (const [stream, first] of oldest) {
    const isOld = (name: string) => (ARCHIVED.exec(name)?.[1] ?? first) < first;
    const names = (await storage.files(folderOf({ stream }))).filter(isOld);
    await storage.remove(names.map((name) => `${folderOf({ stream })}/${name}`));
  }
}

/** Removes the log of a stream that no backup needs; first the file that says how far it reaches. */
export async function removeStream({ storage, stream }: Stream): Promise<void> {
  await storage.remove([`${folderOf({ stream })}/${REACH}`]);
  await storage.removeFolder(folderOf({ stream }));
}
