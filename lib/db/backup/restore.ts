import { chownSync, createWriteStream, mkdirSync } from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar-stream";
import { together } from "#lib/core/together.ts";
import { installedBinaries } from "#lib/db/embedded/binaries.ts";
import { prepareDataDir, requireFreeSpace } from "#lib/db/embedded/data-dir.ts";
import { placeCluster, requireNoDatabase } from "#lib/db/embedded/embedded.ts";
import type { OsUser } from "#lib/db/embedded/os-user.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { type Manifest, readManifest, requireWhole } from "./manifest.ts";
import { planRecovery, prepareRecovery } from "./recovery.ts";
import type { Backup } from "./storage.ts";

/**
 * Puts the database of a backup into a data folder that has none. The backup is checked to the last byte before
 * anything is written. The next start brings it to the moment of the backup, or to `at` by the archived log, and gives it
 * new passwords. Returns the moment.
 */
export async function restoreBackup(
  backup: Backup,
  dataDir: string,
  at?: string | "latest",
): Promise<{ manifest: Manifest; moment: string }> {
  const manifest = await readManifest(backup);
  const { version } = installedBinaries();
  if (version.split(".")[0] !== manifest.postgres.split(".")[0])
    throw new OperatorError(
      `The backup was made by Postgres ${manifest.postgres}, this release of Rapport brings ${version}: restore it with Rapport ${manifest.rapport}.`,
    );
  requireNoDatabase(dataDir);
  const recovery = at === undefined ? undefined : await planRecovery(backup, manifest, at);
  await requireWhole(backup, manifest);
  prepareDataDir(dataDir);
  await requireFreeSpace(dataDir, manifest.database.unpacked + (recovery?.bytes ?? 0));
  await placeCluster(dataDir, async (data, user) => {
    await unpack(backup, manifest.database.file, data, user);
    if (recovery) await prepareRecovery(data, recovery, user);
  });
  return { manifest, moment: recovery?.at ?? manifest.made_at };
}

async function unpack({ storage, name }: Backup, file: string, data: string, user: OsUser | undefined): Promise<void> {
  const pieces = await storage.read(`${name}/${file}`);
  if (!pieces) throw new Error(`${file} was removed meanwhile`);
  const archive = extract();
  const own = (name: string) => (user ? chownSync(name, user.uid, user.gid) : undefined);
  const reading = pipeline(pieces, createZstdDecompress(), archive);
  const writing = (async () => {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      const place = path.join(data, name);
      if (!place.startsWith(`${data}${path.sep}`)) throw new Error(`the archive names a file outside of it: ${name}`);
      if (type === "directory") {
        mkdirSync(place, { recursive: true, mode: 0o700 });
        own(place);
        entry.resume();
      } else {
        await pipeline(entry, createWriteStream(place, { flags: "wx", mode: 0o600 }));
        own(place);
      }
    }
  })();
  await together([reading, writing]);
}
