import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { formatTime } from "#lib/core/time.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { recordAudit } from "#lib/domain/audit/service.ts";
import { holdSnapshot, readTable, readWorkspace } from "../queries.ts";
import { tenantTables } from "../rules.ts";

/** How many rows of each table were written. */
export type Exported = { rows: number; tables: Record<string, number> };

/** The shape of the lines; a reader may refuse one it does not know. */
const VERSION = 1;

/**
 * Writes everything a workspace has as lines of JSON, as it was at one moment: a head, `{"table", "row"}` for each row,
 * and an end that counts them, by which a reader knows that nothing is missing. Secrets and what is derived from the rest
 * are left out. Memory does not grow with the workspace.
 */
export async function exportWorkspace(caller: Caller, write: (lines: string) => Promise<void>): Promise<Exported> {
  const exported: Exported = { rows: 0, tables: {} };
  const { workspaceId } = caller;
  await withWorkspace(workspaceId, (db) => recordAudit({ ...caller, db }, "workspace.exported", workspaceId));
  await withWorkspace(workspaceId, async (db) => {
    await holdSnapshot(db);
    const workspace = await readWorkspace(db);
    if (workspace === null) throw new Fault("workspace_not_found");
    const head = { export: "rapport", version: VERSION, workspace_id: workspaceId, at: formatTime(new Date()) };
    await write(`${JSON.stringify(head)}\n${line("workspaces", workspace)}`);
    for (const table of tenantTables) {
      if (table.left && "whole" in table.left) continue;
      let count = 0;
      for await (const rows of readTable(db, table)) {
        await write(rows.map((row) => line(table.name, row)).join(""));
        count += rows.length;
      }
      exported.tables[table.name] = count;
      exported.rows += count;
    }
    await write(`${JSON.stringify({ end: true, ...exported })}\n`);
  });
  return exported;
}

const line = (table: string, row: string): string => `{"table":"${table}","row":${row}}\n`;
