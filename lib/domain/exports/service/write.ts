import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import type { Db } from "#lib/db/handle.ts";
import { holdSnapshot } from "#lib/db/snapshot.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import type { JobRun } from "#lib/jobs/handler.ts";
import { enqueue, jobKind } from "#lib/jobs/queue.ts";
import {
  appendPiece,
  beginRun,
  completeRun,
  type ExportRow,
  endWithoutFile,
  findExportToChange,
  lockExports,
} from "../queries.ts";
import { type Row, writingOf } from "../rules.ts";
import { kinds } from "./kinds.ts";

export const exporting = jobKind("exports:write", {
  label: "Write an export",
  ids: ["export_id"],
  attempts: 5,
  queue: "exports",
  once: true,
});

/** Files are kept so long. */
const KEEP_DAYS = 7;

/** Size of a piece of the file, about: what one download step holds in memory. */
const PIECE_BYTES = 256 * 1024;

type Ids = { export_id: string };

/**
 * Writes the file of an export, in pieces, from one snapshot of the workspace. A run that was killed leaves pieces that the
 * next run removes: it starts again, because its snapshot is gone.
 */
export async function runExport({ caller, last, signal }: JobRun, { export_id: id }: Ids): Promise<void> {
  const inside = <T>(work: (db: Db) => Promise<T>) => withWorkspace(caller.workspaceId, work);
  const run = newId();
  const row = await inside((db) => claim(db, id, run));
  if (!row) return;
  try {
    await withWorkspace(caller.workspaceId, async (db) => {
      await holdSnapshot(db);
      await writeFile(caller, db, row, new File(caller, id, run), signal);
    });
  } catch (error) {
    if (error instanceof Lost) return; // cancelled, deleted, or begun again by somebody else
    if (error instanceof Stopping) return await inside((db) => enqueue(db, exporting, { export_id: id }));
    if (isFault(error) && error.status < 500) return await inside((db) => giveUp(db, id, error.message));
    if (last) await inside((db) => giveUp(db, id, "Something went wrong on our side."));
    throw error;
  }
}

/** Takes the file for this run; null when there is nothing to write. */
async function claim(db: Db, id: string, run: string): Promise<ExportRow | null> {
  await lockExports(db);
  const row = await findExportToChange(db, id);
  if (row?.state !== "queued" && row?.state !== "running") return null;
  await beginRun(db, id, run);
  return row;
}

async function giveUp(db: Db, id: string, message: string): Promise<void> {
  const row = await findExportToChange(db, id);
  if (row?.state === "queued" || row?.state === "running") await endWithoutFile(db, id, "failed", message);
}

/** The file is no longer this run's. */
class Lost extends Error {}
/** The process stops. */
class Stopping extends Error {}

async function writeFile(caller: Caller, db: Db, row: ExportRow, file: File, signal: AbortSignal): Promise<void> {
  const kind = kinds[row.what];
  const all =
    row.format === "csv" && !row.columns ? [...kind.fields, ...((await kind.custom?.(caller, db)) ?? [])] : [];
  const { head, write } = writingOf(row.format, row.columns, all, kind.own);
  await file.add(head, 0);
  for (let cursor: string | null = null; ; ) {
    if (signal.aborted) throw new Stopping();
    const asked: object = { ...row.filters, limit: kind.page, ...(cursor === null ? {} : { cursor }) };
    const page = (await (await kind.list.prepare(caller, asked)).run(db)) as Record<string, unknown>;
    const rows = page[kind.rows] as readonly Row[];
    await file.add(write(kind.complete ? await kind.complete(db, rows) : rows), rows.length);
    cursor = page.next_cursor as string | null;
    if (cursor === null) break;
  }
  await file.end();
  log.debug({ export_id: row.id, rows: file.rows, bytes: file.bytes }, "export written");
}

/** The file of a run: what is added is kept in pieces, each in a transaction of its own. */
class File {
  rows = 0;
  bytes = 0;
  private waiting: Buffer[] = [];
  private size = 0;
  private readonly caller: Caller;
  private readonly id: string;
  private readonly run: string;

  constructor(caller: Caller, id: string, run: string) {
    this.caller = caller;
    this.id = id;
    this.run = run;
  }

  async add(text: string, rows: number): Promise<void> {
    const bytes = Buffer.from(text);
    this.waiting.push(bytes);
    this.size += bytes.length;
    this.rows += rows;
    if (this.size >= PIECE_BYTES) await this.flush();
  }

  async end(): Promise<void> {
    await this.flush();
    const done = await withWorkspace(this.caller.workspaceId, (db) =>
      completeRun(db, this.id, this.run, this.rows, KEEP_DAYS),
    );
    if (!done) throw new Lost();
  }

  private async flush(): Promise<void> {
    const content = Buffer.concat(this.waiting);
    this.waiting = [];
    this.size = 0;
    for (let at = 0; at < content.length; at += PIECE_BYTES * 2) {
      const piece = { start: this.bytes, content: content.subarray(at, at + PIECE_BYTES * 2), rows: this.rows };
      const kept = await withWorkspace(this.caller.workspaceId, (db) => appendPiece(db, this.id, this.run, piece));
      if (!kept) throw new Lost();
      this.bytes += piece.content.length;
    }
  }
}
