import { inspect } from "./database.ts";

/** What an undoing leaves behind on purpose: the history, and what the hourly maintenance counts meanwhile. */
const HISTORY = [
  "imports",
  "import_chunks",
  "import_batches",
  "retired_observations",
  "audit_log",
  "audit_blocks",
  "changes",
  "outbox",
  "idempotency",
  "change_readers",
  "check_counts",
];

/** Everything a workspace has, table by table, each row as text; without the history of its imports. */
export async function stateOf(workspaceId: string): Promise<Record<string, string[]>> {
  const tables = await inspect<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE' AND NOT c.table_name = ANY($1) ORDER BY 1`,
    [HISTORY],
  );
  const state: Record<string, string[]> = {};
  for (const { name } of tables)
    state[name] = (
      await inspect<{ row: string }>(
        `SELECT to_jsonb(t)::text AS row FROM "${name}" t WHERE workspace_id = $1 ORDER BY 1`,
        [workspaceId],
      )
    ).map(({ row }) => row);
  return state;
}
