import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import type { Caller } from "#lib/core/context.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import type { Inside } from "#lib/jobs/inside.ts";
import type { ImportKind, Warning } from "../contract.ts";
import { deleteBatches, findBatch, findChunk, insertBatch } from "../queries/batches.ts";
import { findImport, findImportToChange, type ImportRecord, setImport } from "../queries/imports.ts";
import { type Cell, valueIn } from "../rules/cells.ts";
import type { CountryCode } from "../rules/countries.ts";
import {
  type Delimiter,
  delimiterOf,
  type Encoding,
  EncodingFinder,
  type Header,
  headerOf,
  parsing,
  recordsOf,
  tooManyColumns,
} from "../rules/format.ts";
import { areActivities, mappingProblem, otherKind, proposeMapping, stageMeant } from "../rules/mapping.ts";
import { MOST_CELL, MOST_COLUMNS, MOST_ROWS } from "../rules/words.ts";
import { insideImport } from "./work.ts";

/** A file that cannot be imported, with a sentence for its owner. */
export class BadFile extends Error {}

/**
 * Rows that are imported in one transaction. With 250 of them other requests wait twice as long, and no more rows a second are
 * done.
 */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 1024 * 1024;

/** From here on is no longer the beginning of a file. */
const HEAD_CHARACTERS = 512 * 1024;

const LONG_FIRST_ROW = `Row 1 is longer than ${HEAD_CHARACTERS.toLocaleString("en")} characters, too long for headers: a quote in it is probably never closed, or a line break is missing.`;

/**
 * Reads an uploaded file into batches of rows, and proposes how it is imported. How the record says that it is to be read
 * is not looked for. Safe to run again: it begins again. Throws `BadFile`.
 */
export async function readFile(caller: Caller, id: string): Promise<void> {
  const inside = insideImport(caller);
  const find = () => inside((ctx) => findImport(ctx.db, id));
  const record = await find();
  if (record?.state !== "reading") return;
  try {
    await readRows(inside, id, record);
  } catch (error) {
    // A file that was dropped meanwhile looks as if it ended early; its record says why it was dropped.
    if (error instanceof BadFile && (await find())?.state !== "reading") return;
    throw error;
  }
}

async function readRows(inside: Inside, id: string, record: ImportRecord): Promise<void> {
  const warnings: Warning[] = [];
  const encoding = record.encoding ?? (await findEncoding(inside, id, warnings));
  const { text: head, isAll } = await headOf(inside, id, encoding);
  if (head.trim() === "") throw new BadFile("The file is empty.");
  const delimiter = record.delimiter ?? delimiterOf(head, record.kind, isAll);
  const records = recordsOf(head, delimiter, isAll);
  if (records.length === 0 && !isAll) throw new BadFile(LONG_FIRST_ROW);
  const header = headerWished(records, record.headerRow) ?? headerOf(records, record.kind);
  if (typeof header === "string") throw new BadFile(header);
  if (header.headers.length > MOST_COLUMNS) throw new BadFile(tooManyColumns(header.headers.length, header.place + 1));
  warnings.push(...layoutWarnings(header));
  const rows = await keepRows(inside, id, { encoding, delimiter, header: header.place });
  if (rows === 0) throw new BadFile(`Row ${header.place + 1} is the header, and there are no rows under it.`);
  await inside(async (ctx) => {
    const current = await findImportToChange(ctx.db, id);
    if (current?.state !== "reading") return;
    const first = await sampleOf(ctx, id);
    const { phoneCountry } = current;
    const local = delimiter === ";" || (phoneCountry !== null && phoneCountry !== "US");
    const hints = { local, phoneCountry: phoneCountry as CountryCode | null };
    const columns = proposeMapping(record.kind, header.headers, first, hints);
    warnings.push(...mappingWarnings(record.kind, header, columns, first));
    const seen = stagesIn(columns, first);
    await setImport(ctx.db, id, {
      state: "ready",
      encoding,
      delimiter,
      headerRow: header.place + 1,
      rows,
      columns,
      stagesSeen: seen,
      warnings,
      check: null,
      position: 0,
    });
  });
}

/** What the words in the column for stages are among the first rows. */
export function stagesIn(
  columns: ImportRecord["columns"],
  rows: readonly (readonly string[])[],
): ImportRecord["stagesSeen"] {
  const place = columns.findIndex(({ to }) => to === "stage");
  if (place < 0) return [];
  const words = new Set(rows.flatMap((row) => valueIn(row[place])?.slice(0, 200) ?? []));
  return [...words].slice(0, 50).map((value) => ({ value, proposed: stageMeant(value) }));
}

/** The first rows: what a mapping is proposed from. */
export async function sampleOf(ctx: Pick<Ctx, "db">, id: string): Promise<string[][]> {
  const rows: string[][] = [];
  for (let place = 0; place < 8; place++) {
    const batch = await findBatch(ctx.db, id, place);
    if (!batch) break;
    rows.push(...batch.cells.map((cells) => cells.map((cell) => (typeof cell === "number" ? "" : cell))));
  }
  return rows.filter((row) => row.length > 0);
}

const headerWished = (records: readonly string[][], headerRow: number | null): Header | string | null => {
  if (headerRow === null) return null;
  const headers = records[headerRow - 1];
  return headers
    ? { place: headerRow - 1, headers, certain: true }
    : `The file has no row ${headerRow} to take headers from.`;
};

/** What else the rows of a file may be, and what was read of one whose columns name no records. */
function mappingWarnings(
  kind: ImportKind,
  { place, headers, certain }: Header,
  columns: ImportRecord["columns"],
  rows: readonly string[][],
): Warning[] {
  const at = { row: place + 1, column: null };
  const problem = mappingProblem(kind, columns);
  if (problem === null) {
    const message = "Its rows look like activities: each has an address, a date and what happened.";
    return areActivities(kind, columns, headers, rows) ? [{ code: "looks_like_activities", message, ...at }] : [];
  }
  const unknown = {
    code: "unknown_headers",
    message: `No header in row ${place + 1} is known. Choose what the columns are.`,
    ...at,
  };
  const other = otherKind(kind, headers, rows);
  return [
    ...(certain ? [] : [unknown]),
    ...(other ? [{ code: `looks_like_${other}`, message: `${problem} Its rows can be ${other}.`, ...at }] : []),
  ];
}

function layoutWarnings({ place, headers }: Header): Warning[] {
  const warnings: Warning[] = [];
  if (place > 0)
    warnings.push({
      code: "preamble",
      message: place === 1 ? "1 line above the headers is skipped." : `${place} lines above the headers are skipped.`,
      row: 1,
      column: null,
    });
  const names = headers.map((header) => header.trim().toLowerCase());
  const twins = new Set(
    headers.filter((header, at) => header.trim() !== "" && names.indexOf(header.trim().toLowerCase()) !== at),
  );
  for (const twin of [...twins].slice(0, 5))
    warnings.push({
      code: "same_header",
      message: `Several columns have the header ${twin}.`,
      row: place + 1,
      column: twin,
    });
  return warnings;
}

async function findEncoding(inside: Inside, id: string, warnings: Warning[]): Promise<Encoding> {
  const finder = new EncodingFinder();
  for await (const bytes of chunksOf(inside, id)) finder.take(bytes);
  const encoding = finder.end();
  if (finder.badLine !== null)
    warnings.push({
      code: "not_utf8",
      message: `We read this file as Windows-1252, because line ${finder.badLine} is not UTF-8.`,
      row: null,
      column: null,
    });
  return encoding;
}

/** The pieces of the file, each read when it is needed. */
async function* chunksOf(inside: Inside, id: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place++) {
    const bytes = await inside((ctx) => findChunk(ctx.db, id, place));
    if (!bytes) return;
    yield bytes;
  }
}

async function* textOf(inside: Inside, id: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of chunksOf(inside, id)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

async function headOf(inside: Inside, id: string, encoding: Encoding): Promise<{ text: string; isAll: boolean }> {
  let text = "";
  for await (const part of textOf(inside, id, encoding)) {
    text += part;
    if (text.length > HEAD_CHARACTERS) return { text: text.slice(0, HEAD_CHARACTERS), isAll: false };
  }
  return { text, isAll: true };
}

type Layout = { encoding: Encoding; delimiter: Delimiter; header: number };

/** Keeps all rows under the header in batches, and returns how many there are. */
async function keepRows(inside: Inside, id: string, { encoding, delimiter, header }: Layout): Promise<number> {
  await inside((ctx) => deleteBatches(ctx.db, id));
  let row = 0; // rows of the file so far
  let rows = 0;
  let place = 0;
  let batch: Cell[][] = [];
  let firstRow = 0;
  let characters = 0;
  let blank = 0; // empty rows since the last one with cells
  const flush = async () => {
    if (batch.length === 0) return;
    const kept = batch;
    batch = [];
    characters = 0;
    await inside((ctx) => insertBatch(ctx.db, id, place, firstRow, kept));
    place++;
  };
  const push = async (cells: Cell[], number: number) => {
    if (batch.length === 0) firstRow = number;
    batch.push(cells);
    for (const cell of cells) characters += typeof cell === "number" ? 0 : cell.length;
    if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await flush();
  };
  const keep = async (record: readonly string[]) => {
    row++;
    if (row <= header + 1) return;
    if (record.every((cell) => cell.trim() === "")) return void blank++;
    // Empty rows keep their number, except where they end the file.
    for (; blank > 0; blank--) await push([], row - blank);
    if (++rows > MOST_ROWS)
      throw new BadFile(`The file has more than ${MOST_ROWS.toLocaleString("en")} rows; split it.`);
    await push(
      record.map((cell): Cell => (cell.length > MOST_CELL ? cell.length : cell)),
      row,
    );
  };
  try {
    await pipeline(
      Readable.from(textOf(inside, id, encoding)),
      parse(parsing(delimiter)),
      async (records: AsyncIterable<string[]>) => {
        for await (const record of records) await keep(record);
      },
    );
  } catch (error) {
    if (error instanceof CsvError) throw new BadFile(sentenceOf(error, row + 1));
    throw error;
  }
  await flush();
  return rows;
}

function sentenceOf({ code }: CsvError, row: number): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return `A quote that opens in row ${row} is never closed.`;
  if (code === "CSV_MAX_RECORD_SIZE") return `Row ${row} is longer than 16 MB: a quote in it is probably never closed.`;
  return `Row ${row} cannot be read as CSV.`;
}
