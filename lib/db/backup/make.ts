import { createHash, type Hash } from "node:crypto";
import { constants as files } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { constants, createZstdCompress } from "node:zlib";
import pg from "pg";
import { type Header, pack } from "tar-stream";
import { together } from "#lib/core/together.ts";
import { lockConnection } from "#lib/db/locks.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { VERSION } from "#lib/settings/version.ts";
import { archivedStream } from "./archive.ts";
import { clusterFiles, logFiles } from "./cluster-files.ts";
import { countRows } from "./counts.ts";
import { DATABASE, listBackups, MANIFEST, type Manifest } from "./manifest.ts";
import { BY_ITSELF, noteForAll } from "./note.ts";
import { type Storage, writeText } from "./storage.ts";
import { removeUnneededLog } from "./unneeded-log.ts";

/** What backups are called: nothing else beside them is ours, such as a data folder. */
const NAME = /^rapport-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;
const nameOf = (time: Date): string => `rapport-${time.toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

/**
 * Copies a running embedded database into a new folder of a storage, while the app works on: everything that was
 * committed before the copy ended is in it. It counts as a backup from when its manifest is written, and then the audit log has it.
 * `by`: who asked for it.
 */
export async function makeBackup(
  superuserUrl: string,
  into: Storage,
  { by = BY_ITSELF, reason }: { by?: string; reason?: "upgrade" } = {},
): Promise<{ name: string; manifest: Manifest }> {
  const made = await copied(superuserUrl, into, reason);
  await noteForAll(superuserUrl, {
    action: "backup.made",
    by,
    detail: { backup: made.name, ...(reason && { reason }) },
  });
  return made;
}

async function copied(
  superuserUrl: string,
  into: Storage,
  reason?: "upgrade",
): Promise<{ name: string; manifest: Manifest }> {
  const client = new pg.Client({ connectionString: superuserUrl, application_name: "rapport-backup" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    // One at a time, until the session ends: so what is not finished is of a process that was killed.
    await lockConnection(client, "backup");
    await into.prepare();
    await removeUnfinished(into);
    const began = Date.now();
    const name = await newName(into);
    try {
      const before = await countRows(superuserUrl);
      const { made_at, postgres, wal, ...database } = await copy(client, into, `${name}/${DATABASE}`);
      const manifest: Manifest = {
        format: 1,
        rapport: VERSION,
        postgres,
        made_at,
        ...(reason && { reason }),
        seconds: (Date.now() - began) / 1000,
        database: { file: DATABASE, ...database },
        ...(wal && { wal }),
        counts: { before, after: await countRows(superuserUrl) },
      };
      await writeText(into, `${name}/${MANIFEST}`, `${JSON.stringify(manifest, null, 2)}\n`);
      await removeUnneededLog(into);
      return { name, manifest };
    } catch (error) {
      // Where that fails too, the first failure says why, and the next backup removes it.
      await into.removeFolder(name).catch(() => undefined);
      throw error;
    }
  } finally {
    await client.end();
  }
}

async function removeUnfinished(storage: Storage): Promise<void> {
  const finished = new Set((await listBackups(storage)).map(({ name }) => name));
  for (const name of await storage.folders())
    if (NAME.test(name) && !finished.has(name)) await storage.removeFolder(name);
}

/** A name of this second that no backup has. */
async function newName(storage: Storage): Promise<string> {
  for (;;) {
    const name = nameOf(new Date());
    if ((await storage.files(name)).length === 0) return name;
    await sleep(1_000);
  }
}

type CopiedDatabase = Manifest["database"] & Pick<Manifest, "made_at" | "postgres" | "wal">;

/**
 * The base backup: files as they are while they change, and the log that makes them consistent. A temporary slot keeps
 * that log until it is copied; it and the backup end with the session, however that ends.
 */
async function copy(client: pg.Client, into: Storage, file: string): Promise<Omit<CopiedDatabase, "file">> {
  const ask = async <T>(text: string, values: unknown[] = []): Promise<T> =>
    (await client.query(text, values)).rows[0] as T;
  const { data, level, postgres } = await ask<{ data: string; level: string; postgres: string }>(
    "SELECT current_setting('data_directory') AS data, current_setting('wal_level') AS level, current_setting('server_version') AS postgres",
  );
  if (level === "minimal")
    throw new OperatorError("The database was started by an older release of Rapport: restart Rapport, then back up.");
  await ask("SELECT pg_create_physical_replication_slot($1, true, true)", [`rapport_backup_${process.pid}`]);
  const { from } = await ask<{ from: string }>(
    "SELECT pg_walfile_name(pg_backup_start('rapport', fast => true)) AS from",
  );
  const archive = new Archive(into, file);
  try {
    const { folders, files: names } = clusterFiles(data);
    for (const folder of folders) await archive.folder(folder);
    for (const name of names) await archive.file(data, name);
    const end = await ask<{ to: string; label: string; made_at: Date }>(
      "SELECT pg_walfile_name(lsn) AS to, labelfile AS label, now() AS made_at FROM pg_backup_stop(wait_for_archive => false)",
    );
    const stream = await archivedStream(client);
    const { from: first } = await ask<{ from: Date }>("SELECT clock_timestamp() + interval '1 ms' AS from");
    await archive.text("backup_label", end.label);
    for (const name of logFiles(data, from, end.to)) await archive.file(data, name);
    return {
      made_at: end.made_at.toISOString(),
      postgres,
      ...(stream !== undefined && { wal: { stream, segment: end.to, from: first.toISOString() } }),
      ...(await archive.end()),
    };
  } catch (error) {
    await archive.abandon(error as Error);
    throw error;
  }
}

/** Compressed at the level at which two cores still have most of their time for the app. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A compressed archive that is hashed while it is written. */
class Archive {
  private readonly pack = pack();
  private readonly hash: Hash = createHash("sha256");
  private readonly written: Promise<void>;
  private bytes = 0;
  private unpacked = 0;

  constructor(storage: Storage, name: string) {
    const counted = new Transform({
      transform: (piece: Buffer, _, done) => {
        this.hash.update(piece);
        this.bytes += piece.length;
        done(null, piece);
      },
    });
    const compressing = pipeline(this.pack, createZstdCompress(LEVEL), counted);
    // Each has the error of the other, because one reads what the other makes.
    compressing.catch(() => undefined);
    this.written = storage.write(name, counted);
    // Its error is the error of the entry that cannot be written, and of `end`.
    this.written.catch((error: Error) => this.pack.destroy(error));
  }

  folder(name: string): Promise<void> {
    return this.entry({ name, type: "directory", mode: 0o700 }, []);
  }

  text(name: string, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    return this.entry({ name, size: bytes.length, mode: 0o600 }, [bytes]);
  }

  /**
   * A file with the size it has when it is opened. What is appended later is in the log; what was cut off meanwhile is
   * filled with zeros, as the log says that it was cut. One that was dropped is left out.
   */
  async file(folder: string, name: string): Promise<void> {
    let handle: FileHandle;
    try {
      handle = await open(path.join(folder, name), files.O_RDONLY);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      throw error;
    }
    try {
      const { size } = await handle.stat();
      await this.entry({ name, size, mode: 0o600 }, piecesOf(handle, size));
      this.unpacked += size;
    } finally {
      await handle.close();
    }
  }

  async end(): Promise<Pick<CopiedDatabase, "bytes" | "sha256" | "unpacked">> {
    this.pack.finalize();
    await this.written;
    return { bytes: this.bytes, sha256: this.hash.digest("hex"), unpacked: this.unpacked };
  }

  /** Ends the writing of what will not be complete. */
  async abandon(error: Error): Promise<void> {
    this.pack.destroy(error);
    await this.written.catch(() => undefined);
  }

  private async entry(
    header: Pick<Header, "name" | "mode"> & Partial<Header>,
    pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  ): Promise<void> {
    const { promise: packed, resolve, reject } = Promise.withResolvers<void>();
    const sink = this.pack.entry(header, (error) => (error ? reject(error) : resolve()));
    await together([header.type === "directory" ? undefined : pipeline(pieces, sink), packed]);
  }
}

async function* piecesOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let place = 0; place < size; ) {
    const piece = Buffer.alloc(Math.min(PIECE, size - place));
    const { bytesRead } = await handle.read(piece, 0, piece.length, place);
    const read = bytesRead === 0 ? piece : piece.subarray(0, bytesRead);
    yield read;
    place += read.length;
  }
}

const PIECE = 1 << 20;
