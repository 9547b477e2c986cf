import type { Db } from "./handle.ts";
import { sql } from "./statement.ts";

/** How a row of a table is locked by its id; Prisma cannot say it. */
const strength = {
  api_keys: "FOR UPDATE",
  approvals: "FOR UPDATE",
  backfills: "FOR NO KEY UPDATE",
  bulk_actions: "FOR NO KEY UPDATE",
  calendars: "FOR NO KEY UPDATE",
  crm_runs: "FOR NO KEY UPDATE",
  exports: "FOR NO KEY UPDATE",
  imports: "FOR NO KEY UPDATE",
  inbound_deliveries: "FOR UPDATE",
  mailboxes: "FOR NO KEY UPDATE",
  members: "FOR UPDATE",
  merges: "FOR UPDATE",
  notes: "FOR KEY SHARE",
  oauth_codes: "FOR UPDATE",
  oauth_grants: "FOR UPDATE",
  saved_views: "FOR UPDATE",
  tasks: "FOR UPDATE",
  triggers: "FOR NO KEY UPDATE",
} as const;

type Table = keyof typeof strength;

// <table>_pkey
const statements = Object.fromEntries(
  Object.entries(strength).map(([table, how]) => [
    table,
    sql(`row_lock_${table}`, `SELECT FROM ${table} WHERE workspace_id = $workspace AND id = $1 ${how}`),
  ]),
) as Record<Table, ReturnType<typeof sql>>;

/** Locks a row of the workspace until this transaction ends; what is read after it is how the row then stays. */
export async function lockRow(db: Db, table: Table, id: string): Promise<void> {
  await db.query(statements[table], [id]);
}

// workspaces_pkey
const workspace = sql("row_lock_workspace", "SELECT FROM workspaces WHERE id = $workspace FOR NO KEY UPDATE");

/** As `lockRow`, for the workspace itself. */
export async function lockWorkspace(db: Db): Promise<void> {
  await db.query(workspace);
}
