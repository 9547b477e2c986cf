import type { Db } from "#lib/db/handle.ts";
import { lockRow } from "#lib/db/row-locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Stage } from "#lib/domain/crm/recording/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import { Prisma, type Import as Stored } from "#prisma/generated/client.ts";
import type { Column, ImportKind, ImportState, Warning } from "../contract.ts";
import type { Delimiter, Encoding } from "../rules/format.ts";
import type { RunCounts, Undone } from "../rules/progress.ts";
import { forgetChecks } from "./batches.ts";

export type ImportRecord = Omit<Stored, "workspaceId" | keyof TypedColumns> & TypedColumns;
type TypedColumns = {
  kind: ImportKind;
  state: ImportState;
  bytes: number;
  encoding: Encoding | null;
  delimiter: Delimiter | null;
  columns: Column[];
  stageValues: Record<string, Stage | null>;
  stagesSeen: { value: string; proposed: Stage | null }[];
  policy: "fill_blanks" | "overwrite";
  warnings: Warning[];
  check: RunCounts | null;
  run: RunCounts | null;
  undo: Undone | null;
};

const omit = { workspaceId: true } as const;

const recordOf = ({ bytes, ...row }: Omit<Stored, "workspaceId">): ImportRecord => ({
  ...(row as Omit<ImportRecord, "bytes">),
  bytes: Number(bytes),
});

/** Files that were uploaded, before one, or all: the latest first, because ids are UUID v7. */
export const findImports = async (
  db: Db,
  before: string | null,
  kind: ImportKind | null,
  limit: number,
): Promise<ImportRecord[]> =>
  (
    await db.prisma.import.findMany({
      where: {
        ...(before === null ? {} : { id: { lt: before } }),
        ...(kind === null ? {} : { kind }),
        state: { not: "uploading" },
      },
      omit,
      orderBy: { id: "desc" },
      take: limit,
    })
  ).map(recordOf);

export async function findImport(db: Db, id: string): Promise<ImportRecord | null> {
  const row = await db.prisma.import.findFirst({ where: { id }, omit });
  return row && recordOf(row);
}

/** The import, locked until this transaction ends. */
export async function findImportToChange(db: Db, id: string): Promise<ImportRecord | null> {
  await lockRow(db, "imports", id);
  return findImport(db, id);
}

export async function insertImport(
  db: Db,
  record: Pick<ImportRecord, "id" | "name" | "kind" | "fileName" | "phoneCountry" | "createdBy">,
): Promise<void> {
  await db.prisma.import.create({ data: { ...record, state: "uploading" }, select: { id: true } });
}

export const countWaiting = (db: Db): Promise<number> =>
  db.prisma.import.count({ where: { state: { in: ["uploading", "reading", "ready", "checking"] } } });

/** Whether the workspace has other imports that are worked on, or wait for it. */
export async function hasOthersAtWork(db: Db, id: string): Promise<boolean> {
  const where = { id: { not: id }, state: { in: ["reading", "checking", "running", "undoing"] } };
  return (await db.prisma.import.findFirst({ where, select: { id: true } })) !== null;
}

/** What is not given stays. */
export async function setImport(
  db: Db,
  id: string,
  { check, run, undo, ...change }: Partial<ImportRecord>,
): Promise<void> {
  const data = { ...change, check: orNothing(check), run: orNothing(run), undo: orNothing(undo) };
  await db.prisma.import.updateMany({ where: { id }, data });
}

const orNothing = <Json>(json: Json | null | undefined) => (json === null ? Prisma.DbNull : json);

/** What each batch reads and writes of its import. */
export type Progress = Pick<ImportRecord, "state" | "position" | "check" | "run" | "runBy">;

// imports_pkey
const progress = sql(
  "import_progress",
  `SELECT state, position, "check", run, run_by AS "runBy" FROM imports WHERE workspace_id = $workspace AND id = $1 FOR NO KEY UPDATE`,
);

/** How far an import is, locked until this transaction ends. Sent for each batch, with other statements. */
export const findProgress = async (db: Db, id: string): Promise<Progress | null> =>
  (await db.query<Progress>(progress, [id]))[0] ?? null;

// imports_pkey
const advance = sql(
  "import_advance",
  `UPDATE imports SET position = $2, "check" = coalesce($3, "check"), run = coalesce($4, run) WHERE workspace_id = $workspace AND id = $1`,
);

/** A batch is done. Sent with the COMMIT. */
export function advanceImport(
  db: Db,
  id: string,
  position: number,
  counts: { check: RunCounts } | { run: RunCounts },
): void {
  const { check = null, run = null } = counts as { check?: RunCounts; run?: RunCounts };
  void db.defer(advance, [id, position, check, run]);
}

export async function deleteImport(db: Db, id: string): Promise<void> {
  await db.prisma.import.deleteMany({ where: { id } });
}

export async function deleteUploading(db: Db, id: string): Promise<void> {
  await db.prisma.import.deleteMany({ where: { id, state: "uploading" } });
}

/** An upload that its process did not finish, a file that no one imported. */
export async function findStale(db: Db): Promise<string[]> {
  const before = (days: number) => ({ lt: new Date(Date.now() - days * DAY_MS) });
  const rows = await db.prisma.import.findMany({
    where: {
      OR: [
        { state: "uploading", createdAt: before(1) },
        { state: "ready", createdAt: before(30) },
      ],
    },
    select: { id: true },
    take: 20,
  });
  return rows.map(({ id }) => id);
}

/** Forgets a dry run and what it said of each row. */
export async function clearCheck(db: Db, id: string): Promise<void> {
  await setImport(db, id, { check: null });
  await forgetChecks(db, id);
}
