import { z } from "zod";
import { isUuid } from "#lib/core/ids.ts";
import { tenantTables } from "#lib/domain/workspace/privacy/service.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { notRestored, restoredTables, type TableReading } from "../rules/tables.ts";
import { type Column, rowCheck } from "../rules/values.ts";
import { type Line, linesOf } from "./lines.ts";

/** The shape of export that is read. */
const VERSION = 1;

export const tables = restoredTables(tenantTables);

const Head = z.object({ export: z.literal("rapport"), version: z.int(), workspace_id: z.string(), at: z.string() });
const Count = z.int().min(0);
const End = z.strictObject({ end: z.literal(true), rows: Count, tables: z.record(z.string(), Count) });

export type Row = Readonly<Record<string, unknown>>;
/** A row of the file; `json` is its text as it came, whose numbers no parser has touched. */
export type FileRow = { line: number; table: TableReading; row: Row; json: string };
export type CheckedFile = {
  workspaceId: string;
  /** The row of the workspace itself. */
  workspace: Row;
  at: string;
  rows: Record<string, number>;
  sha256: string;
};

const wrong = ({ number }: Pick<Line, "number">, what: string): OperatorError =>
  new OperatorError(`Line ${number}: ${what}.`);

const WORKSPACE: TableReading = { name: "workspaces", ignored: [], left: [] };

/**
 * Reads an export from its first line to its last and checks each: version, tables in their order, the fields and values of
 * every row, and the counts at its end. Throws an `OperatorError` that names the line. `take` gets the rows that are read
 * back.
 */
export async function readExport(
  path: string,
  columns: ReadonlyMap<string, readonly Column[]>,
  take: (row: FileRow) => Promise<void> = async () => undefined,
): Promise<CheckedFile> {
  const file = linesOf(path);
  const checks = new Map(
    [WORKSPACE, ...tables].map((table) => [
      table.name,
      { table, check: rowCheck(ofTable(columns, table), table.ignored) },
    ]),
  );
  const order = tenantTables.map(({ name }) => name);
  const counts: Record<string, number> = {};
  let head: z.output<typeof Head> | null = null;
  let workspace: Row | null = null;
  let at = -1;
  let ended = false;
  for await (const line of file.lines) {
    if (ended) throw wrong(line, "the export ended in the line before; nothing may follow");
    const value = parsed(line);
    if (head === null) {
      head = headOf(line, value);
      continue;
    }
    if ("end" in value) {
      compare(line, value, counts);
      ended = true;
      continue;
    }
    const { table: name, row } = value as { table?: unknown; row?: unknown };
    if (typeof name !== "string" || typeof row !== "object" || row === null || Array.isArray(row))
      throw wrong(line, `it is neither a row ({"table", "row"}) nor the end of the export`);
    const check = checks.get(name);
    const place = order.indexOf(name);
    if (!check && place < 0) throw wrong(line, `this release has no table ${name}`);
    if (workspace === null) {
      if (name !== WORKSPACE.name) throw wrong(line, "the row of the workspace must come first");
    } else if (name === WORKSPACE.name) throw wrong(line, "there is a second row of a workspace");
    else if (place < at) throw wrong(line, `a row of ${name} comes too late, after ${order[at]}`);
    at = Math.max(at, place);
    const problem = check?.check(row as Row) ?? null;
    if (problem !== null) throw wrong(line, `a row of ${name} ${problem}`);
    if (name === WORKSPACE.name) {
      workspace = row as Row;
      if (String(workspace.id).toLowerCase() !== head.workspace_id.toLowerCase())
        throw wrong(line, "the workspace has another id than the first line says");
      continue;
    }
    counts[name] = (counts[name] ?? 0) + 1;
    if (check) await take({ line: line.number, table: check.table, row: row as Row, json: jsonOf(line, name) });
  }
  if (head === null) throw new OperatorError("The file is empty.");
  if (!ended || workspace === null)
    throw new OperatorError(
      'The file is incomplete: its last line, {"end":true,…}, is missing. Make the export again.',
    );
  return { workspaceId: head.workspace_id.toLowerCase(), workspace, at: head.at, rows: counts, sha256: file.sha256() };
}

/** What the database has of the table, as far as the file has it too. */
export function ofTable(
  columns: ReadonlyMap<string, readonly Column[]>,
  { name, left }: TableReading,
): readonly Column[] {
  const all = columns.get(name);
  if (!all) throw new Error(`the database has no table ${name}`);
  return all.filter((column) => column.name !== "workspace_id" && !left.includes(column.name));
}

function parsed(line: Line): Row {
  try {
    const value: unknown = JSON.parse(line.text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row;
  } catch {
    // as below
  }
  throw wrong(line, line.number === 1 ? "this is not an export of Rapport" : "it is not a JSON object");
}

function headOf(line: Line, value: Row): z.output<typeof Head> {
  const head = Head.safeParse(value);
  if (!head.success || !isUuid(head.data.workspace_id)) throw wrong(line, "this is not an export of Rapport");
  if ("entity_id" in value)
    throw wrong(line, "this is the export of one person; only that of a whole workspace can be read back");
  const { version } = head.data;
  if (version !== VERSION) throw wrong(line, `the export has the version ${version}; this release reads ${VERSION}`);
  return head.data;
}

function compare(line: Line, value: Row, counts: Readonly<Record<string, number>>): void {
  const end = End.safeParse(value);
  if (!end.success) throw wrong(line, "the end of the export is not readable");
  for (const name of new Set([...Object.keys(end.data.tables), ...Object.keys(counts)])) {
    const [told, read] = [end.data.tables[name] ?? 0, counts[name] ?? 0];
    if (told !== read) throw wrong(line, `the export had ${told} rows of ${name}, and the file has ${read}`);
  }
}

/** The text of the row within its line, as the export writes it; printed again when someone else wrote it. */
function jsonOf({ text }: Line, name: string): string {
  const begin = `{"table":"${name}","row":`;
  if (text.startsWith(begin) && text.endsWith("}")) return text.slice(begin.length, -1);
  return JSON.stringify((JSON.parse(text) as { row: unknown }).row);
}

/** Rows of tables that are in the file and are not read back, with what people do instead. */
export const leftOut = ({ rows }: Pick<CheckedFile, "rows">): string[] =>
  Object.entries(notRestored).flatMap(([name, what]) => ((rows[name] ?? 0) > 0 ? [`${what} (${rows[name]})`] : []));
