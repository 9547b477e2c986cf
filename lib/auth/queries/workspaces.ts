import type { Plan } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// workspaces_pkey
const planOf = sql("workspace_plan", "SELECT plan::text FROM workspaces WHERE id = $1");

export const findWorkspacePlan = async (db: Db, id: string): Promise<Plan | null> =>
  (await db.query<{ plan: Plan }>(planOf, [id]))[0]?.plan ?? null;

export type WorkspaceSummary = { id: string; name: string; plan: Plan; createdAt: Date };

// ids are UUID v7, so workspaces_pkey is in order of creation
const all = sql("workspaces_all", 'SELECT id, name, plan::text, created_at AS "createdAt" FROM workspaces ORDER BY id');

export const findWorkspaces = (db: Db): Promise<WorkspaceSummary[]> => db.query<WorkspaceSummary>(all);

// workspaces_pkey
const after = sql("workspaces_after", "SELECT id FROM workspaces WHERE id > $1 ORDER BY id LIMIT $2");

const FIRST = "00000000-0000-0000-0000-000000000000";

/** The ids of the `most` workspaces that follow one, or of the first. */
export const findWorkspacesAfter = async (db: Db, id: string | null, most: number): Promise<string[]> =>
  (await db.query<{ id: string }>(after, [id ?? FIRST, most])).map((row) => row.id);

// workspaces_has_triggers_idx
const having = sql("workspaces_with_triggers", "SELECT id FROM workspaces WHERE has_triggers");

/** The ids of the workspaces that have triggers. */
export const findWorkspacesWithTriggers = async (db: Db): Promise<string[]> =>
  (await db.query<{ id: string }>(having)).map((row) => row.id);
