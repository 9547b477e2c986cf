import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { log } from "#lib/core/log.ts";
import type { Db } from "#lib/db/handle.ts";
import { holdSnapshot } from "#lib/db/snapshot.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { pagesOf } from "#lib/domain/whole-lists.ts";
import { jobKind } from "#lib/jobs/queue.ts";
import { resumable, type StepResult } from "#lib/jobs/resumable.ts";
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
import { Spool } from "./spool.ts";

export const exporting = jobKind("exports:write", {
  label: "Write an export",
  ids: ["export_id"],
  attempts: 5,
  queue: "exports",
  once: true,
});

/** Files are kept so long. */
const KEEP_DAYS = 7;

/** Size of a piece of the file: what one download step holds in memory. */
const PIECE_BYTES = 512 * 1024;

/**
 * Writes the file of an export from one snapshot of the workspace: first on this machine, then in pieces in the database. A
 * run that was killed leaves pieces that the next run removes: it starts again, because its snapshot is gone.
 */
export const runExport = resumable(exporting, {
  begin:
    ({ caller, signal }, { export_id: id }) =>
    () =>
      writeFile(caller, id, signal),
  giveUp: ({ caller }, { export_id: id }) => giveUp(caller, id, "Something went wrong on our side."),
});

/** What is left is the whole file: the process stopped before it was read. */
async function writeFile(caller: Caller, id: string, signal: AbortSignal): Promise<StepResult> {
  const run = newId();
  const row = await withWorkspace(caller.workspaceId, (db) => claim(db, id, run));
  if (!row) return "done";
  const spool = await Spool.open(run);
  try {
    // No other statement is sent to the database meanwhile: a pool of one connection must be enough.
    const rows = await withWorkspace(caller.workspaceId, async (db) => {
      await holdSnapshot(db);
      return readList(caller, db, row, spool, signal);
    });
    if (rows === null) return "more";
    const isKept = await keepFile(caller, id, run, spool, rows);
    log.debug({ export_id: id, rows, bytes: spool.bytes, kept: isKept }, "export written");
  } catch (error) {
    if (!isFault(error) || error.status >= 500) throw error;
    await giveUp(caller, id, error.message);
  } finally {
    await spool.close();
  }
  return "done";
}

/** Takes the file for this run; null when there is nothing to write. */
async function claim(db: Db, id: string, run: string): Promise<ExportRow | null> {
  await lockExports(db);
  const row = await findExportToChange(db, id);
  if (row?.state !== "queued" && row?.state !== "running") return null;
  await beginRun(db, id, run);
  return row;
}

const giveUp = ({ workspaceId }: Caller, id: string, message: string): Promise<void> =>
  withWorkspace(workspaceId, async (db) => {
    const row = await findExportToChange(db, id);
    if (row?.state === "queued" || row?.state === "running") await endWithoutFile(db, id, "failed", message);
  });

/** Reads the list from one snapshot into the spool, page by page. Null when the process stops meanwhile. */
async function readList(
  caller: Caller,
  db: Db,
  row: ExportRow,
  spool: Spool,
  signal: AbortSignal,
): Promise<number | null> {
  const kind = kinds[row.what];
  const all =
    row.format === "csv" && !row.columns ? [...kind.fields, ...((await kind.custom?.(caller, db)) ?? [])] : [];
  const { head, write } = writingOf(row.format, row.columns, all, kind.own);
  await spool.add(Buffer.from(head));
  let count = 0;
  const asked = { list: kind.list, rows: kind.rows, filters: row.filters, limit: kind.page };
  for await (const rows of pagesOf<Row>(caller, db, asked)) {
    if (signal.aborted) return null;
    await spool.add(Buffer.from(write(kind.complete ? await kind.complete(db, rows) : rows)));
    count += rows.length;
  }
  return count;
}

/**
 * Keeps the file in pieces, each in a transaction of its own. False as soon as the file is no longer this run's: it was
 * cancelled, deleted, or begun again by another run.
 */
async function keepFile(
  { workspaceId }: Caller,
  id: string,
  run: string,
  spool: Spool,
  rows: number,
): Promise<boolean> {
  for (let start = 0; start < spool.bytes; start += PIECE_BYTES) {
    const content = await spool.read(start, PIECE_BYTES);
    const sofar = Math.round((rows * Math.min(start + PIECE_BYTES, spool.bytes)) / spool.bytes);
    const kept = await withWorkspace(workspaceId, (db) => appendPiece(db, id, run, { start, content, rows: sofar }));
    if (!kept) return false;
  }
  return withWorkspace(workspaceId, (db) => completeRun(db, id, run, rows, KEEP_DAYS));
}
