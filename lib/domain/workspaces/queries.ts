import type { Plan } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";

export type WorkspaceRow = { id: string; name: string; website: string | null; plan: Plan; createdAt: Date };

const columns = { id: true, name: true, website: true, plan: true, createdAt: true } as const;

export const getWorkspaceRow = (db: Db, id: string): Promise<WorkspaceRow> =>
  db.prisma.workspace.findUniqueOrThrow({ where: { id }, select: columns });

export async function insertWorkspace(db: Db, row: Omit<WorkspaceRow, "createdAt">): Promise<void> {
  await db.prisma.workspace.create({ data: row });
}

export const updateWorkspaceRow = (
  db: Db,
  id: string,
  change: Partial<Pick<WorkspaceRow, "name" | "website" | "plan">>,
): Promise<WorkspaceRow> => db.prisma.workspace.update({ where: { id }, data: change, select: columns });

/** Everything of the workspace goes with it; the append-only tables allow it only under `withErasure`. */
export async function deleteWorkspaceRow(db: Db, id: string): Promise<void> {
  await db.prisma.workspace.delete({ where: { id }, select: { id: true } });
}
