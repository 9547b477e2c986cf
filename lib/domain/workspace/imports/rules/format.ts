import type { Options } from "csv-parse";
import { parse } from "csv-parse/sync";
import { clip } from "#lib/text/clip.ts";
import type { ImportKind } from "../contract.ts";
import { fieldNamed } from "./aliases.ts";
import { isExport } from "./own-exports.ts";
import { MOST_COLUMNS } from "./words.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

const MAGIC: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive or an Excel workbook"],
  [[0x50, 0x4b, 0x05, 0x06], "an empty ZIP archive"],
  [[0x1f, 0x8b], "compressed with gzip"],
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel workbook"],
  [[0x25, 0x50, 0x44, 0x46], "a PDF"],
  [[0x37, 0x7a, 0xbc, 0xaf], "a 7z archive"],
  [[0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd"],
  [[0x42, 0x5a, 0x68], "compressed with bzip2"],
];

/** What the name of something else ends in. `.com` is not here: names of companies end in it. */
const OTHER_ENDING =
  /\.(7z|app|bat|bin|bz2|cmd|dmg|docx?|eml|exe|gif|gz|html?|ics|jar|jpe?g|js|json|msi|numbers|od[stp]|pdf|php|png|pptx?|ps1|py|rar|rtf|sh|sql|svg|tar|tgz|vbs|vcf|webp|xls[bmx]?|xml|ya?ml|zip|zst)[\s.]*$/i;

/** Why a file of this name is no CSV; null when it may be one. Without an ending that says otherwise a name is only a label. */
export function notNamedText(fileName: string): string | null {
  const ending = OTHER_ENDING.exec(fileName)?.[1]?.toLowerCase();
  return ending ? `The file's name ends in .${ending}, which is not CSV. Save it as CSV, and name it so.` : null;
}

/** Why a file that begins like this is no CSV; null when it may be one. */
export function notText(head: Buffer): string | null {
  const [, what] = MAGIC.find(([bytes]) => bytes.every((byte, place) => head[place] === byte)) ?? [];
  if (what) return `The file is ${what}, not CSV. Save it as CSV, and send that.`;
  if (encodingOfHead(head) !== null || !head.includes(0)) return null;
  return "The file holds bytes that no text has, so it is no CSV.";
}

/** What the first bytes say of a file's encoding; null when they leave it open. */
function encodingOfHead(head: Buffer): Encoding | null {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  const some = head.subarray(0, 2_000 - (head.length % 2));
  const zeros = [0, 0];
  for (const [place, byte] of some.entries()) if (byte === 0) zeros[place % 2] = (zeros[place % 2] as number) + 1;
  const [even, odd] = zeros as [number, number];
  if (odd > some.length / 4 && even === 0) return "utf-16le";
  if (even > some.length / 4 && odd === 0) return "utf-16be";
  return null;
}

/** Decides the encoding while the file goes by: UTF-8 while every byte is, else Windows-1252. */
export class EncodingFinder {
  private readonly decoder = new TextDecoder("utf-8", { fatal: true });
  private certain: Encoding | null = null;
  private begun = false;
  private lines = 1;
  /** line of the first bytes that are not UTF-8 */
  badLine: number | null = null;

  take(bytes: Buffer): void {
    if (!this.begun) {
      this.begun = true;
      this.certain = encodingOfHead(bytes);
    }
    if (this.badLine !== null || (this.certain !== null && this.certain !== "utf-8")) return;
    try {
      this.decoder.decode(bytes, { stream: true });
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.lines++;
    } catch {
      this.badLine = this.lines + linesBeforeFault(bytes);
    }
  }

  end(): Encoding {
    if (this.badLine === null && (this.certain === null || this.certain === "utf-8")) {
      try {
        this.decoder.decode();
      } catch {
        this.badLine = this.lines;
      }
    }
    if (this.certain !== null && this.certain !== "utf-8") return this.certain;
    return this.badLine === null ? "utf-8" : "windows-1252";
  }
}

/** How many lines end before the first bytes that are not UTF-8. */
function linesBeforeFault(bytes: Buffer): number {
  let count = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    // A character that an earlier piece began is no fault.
    let begin = 0;
    while (from === 0 && begin < 3 && ((line[begin] ?? 0) & 0xc0) === 0x80) begin++;
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(line.subarray(begin));
    } catch {
      return count;
    }
    if (end < 0) return count;
    count++;
    from = end + 1;
  }
  return count;
}

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
  const first = records.slice(0, MOST_PREAMBLE).findIndex((record) => knownIn(record, kind) >= 2 || isExport(record));
  const filled = records.findIndex((record) => record.some((cell) => cell.trim() !== ""));
  if (filled < 0) return "The file is empty.";
  const place = first >= 0 ? first : filled;
  const headers = records[place] as string[];
  if (first < 0) {
    const data = headers.findIndex((cell) => /@|:\/\/|^\d{4,}$/.test(cell));
    if (data >= 0)
      return `Row ${place + 1}, column ${data + 1} holds “${clip(headers[data] as string, 40)}”, so the file has no row with headers. Add one, such as Email, First Name.`;
  }
  return { place, headers, certain: first >= 0 || knownIn(headers, kind) > 0 };
}

export const tooManyColumns = (count: number, row: number): string =>
  `Row ${row} has ${count.toLocaleString("en")} columns; a file may have ${MOST_COLUMNS.toLocaleString("en")}.`;
