import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import type { Column, ImportKind, ImportState, Warning } from "../contract.ts";
import type { Encoding } from "../rules/encoding.ts";
import type { Delimiter } from "../rules/layout.ts";
import type { Counted, Undone } from "../rules/progress.ts";
import { forgetChecks } from "./batches.ts";

export type ImportRecord = {
  id: string;
  name: string;
  kind: ImportKind;
  state: ImportState;
  fileName: string | null;
  bytes: number;
  kept: boolean;
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  headerRow: number | null;
  rows: number | null;
  columns: Column[];
  stageValues: Record<string, Stage | null>;
  stagesSeen: { value: string; proposed: Stage | null }[];
  policy: "fill_blanks" | "overwrite";
  creates: boolean;
  listId: string | null;
  warnings: Warning[];
  problem: string | null;
  check: Counted | null;
  run: Counted | null;
  undo: Undone | null;
  runBy: string | null;
  position: number;
  backfillId: string | null;
  createdBy: string;
  createdAt: Date;
};

const COLUMNS = `id, name, kind, state, file_name AS "fileName", bytes::float8 AS bytes, kept, encoding, delimiter, header_row AS "headerRow",
  rows, columns, stage_values AS "stageValues", stages_seen AS "stagesSeen", policy, creates, list_id AS "listId", warnings, problem, "check", run, undo,
  run_by AS "runBy", position, backfill_id AS "backfillId", created_by AS "createdBy", created_at AS "createdAt"`;

// imports_pkey: ids are UUID v7, so it is in order of time
const page = sql(
  "imports_page",
  `SELECT ${COLUMNS} FROM imports WHERE workspace_id = $workspace AND ($1::uuid IS NULL OR id < $1) AND ($2::text IS NULL OR kind = $2)
     AND state <> 'uploading' ORDER BY id DESC LIMIT $3`,
);
export const findImports = (
  db: Db,
  before: string | null,
  kind: ImportKind | null,
  limit: number,
): Promise<ImportRecord[]> => db.query<ImportRecord>(page, [before, kind, limit]);

// imports_pkey
const one = sql("import_one", `SELECT ${COLUMNS} FROM imports WHERE workspace_id = $workspace AND id = $1`);
const locked = sql("import_locked", `${one.text} FOR NO KEY UPDATE`);

export const findImport = async (db: Db, id: string): Promise<ImportRecord | null> =>
  (await db.query<ImportRecord>(one, [id]))[0] ?? null;

/** The import, locked until this transaction ends. */
export const findImportToChange = async (db: Db, id: string): Promise<ImportRecord | null> =>
  (await db.query<ImportRecord>(locked, [id]))[0] ?? null;

const insert = sql(
  "import_insert",
  `INSERT INTO imports (workspace_id, id, name, kind, state, file_name, created_by) VALUES ($workspace, $1, $2, $3, 'uploading', $4, $5)`,
);
export const insertImport = (
  db: Db,
  given: Pick<ImportRecord, "id" | "name" | "kind" | "fileName" | "createdBy">,
): Promise<unknown> => db.query(insert, [given.id, given.name, given.kind, given.fileName, given.createdBy]);

// imports_pkey: few wait
const waiting = sql(
  "imports_waiting",
  `SELECT count(*)::int AS n FROM imports WHERE workspace_id = $workspace AND state IN ('uploading', 'reading', 'ready', 'checking')`,
);
export const countWaiting = async (db: Db): Promise<number> => (await db.query<{ n: number }>(waiting))[0]?.n ?? 0;

// imports_pkey: few are worked on
const othersAtWork = sql(
  "imports_others_at_work",
  `SELECT FROM imports WHERE workspace_id = $workspace AND id <> $1 AND state IN ('reading', 'checking', 'running', 'undoing') LIMIT 1`,
);
/** Whether the workspace has other imports that are worked on, or wait for it. */
export const hasOthersAtWork = async (db: Db, id: string): Promise<boolean> =>
  (await db.query(othersAtWork, [id])).length > 0;

/** Columns that may be set, with the SQL type of their value. */
const settable = {
  name: "text",
  state: "text",
  bytes: "bigint",
  kept: "boolean",
  encoding: "text",
  delimiter: "text",
  headerRow: "int",
  rows: "int",
  columns: "jsonb",
  stageValues: "jsonb",
  stagesSeen: "jsonb",
  policy: "text",
  creates: "boolean",
  listId: "uuid",
  warnings: "jsonb",
  problem: "text",
  check: "jsonb",
  run: "jsonb",
  undo: "jsonb",
  runBy: "text",
  position: "int",
  backfillId: "uuid",
} as const satisfies Partial<Record<keyof ImportRecord, string>>;

type Settable = keyof typeof settable;
const names = Object.keys(settable) as Settable[];
const columnOf = (name: Settable): string => `"${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;

// imports_pkey; what is not given stays
const set = sql(
  "import_set",
  `UPDATE imports SET ${names
    .map(
      (name, place) =>
        `${columnOf(name)} = CASE WHEN $2::text[] @> '{${name}}' THEN $${place + 3}::${settable[name]} ELSE ${columnOf(name)} END`,
    )
    .join(", ")} WHERE workspace_id = $workspace AND id = $1`,
);

export function setImport(db: Db, id: string, change: Partial<Pick<ImportRecord, Settable>>): void {
  const given = names.filter((name) => change[name] !== undefined);
  const values = names.map((name) => {
    const value = change[name] ?? null;
    return value !== null && settable[name] === "jsonb" ? JSON.stringify(value) : value;
  });
  void db.defer(set, [id, given, ...values]);
}

const remove = sql("import_delete", "DELETE FROM imports WHERE workspace_id = $workspace AND id = $1");
export const deleteImport = (db: Db, id: string): Promise<unknown> => db.query(remove, [id]);

const removeUploading = sql("import_delete_uploading", `${remove.text} AND state = 'uploading'`);
export const deleteUploading = (db: Db, id: string): Promise<unknown> => db.query(removeUploading, [id]);

// imports_pkey: an upload that its process did not finish, a file that no one imported
const stale = sql(
  "imports_stale",
  `SELECT id FROM imports WHERE workspace_id = $workspace
     AND (state = 'uploading' AND created_at < now() - interval '1 day'
       OR state = 'ready' AND created_at < now() - interval '30 days') LIMIT 20`,
);
export const findStale = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(stale)).map(({ id }) => id);

const forgetCheck = sql(
  "import_forget_check",
  `UPDATE imports SET "check" = NULL WHERE workspace_id = $workspace AND id = $1`,
);

/** Forgets a dry run and what it said of each row. */
export async function clearCheck(db: Db, id: string): Promise<void> {
  await db.query(forgetCheck, [id]);
  await forgetChecks(db, id);
}

const forgetProblem = sql(
  "import_forget_problem",
  "UPDATE imports SET problem = NULL WHERE workspace_id = $workspace AND id = $1",
);
export const clearProblem = (db: Db, id: string): Promise<unknown> => db.query(forgetProblem, [id]);
