import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import { mentionsAny, mentionValues } from "#lib/domain/queries/mentions.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Export as Stored } from "#prisma/generated/client.ts";
import type { Export, ExportFormat, ExportKind, ExportState } from "./contract.ts";

/** `columns`: null for a kind that has none to choose. */
export type ExportRow = Omit<Stored, "workspaceId" | "run" | keyof TypedColumns> & TypedColumns;
type TypedColumns = {
  what: ExportKind;
  format: ExportFormat;
  filters: Export["filters"];
  columns: string[] | null;
  bytes: number;
};

const omit = { workspaceId: true, run: true } as const;

const rowOf = ({ columns, bytes, ...row }: Omit<Stored, "workspaceId" | "run">): ExportRow => ({
  ...(row as Omit<ExportRow, "columns" | "bytes">),
  columns: columns.length === 0 ? null : columns,
  bytes: Number(bytes),
});

/** An erasure and the beginning of an export wait for each other: a file is read before or after it, never in between. */
export const lockExports = (db: Db): Promise<void> => lock(db, "exports");

/** Exports before one, or all: the latest first, because ids are UUID v7. */
export const findExports = async (db: Db, limit: number, before: string | null): Promise<ExportRow[]> =>
  (
    await db.prisma.export.findMany({
      where: before === null ? {} : { id: { lt: before } },
      omit,
      orderBy: { id: "desc" },
      take: limit,
    })
  ).map(rowOf);

export async function findExport(db: Db, id: string): Promise<ExportRow | null> {
  const row = await db.prisma.export.findFirst({ where: { id }, omit });
  return row && rowOf(row);
}

/** The export, locked until this transaction ends. */
export async function findExportToChange(db: Db, id: string): Promise<ExportRow | null> {
  await lockRow(db, "exports", id);
  return findExport(db, id);
}

const KEPT: ExportState[] = ["queued", "running", "done"];

export const countKept = (db: Db): Promise<number> => db.prisma.export.count({ where: { state: { in: KEPT } } });

export async function insertExport(
  db: Db,
  { columns, ...row }: Pick<ExportRow, "id" | "what" | "format" | "filters" | "columns" | "createdBy">,
): Promise<void> {
  await db.prisma.export.create({ data: { ...row, columns: columns ?? [] }, select: { id: true } });
}

const clear = (db: Db, which: { exportId?: string }) => db.prisma.exportChunk.deleteMany({ where: which });

/** Gives the file to a run, which writes it from its beginning. */
export async function beginRun(db: Db, id: string, run: string): Promise<void> {
  await clear(db, { exportId: id });
  await db.prisma.export.updateMany({
    where: { id },
    data: { state: "running", run, rows: 0, bytes: 0, message: null },
  });
}

// exports_pkey. The row is locked by the update, so a run that lost the file writes nothing after that.
const append = sql(
  "export_append",
  `WITH mine AS (
     UPDATE exports SET rows = $3, bytes = $4::bigint + octet_length($5::bytea)
     WHERE workspace_id = $workspace AND id = $1 AND run = $2 AND state = 'running' RETURNING id
   )
   INSERT INTO export_chunks (workspace_id, export_id, start, content) SELECT $workspace, id, $4, $5 FROM mine RETURNING start`,
);

/** A piece of the file: where it starts, and how many rows are then written. */
export type Piece = { start: number; content: Buffer; rows: number };

/** Adds a piece to a run's file; false when the run has lost it. */
export const appendPiece = async (db: Db, id: string, run: string, { start, content, rows }: Piece): Promise<boolean> =>
  (await db.query(append, [id, run, rows, start, content])).length > 0;

/** Ends a run whose file is complete, which is kept for so many days; false when the run has lost it. */
export async function completeRun(db: Db, id: string, run: string, rows: number, days: number): Promise<boolean> {
  const finishedAt = new Date();
  const expiresAt = new Date(finishedAt.getTime() + days * DAY_MS);
  const { count } = await db.prisma.export.updateMany({
    where: { id, run, state: "running" },
    data: { state: "done", run: null, rows, finishedAt, expiresAt },
  });
  return count > 0;
}

/** Ends an export without a file. */
export async function endWithoutFile(
  db: Db,
  id: string,
  state: "failed" | "cancelled",
  message: string | null,
): Promise<void> {
  await clear(db, { exportId: id });
  await db.prisma.export.updateMany({ where: { id }, data: { state, run: null, message, finishedAt: new Date() } });
}

export async function removeExport(db: Db, id: string): Promise<void> {
  await db.prisma.export.deleteMany({ where: { id } });
}

// export_chunks_pkey
const piece = sql(
  "export_piece",
  `SELECT start, content FROM export_chunks WHERE workspace_id = $workspace AND export_id = $1 AND start <= $2 ORDER BY start DESC LIMIT 1`,
);

/** The piece of a file that the byte of this number is in; null when the file is gone. */
export const findPiece = async (db: Db, id: string, at: number): Promise<Omit<Piece, "rows"> | null> =>
  (await db.query<Omit<Piece, "rows">>(piece, [id, at]))[0] ?? null;

// exports_pkey, read whole. One statement, so that a run which ends meanwhile is seen in its new state.
const forget = sql(
  "exports_forget",
  `UPDATE exports SET run = NULL, rows = 0, bytes = 0,
     filters = CASE WHEN named.is THEN '{}' ELSE filters END,
     message = CASE WHEN state IN ('done', 'queued', 'running') AND (named.is OR state = 'done') THEN $3 ELSE message END,
     finished_at = CASE WHEN state IN ('queued', 'running') AND named.is THEN $4 ELSE finished_at END,
     state = CASE WHEN state = 'done' THEN 'expired'::export_state WHEN state IN ('queued', 'running') AND named.is THEN 'cancelled'
       WHEN state = 'running' THEN 'queued' ELSE state END
   FROM (SELECT id AS of, ${mentionsAny("filters::text", "$1", "$2")} AS is FROM exports WHERE workspace_id = $workspace) AS named
   WHERE workspace_id = $workspace AND id = named.of AND (named.is OR state IN ('done', 'queued', 'running'))
   RETURNING id, state`,
);

/** Removes every file, and filters that name one of these identifiers. Returns the exports to be written again. */
export async function forgetFiles(db: Db, identifiers: readonly string[], reason: string): Promise<string[]> {
  const rows = await db.query<{ id: string; state: ExportState }>(forget, [
    ...mentionValues(identifiers),
    reason,
    new Date(),
  ]);
  await clear(db, {});
  return rows.filter(({ state }) => state === "queued").map(({ id }) => id);
}

// export_chunks_pkey, exports_pkey
const sweep = sql(
  "export_chunks_sweep",
  `WITH left_over AS MATERIALIZED (
     SELECT c.export_id, c.start FROM export_chunks c JOIN exports e ON e.workspace_id = $workspace AND e.id = c.export_id
     WHERE c.workspace_id = $workspace AND e.state NOT IN ('running', 'done') LIMIT $1)
   DELETE FROM export_chunks c USING left_over l WHERE c.workspace_id = $workspace AND c.export_id = l.export_id AND c.start = l.start
   RETURNING c.start`,
);
/** Removes at most `limit` pieces of files that are no longer kept, and exports older than `days`. Returns how many pieces. */
export async function sweepFiles(db: Db, limit: number, days: number): Promise<number> {
  const now = new Date();
  await db.prisma.export.updateMany({ where: { state: "done", expiresAt: { lt: now } }, data: { state: "expired" } });
  const swept = await db.query(sweep, [limit]);
  if (swept.length < limit)
    await db.prisma.export.deleteMany({
      where: { state: { notIn: KEPT }, createdAt: { lt: new Date(now.getTime() - days * DAY_MS) } },
    });
  return swept.length;
}
