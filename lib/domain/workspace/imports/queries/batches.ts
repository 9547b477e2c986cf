import { hash } from "node:crypto";
import type { Db } from "#lib/db/handle.ts";
import { lock } from "#lib/db/locks.ts";
import { sql } from "#lib/db/statement.ts";
import type { Cell } from "../rules/cells.ts";
import { type RowResult, unpacked } from "../rules/progress.ts";

const insertChunk = sql(
  "import_chunk_insert",
  "INSERT INTO import_chunks (workspace_id, import_id, place, bytes) VALUES ($workspace, $1, $2, $3)",
);
export const keepChunk = (db: Db, importId: string, place: number, bytes: Buffer): Promise<unknown> =>
  db.query(insertChunk, [importId, place, bytes]);

// import_chunks_pkey
const chunk = sql(
  "import_chunk",
  "SELECT bytes FROM import_chunks WHERE workspace_id = $workspace AND import_id = $1 AND place = $2",
);
export const findChunk = async (db: Db, importId: string, place: number): Promise<Buffer | null> =>
  (await db.query<{ bytes: Buffer }>(chunk, [importId, place]))[0]?.bytes ?? null;

export async function deleteChunks(db: Db, importId: string): Promise<void> {
  await db.prisma.importChunk.deleteMany({ where: { importId } });
}

const insert = sql(
  "import_batch_insert",
  "INSERT INTO import_batches (workspace_id, import_id, place, first_row, cells) VALUES ($workspace, $1, $2, $3, $4)",
);
export const insertBatch = (
  db: Db,
  importId: string,
  place: number,
  firstRow: number,
  cells: readonly (readonly Cell[])[],
): Promise<unknown> => db.query(insert, [importId, place, firstRow, JSON.stringify(cells)]);

export async function deleteBatches(db: Db, importId: string): Promise<void> {
  await db.prisma.importBatch.deleteMany({ where: { importId } });
}

/** `hash`: of the cells, which an erasure may empty. */
export type Batch = { place: number; firstRow: number; cells: Cell[][]; hash: string };

// import_batches_pkey
const cells = sql(
  "import_batch_cells",
  `SELECT place, first_row AS "firstRow", cells FROM import_batches WHERE workspace_id = $workspace AND import_id = $1 AND place = $2`,
);
export async function findBatch(db: Db, importId: string, place: number): Promise<Batch | null> {
  const [row] = await db.query<{ place: number; firstRow: number; cells: string }>(cells, [importId, place]);
  return row ? { ...row, cells: JSON.parse(row.cells) as Cell[][], hash: hash("md5", row.cells) } : null;
}

// import_batches_pkey
const same = sql(
  "import_batch_same",
  "SELECT FROM import_batches WHERE workspace_id = $workspace AND import_id = $1 AND place = $2 AND md5(cells) = $3",
);

/** True while the cells of a batch are what they were when it was read. */
export const isUnchanged = async (db: Db, importId: string, batch: Batch): Promise<boolean> =>
  (await db.query(same, [importId, batch.place, batch.hash])).length > 0;

/** Waits until this batch's turn is free, and holds it until the transaction ends. */
export const takeTurn = (db: Db, importId: string, place: number): Promise<void> =>
  lock(db, "importTurn", [`${importId} ${place}`]);

/** Their counts mean nothing then. */
export async function forgetChecks(db: Db, importId: string): Promise<void> {
  await db.prisma.importBatch.updateMany({ where: { importId, checked: { not: null } }, data: { checked: null } });
}

// import_batches_pkey
const check = sql(
  "import_batch_checked",
  `UPDATE import_batches SET checked = $3, check_counts = $4::int[] WHERE workspace_id = $workspace AND import_id = $1 AND place = $2`,
);
export function keepChecked(db: Db, importId: string, place: number, results: string, counts: readonly number[]): void {
  void db.defer(check, [importId, place, results, counts]);
}

export type Trace = {
  /** records the batch wrote to */
  touched: readonly string[];
  created: readonly string[];
  before: Before;
  /** the result of each row */
  results: (RowResult | null)[];
};

/** What an undoing needs: the rows' times before, when the batch was written, and the identifiers it gave. */
type Before = {
  updatedAt: Record<string, string>;
  at: string | null;
  attached: { entityId: string; kind: string; value: string }[];
};

const run = sql(
  "import_batch_ran",
  `UPDATE import_batches SET ran = $3, run_counts = $4::int[], touched = $5::uuid[], created = $6::uuid[], before = $7
   WHERE workspace_id = $workspace AND import_id = $1 AND place = $2`,
);
export function keepRan(
  db: Db,
  importId: string,
  place: number,
  results: string,
  counts: readonly number[],
  { touched, created, before }: Omit<Trace, "results">,
): void {
  void db.defer(run, [importId, place, results, counts, touched, created, JSON.stringify(before)]);
}

/** The records that the run wrote to in a batch. */
export const findTouched = async (db: Db, importId: string, place: number): Promise<string[]> =>
  (await db.prisma.importBatch.findFirst({ where: { importId, place }, select: { touched: true } }))?.touched ?? [];

/** What the run left of a batch: null for one that it did not come to; and how many rows of it the run did. */
export async function findTrace(
  db: Db,
  importId: string,
  place: number,
): Promise<{ trace: Trace | null; rows: number }> {
  const row = await db.prisma.importBatch.findFirst({
    where: { importId, place },
    select: { touched: true, created: true, before: true, runCounts: true, ran: true },
  });
  if (!row) return { trace: null, rows: 0 };
  const { touched, created, before, runCounts, ran } = row;
  return {
    trace:
      before === null
        ? null
        : { touched, created, before: JSON.parse(before) as Before, results: ran === null ? [] : unpacked(ran) },
    rows: runCounts.reduce((sum, count) => sum + count, 0),
  };
}

/** Which results are read: those of the dry run, or of the run. */
export type Phase = "check" | "run";

const resultsIn = { check: "checked", run: "ran" } as const;

const resultsOf = (phase: Phase) =>
  sql(
    `import_results_${phase}`,
    `SELECT place, first_row AS "firstRow", ${resultsIn[phase]} AS results, cells FROM import_batches
     WHERE workspace_id = $workspace AND import_id = $1 AND place >= $2 AND ${resultsIn[phase]} IS NOT NULL
       AND ($3::int IS NULL OR ${phase}_counts[$3] > 0) ORDER BY place LIMIT $4`,
  );
const results = { check: resultsOf("check"), run: resultsOf("run") };

export type ResultBatch = { place: number; firstRow: number; results: string; cells: string };

// import_batches_pkey
/** Batches with results from a place on; `outcome` (from 1) passes over those without such a row. */
export const findResults = (
  db: Db,
  phase: Phase,
  importId: string,
  from: number,
  outcome: number | null,
  limit: number,
): Promise<ResultBatch[]> => db.query<ResultBatch>(results[phase], [importId, from, outcome, limit]);

/** The batch that holds a row of the file. */
export async function findPlaceOf(db: Db, importId: string, row: number): Promise<number> {
  const where = { importId, firstRow: { lte: row } };
  const batch = await db.prisma.importBatch.findFirst({ where, select: { place: true }, orderBy: { place: "desc" } });
  return batch?.place ?? 0;
}
