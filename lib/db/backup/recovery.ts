import { appendFileSync, chownSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connected } from "#lib/db/connected.ts";
import type { OsUser } from "#lib/db/embedded/os-user.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { SEGMENT_BYTES } from "./lsn.ts";
import type { Manifest } from "./manifest.ts";
import { addressIn, type Backup } from "./storage.ts";
import { type Reach, readReach, readSegment, type Stream, segmentsBetween } from "./wal.ts";

/** The archived log that a restore to a moment needs. */
export type Recovery = { at: string; stream: Stream; segments: string[]; bytes: number };

/** The moments that a backup can be restored to by the log archived beside it; null: only to its own. */
export async function momentsOf(
  { storage }: Backup,
  { wal }: Manifest,
): Promise<{ from: string; until: string } | null> {
  const reach = wal && (await readReach({ storage, stream: wal.stream }));
  return wal && reach && wal.from <= reach.until ? { from: wal.from, until: reach.until } : null;
}

/** Checks that a moment can be reached, and the log that leads there, before anything is written. */
export async function planRecovery(backup: Backup, manifest: Manifest, at: string | "latest"): Promise<Recovery> {
  const { wal } = manifest;
  const moments = await momentsOf(backup, manifest);
  const address = addressIn(backup.storage, backup.name);
  if (!wal || !moments)
    throw new OperatorError(
      `${address} can be restored to ${manifest.made_at} only, when it was made: no log is archived beside it. Leave out --at.`,
    );
  const moment = at === "latest" ? moments.until : at;
  if (moment < moments.from || moment > moments.until)
    throw new OperatorError(
      `${address} can be restored to a moment from ${moments.from} to ${moments.until}, not to ${moment}.`,
    );
  const stream = { storage: backup.storage, stream: wal.stream };
  const segments = segmentsBetween(wal.segment, (await readReach(stream)) as Reach);
  for (const segment of segments) await readSegment(stream, segment);
  return { at: moment, stream, segments, bytes: segments.length * SEGMENT_BYTES };
}

const SETTINGS = ["restore_command", "recovery_target_time", "recovery_target_action", "hot_standby"] as const;

/** Makes the next start of a restored cluster replay the archived log up to the moment, then begin a new timeline. */
export async function prepareRecovery(data: string, { at, stream, segments }: Recovery, user?: OsUser): Promise<void> {
  const own = (file: string) => (user ? chownSync(file, user.uid, user.gid) : undefined);
  for (const segment of segments) {
    const file = path.join(data, "pg_wal", segment);
    writeFileSync(file, await readSegment(stream, segment), { mode: 0o600 });
    own(file);
  }
  // All of the log is in pg_wal already; Postgres demands a command, and looks there when it fails.
  const time = at.replace("Z", "+00"); // names of zones are not loaded when it reads this
  const values = {
    restore_command: "exit 1",
    recovery_target_time: time,
    recovery_target_action: "promote",
    hot_standby: "off", // a server counts as ready when it is promoted
  };
  const lines = SETTINGS.map((name) => `${name} = '${values[name]}'\n`).join("");
  const settings = path.join(data, "postgresql.auto.conf");
  appendFileSync(settings, lines, { mode: 0o600 });
  own(settings);
  const signal = path.join(data, "recovery.signal");
  writeFileSync(signal, "", { mode: 0o600 });
  own(signal);
}

/** Forgets the moment, once the database is there. */
export const endRecovery = (superuserUrl: string): Promise<void> =>
  connected({ connectionString: superuserUrl, application_name: "rapport-restore" }, async (client) => {
    for (const name of SETTINGS) await client.query(`ALTER SYSTEM RESET ${name}`);
  });
