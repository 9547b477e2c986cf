import type { Options } from "csv-parse";
import { parse } from "csv-parse/sync";
import type { ImportKind } from "../contract.ts";
import { fieldNamed } from "./aliases.ts";
import { MOST_COLUMNS } from "./words.ts";

const delimiters = [",", ";", "\t", "|"] as const;
export type Delimiter = (typeof delimiters)[number];

/** How each record is read, here and in `service/reading.ts`. */
export const parsing = (delimiter: Delimiter) =>
  ({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
    record_delimiter: ["\r\n", "\n", "\r"],
    max_record_size: 16 * 1024 * 1024,
  }) satisfies Options;

/** Records of the beginning of a file; the last, which may be cut off, is left out unless it is all. */
export function recordsOf(head: string, delimiter: Delimiter, isAll: boolean, most = 300): string[][] {
  const records: string[][] = [];
  try {
    parse(head, {
      ...parsing(delimiter),
      to: most,
      on_record: (record: string[]) => {
        records.push(record);
        return null;
      },
    });
  } catch {
    return records; // cut within quotes
  }
  return isAll || records.length >= most ? records : records.slice(0, -1);
}

/** The character between cells: the one with which most rows have the same number of cells, more than one. */
export function delimiterOf(head: string, kind: ImportKind, isAll: boolean): Delimiter {
  const scored = delimiters.map((delimiter) => {
    const records = recordsOf(head, delimiter, isAll, 100).filter((record) => record.some((cell) => cell !== ""));
    const widths = Map.groupBy(records, (record) => record.length);
    const [width = 1, same = []] = [...widths].sort((a, b) => b[1].length - a[1].length || b[0] - a[0])[0] ?? [];
    const named = Math.max(0, ...records.slice(0, 50).map((record) => knownIn(record, kind)));
    const even = width > 1 ? same.length / Math.max(1, records.length) : 0;
    return { delimiter, score: named * 2 + even * 3 + Math.min(width, 20) / 100 };
  });
  return scored.reduce((best, one) => (one.score > best.score ? one : best)).delimiter;
}

const knownIn = (record: readonly string[], kind: ImportKind): number =>
  record.filter((cell) => cell.length < 100 && fieldNamed(kind, cell) !== null).length;

/** How far into a file its headers may be. */
const MOST_PREAMBLE = 50;

export type Header = { place: number; headers: string[]; certain: boolean };

/**
 * The row with the headers: the first with two known ones, so that lines above it are passed over. Else the first row
 * that has cells, when it looks like headers. A sentence when there is none.
 */
export function headerOf(records: readonly string[][], kind: ImportKind): Header | string {
  const first = records.slice(0, MOST_PREAMBLE).findIndex((record) => knownIn(record, kind) >= 2);
  const filled = records.findIndex((record) => record.some((cell) => cell.trim() !== ""));
  if (filled < 0) return "The file is empty.";
  const place = first >= 0 ? first : filled;
  const headers = records[place] as string[];
  if (first < 0) {
    const data = headers.findIndex((cell) => /@|:\/\/|^\d{4,}$/.test(cell));
    if (data >= 0)
      return `Row ${place + 1}, column ${data + 1} holds “${short(headers[data] as string)}”, so the file has no row with headers. Add one, such as Email, First Name.`;
  }
  return { place, headers, certain: first >= 0 || knownIn(headers, kind) > 0 };
}

export const tooManyColumns = (count: number, row: number): string =>
  `Row ${row} has ${count.toLocaleString("en")} columns; a file may have ${MOST_COLUMNS.toLocaleString("en")}.`;

const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
