import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { mentionsAny, mentionValues } from "#lib/db/mentions.ts";
import { sql } from "#lib/db/statement.ts";
import type { Export, ExportFormat, ExportKind, ExportState } from "./contract.ts";

export type ExportRow = {
  id: string;
  what: ExportKind;
  format: ExportFormat;
  filters: Export["filters"];
  columns: string[] | null;
  state: ExportState;
  rows: number;
  bytes: number;
  message: string | null;
  createdBy: string;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date | null;
};

const COLUMNS = `id, what, format, filters, columns, state::text AS state, rows, bytes, message, created_by AS "createdBy",
  created_at AS "createdAt", finished_at AS "finishedAt", expires_at AS "expiresAt"`;

/** An erasure and the beginning of an export wait for each other: a file is read before or after it, never in between. */
export const lockExports = (db: Db): Promise<void> => lock(db, "exports");

// exports_pkey: ids are UUID v7, so it is in order of time
const page = sql(
  "exports_page",
  `SELECT ${COLUMNS} FROM exports WHERE workspace_id = $workspace AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $1`,
);
export const findExports = (db: Db, limit: number, before: string | null): Promise<ExportRow[]> =>
  db.query<ExportRow>(page, [limit, before]);

// exports_pkey
const one = sql("export_one", `SELECT ${COLUMNS} FROM exports WHERE workspace_id = $workspace AND id = $1`);
const locked = sql("export_locked", `${one.text} FOR NO KEY UPDATE`);
export const findExport = async (db: Db, id: string): Promise<ExportRow | null> =>
  (await db.query<ExportRow>(one, [id]))[0] ?? null;

/** The export, locked until this transaction ends. */
export const findExportToChange = async (db: Db, id: string): Promise<ExportRow | null> =>
  (await db.query<ExportRow>(locked, [id]))[0] ?? null;

// exports_pkey: a workspace has at most some hundred rows
const kept = sql(
  "exports_kept",
  "SELECT count(*)::int AS count FROM exports WHERE workspace_id = $workspace AND state IN ('queued', 'running', 'done')",
);
export const countKept = async (db: Db): Promise<number> => (await db.query<{ count: number }>(kept))[0]?.count ?? 0;

const insert = sql(
  "export_insert",
  `INSERT INTO exports (workspace_id, id, what, format, filters, columns, created_by) VALUES ($workspace, $1, $2, $3, $4, $5, $6)`,
);
export async function insertExport(
  db: Db,
  row: Pick<ExportRow, "id" | "what" | "format" | "filters" | "columns" | "createdBy">,
): Promise<void> {
  const { id, what, format, filters, columns, createdBy } = row;
  await db.query(insert, [id, what, format, JSON.stringify(filters), columns, createdBy]);
}

// exports_pkey
const begin = sql(
  "export_begin",
  `UPDATE exports SET state = 'running', run = $2, rows = 0, bytes = 0, message = NULL WHERE workspace_id = $workspace AND id = $1`,
);
const clear = sql("export_clear", "DELETE FROM export_chunks WHERE workspace_id = $workspace AND export_id = $1");

/** Gives the file to a run, which writes it from its beginning. */
export async function beginRun(db: Db, id: string, run: string): Promise<void> {
  await db.query(clear, [id]);
  await db.query(begin, [id, run]);
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

// exports_pkey
const complete = sql(
  "export_complete",
  `UPDATE exports SET state = 'done', run = NULL, rows = $3, finished_at = now(), expires_at = now() + make_interval(days => $4)
   WHERE workspace_id = $workspace AND id = $1 AND run = $2 AND state = 'running' RETURNING id`,
);

/** Ends a run whose file is complete, which is kept for so many days; false when the run has lost it. */
export const completeRun = async (db: Db, id: string, run: string, rows: number, days: number): Promise<boolean> =>
  (await db.query(complete, [id, run, rows, days])).length > 0;

// exports_pkey
const end = sql(
  "export_end",
  `UPDATE exports SET state = $2::export_state, run = NULL, message = $3, finished_at = now() WHERE workspace_id = $workspace AND id = $1`,
);

/** Ends an export without a file. */
export async function endWithoutFile(
  db: Db,
  id: string,
  state: "failed" | "cancelled",
  message: string | null,
): Promise<void> {
  await db.query(clear, [id]);
  await db.query(end, [id, state, message]);
}

// exports_pkey, export_chunks_pkey
const remove = sql("export_remove", "DELETE FROM exports WHERE workspace_id = $workspace AND id = $1");
export async function removeExport(db: Db, id: string): Promise<void> {
  await db.query(remove, [id]);
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
     finished_at = CASE WHEN state IN ('queued', 'running') AND named.is THEN now() ELSE finished_at END,
     state = CASE WHEN state = 'done' THEN 'expired'::export_state WHEN state IN ('queued', 'running') AND named.is THEN 'cancelled'
       WHEN state = 'running' THEN 'queued' ELSE state END
   FROM (SELECT id AS of, ${mentionsAny("filters::text", "$1", "$2")} AS is FROM exports WHERE workspace_id = $workspace) AS named
   WHERE workspace_id = $workspace AND id = named.of AND (named.is OR state IN ('done', 'queued', 'running'))
   RETURNING id, state`,
);
const clearAll = sql("export_chunks_forget", "DELETE FROM export_chunks WHERE workspace_id = $workspace");

/** Removes every file, and filters that name one of these identifiers. Returns the exports to be written again. */
export async function forgetFiles(db: Db, identifiers: readonly string[], reason: string): Promise<string[]> {
  const rows = await db.query<{ id: string; state: ExportState }>(forget, [...mentionValues(identifiers), reason]);
  await db.query(clearAll);
  return rows.filter(({ state }) => state === "queued").map(({ id }) => id);
}

// exports_pkey
const expire = sql(
  "exports_expire",
  `UPDATE exports SET state = 'expired' WHERE workspace_id = $workspace AND state = 'done' AND expires_at < now()`,
);
// export_chunks_pkey, exports_pkey
const sweep = sql(
  "export_chunks_sweep",
  `DELETE FROM export_chunks WHERE (workspace_id, export_id, start) IN (
     SELECT c.workspace_id, c.export_id, c.start FROM export_chunks c JOIN exports e ON e.workspace_id = $workspace AND e.id = c.export_id
     WHERE c.workspace_id = $workspace AND e.state NOT IN ('running', 'done') LIMIT $1)
   RETURNING start`,
);
// exports_pkey
const drop = sql(
  "exports_drop",
  `DELETE FROM exports WHERE workspace_id = $workspace AND state NOT IN ('queued', 'running', 'done') AND created_at < now() - make_interval(days => $1)`,
);

/** Removes at most `limit` pieces of files that are no longer kept, and exports older than `days`. Returns how many pieces. */
export async function sweepFiles(db: Db, limit: number, days: number): Promise<number> {
  await db.query(expire);
  const swept = await db.query(sweep, [limit]);
  if (swept.length < limit) await db.query(drop, [days]);
  return swept.length;
}
