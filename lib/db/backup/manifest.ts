import { createHash } from "node:crypto";
import { z } from "zod";
import { together } from "#lib/core/together.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { addressIn, type Backup, readWhole, type Storage } from "./storage.ts";

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

async function read<S extends z.ZodType>(
  { storage, name }: Backup,
  file: string,
  schema: S,
): Promise<z.output<S> | null> {
  const bytes = await readWhole(storage, `${name}/${file}`);
  if (!bytes) return null;
  try {
    return schema.parse(JSON.parse(bytes.toString("utf8")));
  } catch (error) {
    throw new OperatorError(
      `${addressIn(storage, name)}/${file} is damaged, or was written by a newer release of Rapport.`,
      { cause: error },
    );
  }
}

/** The manifest of a backup. Throws an error that says why it is none. */
export async function readManifest(backup: Backup): Promise<Manifest> {
  const manifest = await read(backup, MANIFEST, Manifest);
  if (manifest) return manifest;
  const address = addressIn(backup.storage, backup.name);
  throw new OperatorError(`${address} is no backup, or one that did not finish: it has no ${MANIFEST}.`);
}

/** Throws an error that names what is wrong with the file of a backup: missing, cut or changed. */
export async function requireWhole({ storage, name }: Backup, { database }: Manifest): Promise<void> {
  const file = addressIn(storage, `${name}/${database.file}`);
  const pieces = await storage.read(`${name}/${database.file}`);
  if (!pieces) throw new OperatorError(`The backup is not complete: ${file} is missing.`);
  const hash = createHash("sha256");
  let size = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
  }
  if (size !== database.bytes)
    throw new OperatorError(`The backup is broken: ${file} has ${size} bytes, and ${MANIFEST} says ${database.bytes}.`);
  if (hash.digest("hex") !== database.sha256)
    throw new OperatorError(`The backup is broken: ${file} was changed since it was written.`);
}

export type ListedBackup = Backup & { manifest: Manifest; proof: Proof | null };

/** The backups in a storage, newest first. What did not finish is left out. */
export async function listBackups(storage: Storage): Promise<ListedBackup[]> {
  const listed = await together(
    (await storage.folders()).map(async (name): Promise<ListedBackup[]> => {
      const backup = { storage, name };
      const [manifest, proof] = await together([read(backup, MANIFEST, Manifest), read(backup, PROOF, Proof)]);
      return manifest ? [{ ...backup, manifest, proof }] : [];
    }),
  );
  return listed.flat().sort((a, b) => b.manifest.made_at.localeCompare(a.manifest.made_at));
}

/** Removes a backup; killed in the middle, no half of it is left that looks like one. */
export async function removeBackup({ storage, name }: Backup): Promise<void> {
  await storage.remove([`${name}/${MANIFEST}`]);
  await storage.removeFolder(name);
}
