import { restoredWorkspaceId } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import { attempt, type Db } from "#lib/db/handle.ts";
import { isRefusal, withErasure, withWorkspace } from "#lib/db/transaction.ts";
import { restoreCompanies, restorePeople } from "#lib/domain/crm/recording/service.ts";
import { finishIndex, markUnreadNotes } from "#lib/domain/knowledge/notes/service.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import {
  findColumns,
  findMembers,
  findOrCreateUser,
  hasRows,
  insertRows,
  passSeq,
  removeOwnEntity,
  wasImported,
  writeWorkspace,
} from "../queries.ts";
import { type TableReading, userColumns } from "../rules/tables.ts";
import type { Column } from "../rules/values.ts";
import { type CheckedFile, type FileRow, leftOut, ofTable, type Row, readExport, tables } from "./file.ts";

type RestoreReport = {
  workspaceId: string;
  /** When the export was made. */
  at: string;
  rows: Record<string, number>;
  /** What is in the file and was not read back, with what people do instead. */
  left: string[];
  /** The same file was read before: only the search index was completed. */
  already: boolean;
  /** Nothing was written, because only a check was asked for. */
  checked: boolean;
};

type Wish = { path: string; into?: string | undefined; checkOnly?: boolean | undefined; operator: string };

/**
 * Reads the export of a whole workspace back, into a workspace that does not exist yet or is empty. The file is checked
 * from its first line to its last before anything is written; then everything is written in one transaction. Ids stay, also
 * that of the workspace unless `into` names another. Throws an `OperatorError` that says what is wrong, and in which line.
 */
export async function restoreWorkspace({ path, into, checkOnly = false, operator }: Wish): Promise<RestoreReport> {
  const names = ["workspaces", ...tables.map(({ name }) => name)];
  const anywhere = restoredWorkspaceId(newId());
  const columns = await withWorkspace(anywhere, (db) => findColumns(db, names), { readOnly: true });
  const checked = await readExport(path, columns);
  const workspaceId = restoredWorkspaceId(into ?? checked.workspaceId);
  const back = new Set(names);
  const rows = Object.fromEntries(Object.entries(checked.rows).filter(([name]) => back.has(name)));
  const report = { workspaceId, at: checked.at, rows, left: leftOut(checked), checked: checkOnly };
  const already = await withWorkspace(workspaceId, (db) => requireEmpty(db, checked.sha256));
  if (checkOnly) return { ...report, already };
  const caller = callerOf(workspaceId, checked, operator);
  if (!already)
    await withErasure(workspaceId, (db) => writeAll({ ...caller, db }, path, columns, checked), {
      operation: "reading a workspace back",
    });
  await finishIndex(workspaceId);
  return { ...report, already };
}

const callerOf = (workspaceId: WorkspaceId, { workspace }: CheckedFile, operator: string): Caller => ({
  workspaceId,
  plan: workspace.plan as Plan,
  scopes: ["admin"],
  role: "owner",
  actor: { type: "cli", id: operator },
  requestId: newId(),
  client: "rapport-cli",
});

/** What an empty workspace has too. */
const OWN = ["members", "audit_log"];

/** True when this file was read into the workspace before. Throws when the workspace has anything else. */
async function requireEmpty(db: Db, sha256: string): Promise<boolean> {
  if (await wasImported(db, sha256)) return true;
  for (const { name } of tables)
    if (!OWN.includes(name) && (await hasRows(db, name)))
      throw new OperatorError(
        `The workspace is not empty: it has rows of ${name}. Read the file into a workspace that does not exist, or into an empty one with --into <id>.`,
      );
  return false;
}

type Ctx = Caller & { db: Db };

async function writeAll(
  ctx: Ctx,
  path: string,
  columns: ReadonlyMap<string, readonly Column[]>,
  checked: CheckedFile,
): Promise<void> {
  const { db, workspaceId } = ctx;
  await writeWorkspace(db, JSON.stringify(checked.workspace));
  if (await requireEmpty(db, checked.sha256)) return; // another run was faster
  await removeOwnEntity(db);
  const writer = new Writer(ctx, columns, checked.workspaceId);
  const again = await readExport(path, columns, (row) => writer.take(row));
  if (again.sha256 !== checked.sha256)
    throw new OperatorError("The file changed while it was read. Nothing was written; try again.");
  await writer.flush();
  await passSeq(db, writer.highest);
  await markUnreadNotes(db);
  const rows = Object.values(checked.rows).reduce((sum, count) => sum + count, 0);
  await recordAudit(ctx, "workspace.imported", workspaceId, { rows, made_at: checked.at, sha256: checked.sha256 });
}

const WRITTEN_IN = { name: "written_in", type: "bigint", isOptional: false };

/** Written in one statement, at most. */
const MOST_ROWS = 1_000;
const MOST_CHARACTERS = 4_000_000;

/** Collects rows of one table and writes them together. */
class Writer {
  /** The highest number of an observation. */
  highest = 0;
  private waiting: FileRow[] = [];
  private size = 0;
  private users: Map<string, string> | null = null;
  private members: Set<string> | null = null;
  private readonly ctx: Ctx;
  private readonly columns: ReadonlyMap<string, readonly Column[]>;
  private readonly from: string;

  constructor(ctx: Ctx, columns: ReadonlyMap<string, readonly Column[]>, from: string) {
    this.ctx = ctx;
    this.columns = columns;
    this.from = from;
  }

  async take(fileRow: FileRow): Promise<void> {
    const full = this.waiting.length >= MOST_ROWS || this.size >= MOST_CHARACTERS;
    if (full || this.waiting[0]?.table !== fileRow.table) await this.flush();
    const row = await this.asWritten(fileRow);
    if (row === null) return;
    if (row.table.name === "observations") this.highest = Math.max(this.highest, row.row.seq as number);
    this.waiting.push(row);
    this.size += row.json.length;
  }

  async flush(): Promise<void> {
    const rows = this.waiting;
    this.waiting = [];
    this.size = 0;
    const [first] = rows;
    if (!first) return;
    try {
      await attempt(this.ctx.db, (db) => this.write(db, first.table, rows));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // One by one, to name the line.
      for (const row of rows)
        await attempt(this.ctx.db, (db) => this.write(db, row.table, [row])).catch((cause: unknown) => {
          if (!isRefusal(cause)) throw cause;
          const why = (cause as Error).message;
          throw new OperatorError(`Line ${row.line}: the row of ${row.table.name} cannot be kept: ${why}.`, { cause });
        });
    }
  }

  private async write(db: Db, table: TableReading, rows: readonly FileRow[]): Promise<void> {
    if (table.name === "people")
      return restorePeople(
        db,
        rows.map(({ row }) => row),
      );
    if (table.name === "companies")
      return restoreCompanies(
        db,
        rows.map(({ row }) => row),
      );
    const columns = ofTable(this.columns, table).filter(({ name }) => rows.every(({ row }) => row[name] !== undefined));
    if (table.name !== "observations")
      return insertRows(db, table.name, columns, `[${rows.map((row) => row.json).join(",")}]`);
    // Older than the feed of changes.
    const old = rows.map((row) => `{"written_in":0,${row.json.slice(1)}`).join(",");
    return insertRows(db, table.name, [...columns, WRITTEN_IN], `[${old}]`);
  }

  /** The row for this workspace and installation; null: it is there already. */
  private async asWritten(fileRow: FileRow): Promise<FileRow | null> {
    const { workspaceId } = this.ctx;
    const mended = fileRow.table.mend?.(fileRow.row) ?? fileRow.row;
    const moved = mended === fileRow.row ? fileRow : { ...fileRow, row: mended, json: JSON.stringify(mended) };
    const { json } = moved;
    const here =
      workspaceId === this.from || !json.includes(this.from)
        ? moved
        : withJson(moved, json.replaceAll(this.from, workspaceId));
    if (here.table.name === "members") return this.member(here);
    const column = userColumns[here.table.name];
    const named = column === undefined ? null : (here.row[column] as string | null);
    const user = named === null ? undefined : this.users?.get(named);
    return column === undefined || user === undefined || user === named
      ? here
      : withJson(here, JSON.stringify({ ...here.row, [column]: user }));
  }

  private async member(fileRow: FileRow): Promise<FileRow | null> {
    const { email, name, ...row } = fileRow.row;
    const id = row.user_id as string;
    if (typeof email !== "string")
      throw new OperatorError(`Line ${fileRow.line}: a row of members lacks the field email.`);
    const user = await findOrCreateUser(this.ctx.db, {
      id,
      otherId: newId(),
      email,
      name: (name ?? null) as string | null,
    });
    this.users ??= new Map();
    this.users.set(id, user);
    this.members ??= await findMembers(this.ctx.db);
    if (this.members.has(user)) return null;
    return withJson(fileRow, JSON.stringify({ ...row, user_id: user }));
  }
}

const withJson = (row: FileRow, json: string): FileRow => ({ ...row, json, row: JSON.parse(json) as Row });
