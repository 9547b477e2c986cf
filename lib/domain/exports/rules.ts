import { stringify } from "csv-stringify/sync";
import { Fault } from "#lib/core/errors.ts";
import { inertCell } from "#lib/core/spreadsheet.ts";
import type { ExportFormat } from "./contract.ts";

/** A row of a list as the API has it. */
export type Row = Readonly<Record<string, unknown>>;

const CUSTOM = "property.";

/** The columns a file has: those asked for, or all. Throws 400 for one that the list does not have. */
export function columnsFor(
  asked: readonly string[] | undefined,
  fields: readonly string[],
  hasCustom: boolean,
): string[] | null {
  if (asked === undefined) return null;
  const strange = asked.find(
    (name) => !fields.includes(name) && !(hasCustom && name.startsWith(CUSTOM) && name.length > CUSTOM.length),
  );
  if (strange !== undefined) {
    const allowed = hasCustom ? [...fields, `${CUSTOM}<name>`] : fields;
    throw new Fault(
      "invalid_parameter",
      { parameter: "columns", allowed },
      `columns: ${strange} is not a column. Allowed: ${allowed.join(", ")}.`,
    );
  }
  return [...new Set(asked)];
}

/** Columns for custom properties. */
export const customColumns = (names: readonly string[]): string[] => names.map((name) => `${CUSTOM}${name}`);

/** What a row has in a column. */
function valueIn(row: Row, column: string): unknown {
  if (!column.startsWith(CUSTOM)) return row[column];
  return (row.properties as Row | undefined)?.[column.slice(CUSTOM.length)];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join("; ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A way to write rows as text. `head` comes first. */
export type Writing = { head: string; write(rows: readonly Row[]): string };

/** RFC 4180 with CRLF and a byte order mark, as spreadsheets expect it; or a line of JSON for each row. */
export function writingOf(format: ExportFormat, columns: readonly string[] | null, all: readonly string[]): Writing {
  if (format === "ndjson") {
    const line = (row: Row) => `${JSON.stringify(columns ? picked(row, columns) : row)}\n`;
    return { head: "", write: (rows) => rows.map(line).join("") };
  }
  const shown = columns ?? all;
  const write = (records: readonly (readonly string[])[]) =>
    stringify(records as string[][], { record_delimiter: "windows" });
  return {
    head: `\uFEFF${write([shown.map(inertCell)])}`,
    write: (rows) => write(rows.map((row) => shown.map((column) => inertCell(textOf(valueIn(row, column)))))),
  };
}

function picked(row: Row, columns: readonly string[]): Row {
  const properties = columns.filter((column) => column.startsWith(CUSTOM));
  const fields = columns.filter((column) => !column.startsWith(CUSTOM) && column in row);
  const own = properties.flatMap((column) => {
    const value = valueIn(row, column);
    return value === undefined ? [] : [[column.slice(CUSTOM.length), value]];
  });
  return {
    ...Object.fromEntries(fields.map((column) => [column, row[column]])),
    ...(properties.length > 0 ? { properties: Object.fromEntries(own) } : {}),
  };
}
