import { stringify } from "csv-stringify/sync";
import { Fault } from "#lib/core/errors.ts";
import type { ExportFormat } from "./contract.ts";
import { inertCell } from "./words.ts";

/** A row of a list as the API has it. */
export type Row = Readonly<Record<string, unknown>>;

/** Where a row has what its workspace added, and how a column of that is called. */
export type Own = { member: string; prefix: string };
export const properties: Own = { member: "properties", prefix: "property." };
export const leadFields: Own = { member: "fields", prefix: "field." };

/** The columns a file has: those asked for, or all. Throws 400 for one that the list does not have. */
export function columnsFor(
  asked: readonly string[] | undefined,
  fields: readonly string[],
  own: Own | undefined,
): string[] | null {
  if (asked === undefined) return null;
  const strange = asked.find(
    (name) => !fields.includes(name) && !(own && name.startsWith(own.prefix) && name.length > own.prefix.length),
  );
  if (strange !== undefined) {
    const allowed = own ? [...fields, `${own.prefix}<name>`] : fields;
    throw new Fault(
      "invalid_parameter",
      { parameter: "columns", allowed },
      `columns: ${strange} is not a column. Allowed: ${allowed.join(", ")}.`,
    );
  }
  return [...new Set(asked)];
}

/** Columns of what the workspace added. */
export const ownColumns = ({ prefix }: Own, names: readonly string[]): string[] =>
  names.map((name) => `${prefix}${name}`);

const isOwn = (column: string, own: Own | undefined): own is Own => own !== undefined && column.startsWith(own.prefix);

/** What a row has in a column. */
function valueIn(row: Row, column: string, own: Own | undefined): unknown {
  if (!isOwn(column, own)) return row[column];
  return (row[own.member] as Row | undefined)?.[column.slice(own.prefix.length)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join("; ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A way to write rows as text. `head` comes first. */
export type Writing = { head: string; write(rows: readonly Row[]): string };

/** RFC 4180 with CRLF and a byte order mark, as spreadsheets expect it; or a line of JSON for each row. */
export function writingOf(
  format: ExportFormat,
  columns: readonly string[] | null,
  all: readonly string[],
  own?: Own,
): Writing {
  if (format === "ndjson") {
    const line = (row: Row) => `${JSON.stringify(columns ? picked(row, columns, own) : row)}\n`;
    return { head: "", write: (rows) => rows.map(line).join("") };
  }
  const shown = columns ?? all;
  const write = (records: readonly (readonly string[])[]) =>
    stringify(records as string[][], { record_delimiter: "windows", quoted_match: /[\r\n]/ });
  return {
    head: `\uFEFF${write([shown.map(inertCell)])}`,
    write: (rows) => write(rows.map((row) => shown.map((column) => inertCell(textOf(valueIn(row, column, own)))))),
  };
}

function picked(row: Row, columns: readonly string[], own: Own | undefined): Row {
  const fields = columns.filter((column) => !isOwn(column, own) && column in row);
  const added = columns.filter((column) => isOwn(column, own));
  const values = added.flatMap((column) => {
    const value = valueIn(row, column, own);
    return value === undefined ? [] : [[column.slice(own?.prefix.length), value]];
  });
  return {
    ...Object.fromEntries(fields.map((column) => [column, row[column]])),
    ...(own && added.length > 0 ? { [own.member]: Object.fromEntries(values) } : {}),
  };
}
