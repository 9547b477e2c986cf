import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { cursorsOf } from "#lib/core/paging.ts";
import { implement } from "#lib/domain/implement.ts";
import type { Download } from "#lib/domain/operation.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import * as contract from "../contract.ts";
import { findPlaceOf, findResults, type Phase, type ResultBatch } from "../queries/batches.ts";
import { findImport, findImports, type ImportRecord } from "../queries/imports.ts";
import { type Cell, safeCell } from "../rules/cells.ts";
import { type RowResult, unpacked } from "../rules/progress.ts";
import { outcomes } from "../rules/words.ts";
import { importOf, rowOf } from "../serialize.ts";
import { insideImport } from "./work.ts";

const importCursors = cursorsOf("listImports", z.tuple([z.guid()]));
const rowCursors = cursorsOf("listImportRows", z.tuple([z.int()]));

export const listImports = implement(contract.listImports, async (ctx, { kind = null, limit, cursor }) => {
  const [before] = cursor === undefined ? [null] : importCursors.decode(ctx, cursor);
  const records = await findImports(ctx.db, before, kind, limit + 1);
  const shown = records.slice(0, limit);
  const last = records.length > limit ? shown.at(-1) : undefined;
  return {
    imports: shown.map(importOf),
    has_more: last !== undefined,
    next_cursor: last ? importCursors.encode(ctx, [last.id]) : null,
  };
});

/** Which results there are: those of the run come before those of a dry run. */
const phaseOf = ({ run, check }: ImportRecord): Phase | null => (run ? "run" : check ? "check" : null);

async function requireImport(ctx: { db: Parameters<typeof findImport>[0] }, id: string): Promise<ImportRecord> {
  const record = await findImport(ctx.db, id);
  if (!record || record.state === "uploading") throw new Fault("import_not_found");
  return record;
}

const BATCHES_AT_ONCE = 8;

export const listImportRows = implement(
  contract.listImportRows,
  async (ctx, { id, outcome, limit, cursor }) => {
    const [after] = cursor === undefined ? [0] : rowCursors.decode(ctx, cursor);
    const phase = phaseOf(await requireImport(ctx, id));
    if (!phase) return { of: null, rows: [], has_more: false, next_cursor: null };
    const wanted = outcome === undefined ? null : outcomes.indexOf(outcome) + 1;
    const rows: contract.ImportRow[] = [];
    for (let from = await findPlaceOf(ctx.db, id, after + 1); rows.length <= limit; ) {
      const batches = await findResults(ctx.db, phase, id, from, wanted, BATCHES_AT_ONCE);
      for (const batch of batches) rows.push(...rowsOf(batch, after, outcome));
      const last = batches.at(-1);
      if (!last || batches.length < BATCHES_AT_ONCE) break;
      from = last.place + 1;
    }
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      of: phase,
      rows: shown,
      has_more: last !== undefined,
      next_cursor: last ? rowCursors.encode(ctx, [last.row]) : null,
    };
  },
  { also: { file: openResult } },
);

const resultsIn = ({ firstRow, results }: ResultBatch): { row: number; result: RowResult }[] =>
  unpacked(results).flatMap((result, index) => (result ? [{ row: firstRow + index, result }] : []));

const rowsOf = (batch: ResultBatch, after: number, outcome: contract.RowOutcome | undefined): contract.ImportRow[] =>
  resultsIn(batch)
    .filter(({ row, result }) => row > after && (outcome === undefined || result.outcome === outcome))
    .map(({ row, result }) => rowOf(row, result));

/** All rows as a CSV file with their own cells. Null: the caller wants no file. Throws 404. */
async function openResult(
  caller: Caller,
  input: z.output<typeof contract.listImportRows.input>,
): Promise<Download | null> {
  if (input.format !== "csv") return null;
  const inside = insideImport(caller);
  const record = await inside(async (ctx) => {
    const row = await requireImport(ctx, input.id);
    await recordAudit(ctx, "import.downloaded", row.id, { name: row.name });
    return row;
  });
  const phase = phaseOf(record);
  const headers = record.columns.map(({ header }) => header);
  const wanted = input.outcome === undefined ? null : outcomes.indexOf(input.outcome) + 1;
  async function* lines(): AsyncGenerator<string> {
    yield `\uFEFF${lineOf(["row", "outcome", "record", "changes", "reasons", ...headers])}`;
    for (let from = 0; phase !== null; ) {
      const start = from;
      const batches = await inside((ctx) => findResults(ctx.db, phase, input.id, start, wanted, BATCHES_AT_ONCE));
      for (const batch of batches) yield textOf(batch, input.outcome);
      const last = batches.at(-1);
      if (!last) return;
      from = last.place + 1;
    }
  }
  const type = "text/csv; charset=utf-8";
  return {
    type,
    fileName: `${record.name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, " ").trim() || "import"} result.csv`,
    lines: lines(),
  };
}

function textOf(batch: ResultBatch, outcome: contract.RowOutcome | undefined): string {
  const cells = JSON.parse(batch.cells) as Cell[][];
  return resultsIn(batch)
    .filter(({ result }) => outcome === undefined || result.outcome === outcome)
    .map(({ row, result }) => {
      const reasons = result.reasons
        .map(({ message, column }) => (column ? `${column}: ${message}` : message))
        .join(" ");
      const own = (cells[row - batch.firstRow] ?? []).map((cell) =>
        typeof cell === "number" ? `(${cell} characters)` : cell,
      );
      return lineOf([String(row), result.outcome, result.entityId ?? "", result.changes.join(", "), reasons, ...own]);
    })
    .join("");
}

const lineOf = (cells: readonly string[]): string => stringify([cells.map(safeCell)]);
