import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { scopeFault, scopeIncludes } from "#lib/core/plans.ts";
import { requireProof } from "#lib/core/proof.ts";
import { holdSnapshot } from "#lib/db/snapshot.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { type EntityRow, evidenceIds, resolveExisting } from "#lib/domain/records/entities/service.ts";
import { formatTime } from "#lib/text/time.ts";
import { readTable, readWorkspace } from "../queries.ts";
import { type TenantTable, tenantTables } from "../rules.ts";

/** How many rows of each table were written. */
export type RowCounts = { rows: number; tables: Record<string, number> };

/** Takes the lines; the export waits whenever this does. */
type Write = (lines: string) => Promise<void>;
/** An export that was authorised and written to the audit log; it runs when it is given somewhere to write. */
export type Export = (write: Write) => Promise<RowCounts>;

/** The shape of the lines; a reader may refuse one it does not know. */
const VERSION = 1;

/**
 * Everything a workspace has as lines of JSON, as it was at one moment: a head, `{"table", "row"}` for each row, and an
 * end that counts them, so that a reader can tell whether something is missing. Secrets and what is derived from the
 * rest are left out. Memory does not grow with the workspace.
 */
export async function openWorkspaceExport(caller: Caller): Promise<Export> {
  requireAdmin(caller);
  requireProof(caller.provenAt);
  const { workspaceId } = caller;
  await withWorkspace(workspaceId, (db) => recordAudit({ ...caller, db }, "workspace.exported", workspaceId));
  return (write) =>
    withWorkspace(workspaceId, async (db) => {
      await holdSnapshot(db);
      const workspace = await readWorkspace(db);
      if (workspace === null) throw new Fault("workspace_not_found");
      const kept = tenantTables.filter(({ left }) => !(left && "whole" in left));
      return writeLines(write, headOf(caller, {}) + line("workspaces", workspace), kept, (table) =>
        readTable(db, table),
      );
    });
}

/** The same of one person, with everything that was merged into them. Throws 400 `invalid_focus`, 404 `entity_not_found`. */
export async function openPersonExport(caller: Caller, focus: string): Promise<Export> {
  requireAdmin(caller);
  const { workspaceId } = caller;
  const person: EntityRow = await withWorkspace(workspaceId, async (db) => {
    const entity = await resolveExisting({ ...caller, db }, focus);
    if (entity.type !== "person")
      throw new Fault("invalid_focus", { parameter: "focus" }, "Only a person is exported alone.");
    await recordAudit({ ...caller, db }, "person.exported", entity.id);
    return entity;
  });
  const ids = evidenceIds(person);
  return (write) =>
    withWorkspace(workspaceId, async (db) => {
      await holdSnapshot(db);
      const theirs = tenantTables.filter(({ entity }) => entity !== undefined);
      return writeLines(write, headOf(caller, { entity_id: person.id }), theirs, (table) => readTable(db, table, ids));
    });
}

/** An export needs the same rights that reading this data needs. */
function requireAdmin({ scopes }: Caller): void {
  if (!scopeIncludes(scopes, "admin")) throw scopeFault(scopes, "admin");
}

async function writeLines(
  write: Write,
  head: string,
  tables: readonly TenantTable[],
  read: (table: TenantTable) => AsyncGenerator<string[]>,
): Promise<RowCounts> {
  const exported: RowCounts = { rows: 0, tables: {} };
  await write(head);
  for (const table of tables) {
    let count = 0;
    for await (const rows of read(table)) {
      await write(rows.map((row) => line(table.name, row)).join(""));
      count += rows.length;
    }
    exported.tables[table.name] = count;
    exported.rows += count;
  }
  await write(`${JSON.stringify({ end: true, ...exported })}\n`);
  return exported;
}

const headOf = ({ workspaceId }: Caller, more: object): string =>
  `${JSON.stringify({ export: "rapport", version: VERSION, workspace_id: workspaceId, ...more, at: formatTime(new Date()) })}\n`;

const line = (table: string, row: string): string => `{"table":"${table}","row":${row}}\n`;
