import { connected } from "#lib/db/connected.ts";
import { makeBackup } from "./make.ts";
import { listBackups, removeBackup } from "./manifest.ts";
import { addressIn, type Storage } from "./storage.ts";
import { BEFORE_UPGRADES } from "./thinning.ts";
import { removeUnneededLog } from "./unneeded-log.ts";

/** What stays free beside a backup. */
const SPARE = 500e6;

/**
 * Backs up the database of an earlier release before it is migrated, where there is space, and keeps the last two such backups. Says
 * where it is and how to go back. An upgrade goes on without a backup, and says why.
 */
export async function backUpBeforeUpgrade(
  superuserUrl: string,
  into: Storage,
  log: (line: string) => void,
): Promise<void> {
  try {
    const { isEmpty, bytes } = await sizeOf(superuserUrl);
    if (isEmpty) return;
    await into.prepare();
    const room = await into.room();
    if (room < bytes + SPARE) {
      const megabytes = Math.ceil((bytes + SPARE - room) / 1e6);
      return log(`no backup before the upgrade: ${into.address} needs ${megabytes} MB more for it`);
    }
    log(`backing up the database (${Math.ceil(bytes / 1e6)} MB) before it is migrated`);
    const { name } = await makeBackup(superuserUrl, into, { reason: "upgrade" });
    const address = addressIn(into, name);
    log(
      `backed up in ${address}; to go back: rapport admin restore ${address} --into <empty folder>, then start the release you come from with RAPPORT_DATA_DIR=<that folder>`,
    );
    const made = (await listBackups(into)).filter(({ manifest }) => manifest.reason === "upgrade");
    for (const backup of made.slice(BEFORE_UPGRADES)) await removeBackup(backup);
    await removeUnneededLog(into);
  } catch (error) {
    log(`no backup before the upgrade: ${(error as Error).message}`);
  }
}

async function sizeOf(superuserUrl: string): Promise<{ isEmpty: boolean; bytes: number }> {
  const url = new URL(superuserUrl);
  url.pathname = "/rapport";
  return connected({ connectionString: url.href, application_name: "rapport-backup" }, async (client) => {
    const { rows } = await client.query<{ bytes: string; made: boolean }>(
      "SELECT sum(pg_database_size(oid)) AS bytes, to_regclass('workspaces') IS NOT NULL AS made FROM pg_database",
    );
    const hasRows = rows[0]?.made === true && (await client.query("SELECT FROM workspaces LIMIT 1")).rowCount === 1;
    return { isEmpty: !hasRows, bytes: Number(rows[0]?.bytes) };
  });
}
