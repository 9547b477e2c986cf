import { workspacesAfter } from "#lib/auth/operator.ts";
import { together } from "#lib/core/together.ts";
import { nextBackup } from "#lib/db/backup/due.ts";
import { type ListedBackup, listBackups } from "#lib/db/backup/manifest.ts";
import { addressOf, openStorage } from "#lib/db/backup/open-storage.ts";
import { momentsOf } from "#lib/db/backup/recovery.ts";
import { backupState, readStatus } from "#lib/db/backup/status.ts";
import { implement } from "#lib/domain/implement.ts";
import { type Boot, getBoot } from "#lib/settings/boot.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";

type Stored = {
  /** whether the caller may run the server: the owner of its oldest workspace */
  mayRunServer: boolean;
  backups: ListedBackup[];
  moments: contract.BackupStatus["moments"];
  /** why they could not be read; null: they were */
  unreadable: string | null;
};

export const getBackups = implement(
  contract.getBackups,
  async (_ctx, _input, { mayRunServer, backups, moments, unreadable }: Stored): Promise<contract.BackupStatus> => {
    const { env } = getBoot();
    const { BACKUP_TO, BACKUP_EVERY, DATABASE_URL } = env;
    const state = backupState(env);
    const status = readStatus(env);
    return {
      database: DATABASE_URL === undefined ? "embedded" : "own",
      state: unreadable !== null && state.state !== "off" ? "failing" : state.state,
      made_at: timeOf(backups[0]?.manifest.made_at ?? state.made_at),
      verified_at: timeOf(state.verified_at),
      next_at:
        BACKUP_EVERY === undefined ? null : formatTime(new Date(nextBackup(backups, BACKUP_EVERY) || Date.now())),
      moments,
      server:
        mayRunServer && BACKUP_TO !== undefined
          ? {
              folder: addressOf(BACKUP_TO),
              problem: unreadable ?? status?.problem ?? null,
              wrong: status?.wrong ?? [],
              backups: backups.map(storedOf),
            }
          : null,
    };
  },
  // The storage may be a bucket far away: no transaction waits for it.
  {
    before: async ({ workspaceId, role }) => ({
      mayRunServer: role === "owner" && (await workspacesAfter(null, 1))[0] === workspaceId,
      ...(await readStorage(getBoot().env)),
    }),
  },
);

async function readStorage(env: Boot["env"]): Promise<Omit<Stored, "mayRunServer">> {
  try {
    const backups = env.BACKUP_TO === undefined ? [] : await listBackups(openStorage(env.BACKUP_TO, env));
    return { backups, moments: await momentsIn(backups), unreadable: null };
  } catch (error) {
    return { backups: [], moments: null, unreadable: (error as Error).message };
  }
}

/** From the first moment of the oldest backup whose log is there, to the last that the archived log reaches. */
async function momentsIn(backups: readonly ListedBackup[]): Promise<Stored["moments"]> {
  const all = await together(backups.map((backup) => momentsOf(backup, backup.manifest)));
  const moments = all.filter((each) => each !== null);
  const [newest, oldest] = [moments[0], moments.at(-1)];
  return newest && oldest ? { from: oldest.from, until: newest.until } : null;
}

const storedOf = ({ name, manifest, proof }: ListedBackup): contract.StoredBackup => ({
  name,
  made_at: manifest.made_at,
  bytes: manifest.database.bytes,
  verified_at: proof?.verified_at ?? null,
  is_whole: proof ? proof.wrong.length === 0 : null,
});

const timeOf = (time: string | null): string | null => time && formatTime(new Date(time));
