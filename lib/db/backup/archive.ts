import { randomBytes } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { connected } from "#lib/db/connected.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { bytesOf, SEGMENT_BYTES, segmentOf } from "./lsn.ts";
import type { Storage } from "./storage.ts";
import { readReach, writeReach, writeSegment } from "./wal.ts";

/** At most so much is lost with the data folder, and the time that a copy takes. */
const EVERY_MS = 30_000;
const SLOT = "rapport_archive_";

type Slot = { stream: string; from: string; isLost: boolean };

/**
 * Copies what the database's log got since the last time into its stream in the storage of backups. A replication
 * slot keeps the log until it is copied; its name is the stream, and no backup has it.
 */
export async function archiveLog(superuserUrl: string, backups: Storage): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { data, level } = await one<{ data: string; level: string }>(
      client,
      "SELECT current_setting('data_directory') AS data, current_setting('wal_level') AS level",
    );
    if (level === "minimal")
      throw new OperatorError("the database was started by an older release of Rapport: restart Rapport");
    const { until } = await one<{ until: Date }>(client, "SELECT clock_timestamp() AS until");
    // A restore stops before the first commit after its moment: this is one for each moment up to `until`.
    await client.query("SELECT pg_logical_emit_message(true, 'rapport', '')");
    const { lsn, timeline } = await one<{ lsn: string; timeline: string }>(
      client,
      "SELECT lsn, left(pg_walfile_name(lsn), 8) AS timeline FROM (SELECT pg_current_wal_flush_lsn() AS lsn) AS log",
    );
    const { stream, from } = await slotOf(client, backups, lsn);
    const archived = { storage: backups, stream };
    for (let number = segmentOf.first(from); number <= segmentOf.last(lsn); number++) {
      const name = segmentOf.number(timeline, number);
      const bytes = Math.min(SEGMENT_BYTES, bytesOf(lsn) - number * SEGMENT_BYTES);
      const segment = await readBeginning(path.join(data, "pg_wal", name), bytes);
      if (!segment) {
        await dropSlots(client);
        throw new OperatorError(
          `the database dropped ${name} before it was copied; moments after ${(await readReach(archived))?.until} need a new backup`,
        );
      }
      await writeSegment(archived, name, segment);
    }
    await writeReach(archived, { lsn, until: until.toISOString() });
    await client.query("SELECT pg_replication_slot_advance($1, $2)", [SLOT + stream, lsn]);
  });
}

/** The stream that a backup continues in, if the log is archived. */
export async function archivedStream(client: pg.Client): Promise<string | undefined> {
  return (await slots(client)).find(({ isLost }) => !isLost)?.stream;
}

/** Ends the archive: without it, the database keeps the log of no one. */
export const endArchive = (superuserUrl: string): Promise<void> => withClient(superuserUrl, dropSlots);

/**
 * The slot, and where its log continues. A new one begins a stream when there is none, when the database had to drop log
 * that was not copied, and when the archive is ahead of the database, as after a return to a copy of the data folder.
 */
async function slotOf(client: pg.Client, backups: Storage, lsn: string): Promise<Slot> {
  const [slot] = await slots(client);
  if (slot && !slot.isLost) {
    const from = (await readReach({ storage: backups, stream: slot.stream }))?.lsn ?? slot.from;
    if (bytesOf(from) <= bytesOf(lsn)) return { ...slot, from };
  }
  await dropSlots(client);
  const stream = randomBytes(6).toString("hex");
  await client.query("SELECT pg_create_physical_replication_slot($1, true)", [SLOT + stream]);
  return { stream, from: lsn, isLost: false };
}

async function slots(client: pg.Client): Promise<Slot[]> {
  const { rows } = await client.query<{ name: string; from: string | null; state: string | null }>(
    "SELECT slot_name AS name, restart_lsn::text AS from, wal_status AS state FROM pg_replication_slots WHERE starts_with(slot_name, $1)",
    [SLOT],
  );
  return rows.map(({ name, from, state }) => ({
    stream: name.slice(SLOT.length),
    from: from ?? "0/0",
    isLost: from === null || state === "lost",
  }));
}

async function dropSlots(client: pg.Client): Promise<void> {
  for (const { stream } of await slots(client))
    await client.query("SELECT pg_drop_replication_slot($1)", [SLOT + stream]);
}

/** A whole segment with the first `count` bytes of a file; what follows them is of an older segment. null: no file. */
async function readBeginning(file: string, count: number): Promise<Buffer | null> {
  const segment = Buffer.alloc(SEGMENT_BYTES);
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    for (let place = 0; place < count; ) {
      const { bytesRead } = await handle.read(segment, place, count - place, place);
      if (bytesRead === 0) throw new Error(`${file} is shorter than the log says`);
      place += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return segment;
}

const withClient = (url: string, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  connected({ connectionString: url, application_name: "rapport-archive" }, work);

const one = async <T>(client: pg.Client, text: string): Promise<T> => (await client.query(text)).rows[0] as T;

/** Archives the log all the time, and once more when the returned function ends it. A problem is logged once. */
export function keepArchive(superuserUrl: string, backups: Storage, log: (line: string) => void): () => Promise<void> {
  const stopping = new AbortController();
  let problem: string | undefined;
  const archive = async () => {
    try {
      await archiveLog(superuserUrl, backups);
      if (problem !== undefined) log("the log of the database is archived again");
      problem = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem) log(`the log of the database cannot be archived in ${backups.address}: ${message}`);
      problem = message;
    }
  };
  const archiving = (async () => {
    while (!stopping.signal.aborted) {
      const next = Date.now() + EVERY_MS;
      await archive();
      await sleep(Math.max(1_000, next - Date.now()), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    await archive();
  })();
  return () => {
    stopping.abort();
    return archiving;
  };
}
