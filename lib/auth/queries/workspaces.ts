import type { Plan } from "#lib/core/plans.ts";
import { type Db, sql } from "#lib/db/transaction.ts";

// workspaces_pkey
const planOf = sql("workspace_plan", "SELECT plan::text FROM workspaces WHERE id = $1");

export const findWorkspacePlan = async (db: Db, id: string): Promise<Plan | null> =>
  (await db.query<{ plan: Plan }>(planOf, [id]))[0]?.plan ?? null;

// ids are UUID v7, so workspaces_pkey is in order of creation
const ids = sql("workspace_ids", "SELECT id FROM workspaces ORDER BY id");

export const findWorkspaceIds = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(ids)).map((row) => row.id);
