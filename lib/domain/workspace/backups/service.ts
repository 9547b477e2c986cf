import { existsSync } from "node:fs";
import path from "node:path";
import { countRows } from "#lib/db/backup/counts.ts";
import { makeBackup } from "#lib/db/backup/make.ts";
import type { Counts, Manifest } from "#lib/db/backup/manifest.ts";
import { noteForAll } from "#lib/db/backup/note.ts";
import { openBackup, openStorage } from "#lib/db/backup/open-storage.ts";
import { endRecovery } from "#lib/db/backup/recovery.ts";
import { restoreBackup } from "#lib/db/backup/restore.ts";
import { lookAtBackups } from "#lib/db/backup/status.ts";
import { addressIn } from "#lib/db/backup/storage.ts";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { hasState } from "#lib/db/embedded/state.ts";
import type { Boot } from "#lib/settings/boot.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";

export { type Counts, listBackups, type Proof } from "#lib/db/backup/manifest.ts";
export { openBackup, openStorage } from "#lib/db/backup/open-storage.ts";
export { momentsOf } from "#lib/db/backup/recovery.ts";
export { makeKey } from "#lib/db/backup/seal.ts";
export { addressIn } from "#lib/db/backup/storage.ts";
export { keepBackups } from "./service/keep.ts";
export { abandonedTrials, closeTrial } from "./service/trial.ts";
export { abandonProofs, verifyBackup } from "./service/verify.ts";

const quiet = () => undefined;

/** Backs up the embedded database of this installation, whether the app runs or not, into a new folder of the storage at `into`. */
export async function backUp(
  env: Boot["env"],
  into: string,
  operator: string,
): Promise<{ address: string; manifest: Manifest; dataDir: string }> {
  const { DATABASE_URL, RAPPORT_DATA_DIR: dataDir } = env;
  if (DATABASE_URL !== undefined)
    throw new OperatorError(
      "DATABASE_URL names your own Postgres: back it up with its tools, such as base backups with WAL archiving, or pg_dump.",
    );
  if (!hasState(dataDir))
    throw new OperatorError(`There is no database in ${dataDir}. Set RAPPORT_DATA_DIR to the data folder.`);
  const storage = openStorage(into, env);
  const server = await startEmbedded({ dataDir, log: quiet });
  try {
    const { name, manifest } = await makeBackup(server.superuserUrl, storage, { by: `cli:${operator}` });
    await lookAtBackups(env, null);
    return { address: addressIn(storage, name), manifest, dataDir };
  } finally {
    await server.stop();
  }
}

/**
 * Restores a backup into a data folder that has no database, and starts it once to see that it works.
 * `at`: a moment after the backup that the archived log reaches, or the last one; unset: the moment of the backup.
 */
export async function restoreInto(
  env: Boot["env"],
  backup: string,
  { into, at, operator }: { into: string; at: string | "latest" | undefined; operator: string },
): Promise<{ dataDir: string; moment: string; counts: Counts; hasSecrets: boolean }> {
  const dataDir = path.resolve(into);
  const { moment } = await restoreBackup(openBackup(backup, env), dataDir, at);
  const server = await startEmbedded({ dataDir, log: quiet });
  try {
    if (at !== undefined) await endRecovery(server.superuserUrl);
    const counts = await countRows(server.superuserUrl);
    await noteForAll(server.superuserUrl, {
      action: "backup.restored",
      by: `cli:${operator}`,
      detail: { as_of: moment },
    });
    return { dataDir, moment, counts, hasSecrets: existsSync(path.join(dataDir, "secrets.json")) };
  } finally {
    await server.stop();
  }
}
