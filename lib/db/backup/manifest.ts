import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { OperatorError } from "#lib/settings/operator-error.ts";

/** Rows of the tables that say whether a database is whole, by name. */
export type Counts = Readonly<Record<string, number>>;

const Counted = z.record(z.string(), z.int());

/** What a backup says about itself, in `backup.json`. It is written last: a folder without it is no backup. */
const Manifest = z.object({
  format: z.literal(1),
  /** version of Rapport */
  rapport: z.string(),
  /** version of Postgres; its first number must be the one that restores it */
  postgres: z.string(),
  /** Everything that was committed by then is in the backup. */
  made_at: z.iso.datetime(),
  /** why it was made, unless someone asked for it or it was its time */
  reason: z.enum(["upgrade"]).optional(),
  seconds: z.number(),
  database: z.object({
    file: z.string().regex(/^[\w.-]+$/),
    bytes: z.int(),
    sha256: z.string(),
    /** bytes on disk once it is restored */
    unpacked: z.int(),
  }),
  /** Where the archived log continues, if the log was archived: the stream, its first segment, the first moment. */
  wal: z
    .object({
      stream: z.string().regex(/^[0-9a-f]+$/),
      segment: z.string().regex(/^[0-9A-F]{24}$/),
      from: z.iso.datetime(),
    })
    .optional(),
  /** before and after the copy, during which the app worked on */
  counts: z.object({ before: Counted, after: Counted }),
});
export type Manifest = z.infer<typeof Manifest>;

/** How the last restore of a backup went, in `verified.json` beside it. */
const Proof = z.object({
  verified_at: z.iso.datetime(),
  seconds: z.number(),
  counts: Counted,
  /** records whose claims and rows were derived again, and how many came out different */
  entities: z.int(),
  different: z.int(),
  /** What does not hold, as sentences; empty: the backup is whole. */
  wrong: z.array(z.string()),
});
export type Proof = z.infer<typeof Proof>;

export const MANIFEST = "backup.json";
export const PROOF = "verified.json";
export const DATABASE = "database.tar.zst";

const read = <S extends z.ZodType>(file: string, schema: S): z.output<S> | null => {
  const isThere = statSync(file, { throwIfNoEntry: false }) !== undefined;
  return isThere ? schema.parse(JSON.parse(readFileSync(file, "utf8"))) : null;
};

/** The manifest of a backup folder. Throws an error that says why it is no backup. */
export function readManifest(folder: string): Manifest {
  let manifest: Manifest | null;
  try {
    manifest = read(path.join(folder, MANIFEST), Manifest);
  } catch (error) {
    throw new OperatorError(
      `${path.join(folder, MANIFEST)} is damaged, or was written by a newer release of Rapport.`,
      { cause: error },
    );
  }
  if (manifest) return manifest;
  throw new OperatorError(`${folder} is no backup, or one that did not finish: it has no ${MANIFEST}.`);
}

/** Throws an error that names what is wrong with the file of a backup: missing, cut or changed. */
export async function requireWhole(folder: string, { database }: Manifest): Promise<void> {
  const file = path.join(folder, database.file);
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new OperatorError(`The backup is not complete: ${file} is missing.`);
  if (size !== database.bytes)
    throw new OperatorError(`The backup is broken: ${file} has ${size} bytes, and ${MANIFEST} says ${database.bytes}.`);
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  if (hash.digest("hex") !== database.sha256)
    throw new OperatorError(`The backup is broken: ${file} was changed since it was written.`);
}

export type ListedBackup = { folder: string; manifest: Manifest; proof: Proof | null };

/** The backups in a folder, newest first. What did not finish is left out. */
export function listBackups(folder: string): ListedBackup[] {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => path.join(folder, name));
  return names
    .flatMap((each) => (statSync(path.join(each, MANIFEST), { throwIfNoEntry: false }) ? each : []))
    .map((each) => ({ folder: each, manifest: readManifest(each), proof: read(path.join(each, PROOF), Proof) }))
    .sort((a, b) => b.manifest.made_at.localeCompare(a.manifest.made_at));
}
