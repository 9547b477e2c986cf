import { tellKeyChange } from "#lib/auth/queries/api-keys.ts";
import type { Plan } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

export type WorkspaceRow = { id: string; name: string; website: string | null; plan: Plan; createdAt: Date };

const columns = { id: true, name: true, website: true, plan: true, createdAt: true } as const;

export const getWorkspaceRow = (db: Db, id: string): Promise<WorkspaceRow> =>
  db.prisma.workspace.findUniqueOrThrow({ where: { id }, select: columns });

export async function insertWorkspace(db: Db, row: Omit<WorkspaceRow, "createdAt">): Promise<void> {
  await db.prisma.workspace.create({ data: row, select: { id: true } });
}

// workspaces_pkey
const rename = sql("workspace_rename", "UPDATE workspaces SET name = $1, website = $2 WHERE id = $workspace");

export async function updateNames(db: Db, { name, website }: Pick<WorkspaceRow, "name" | "website">): Promise<void> {
  await db.query(rename, [name, website]);
}

// workspaces_pkey
const changePlan = sql("workspace_change_plan", "UPDATE workspaces SET plan = $1::plan WHERE id = $workspace");

/** Every instance is notified with the COMMIT. */
export async function updatePlan(db: Db, plan: Plan): Promise<void> {
  await together([db.query(changePlan, [plan]), tellKeyChange(db)]);
}

// outbox_pkey, score_queue_pkey: what waits in them is looked for by its record for each record that goes
const deleteEvents = sql("workspace_delete_events", "DELETE FROM outbox WHERE workspace_id = $workspace");
const deleteToScore = sql("workspace_delete_to_score", "DELETE FROM score_queue WHERE workspace_id = $workspace");

/** Everything of the workspace goes with it; the append-only tables allow it only under `withErasure`. */
export async function deleteWorkspaceRow(db: Db, id: string): Promise<void> {
  await together([tellKeyChange(db), db.query(deleteEvents), db.query(deleteToScore)]);
  await db.prisma.workspace.delete({ where: { id }, select: { id: true } });
}
