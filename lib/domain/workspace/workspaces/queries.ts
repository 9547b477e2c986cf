import { tellAccessChange } from "#lib/auth/key-changes.ts";
import type { Plan } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import type { Workspace } from "#prisma/generated/client.ts";

export type WorkspaceRow = Pick<Workspace, "id" | "name" | "website" | "plan" | "createdAt">;

const columns = { id: true, name: true, website: true, plan: true, createdAt: true } as const;

export const getWorkspaceRow = (db: Db, id: string): Promise<WorkspaceRow> =>
  db.prisma.workspace.findFirstOrThrow({ where: { id }, select: columns });

export async function insertWorkspace(db: Db, row: Omit<WorkspaceRow, "createdAt">): Promise<void> {
  await db.prisma.workspace.create({ data: row, select: { id: true } });
}

export async function updateNames(db: Db, { name, website }: Pick<WorkspaceRow, "name" | "website">): Promise<void> {
  await db.prisma.workspace.updateMany({ data: { name, website } });
}

/** Every instance is notified with the COMMIT. */
export async function updatePlan(db: Db, plan: Plan): Promise<void> {
  await together([db.prisma.workspace.updateMany({ data: { plan } }), tellAccessChange(db)]);
}

/** Everything of the workspace goes with it; the append-only tables allow it only under `withErasure`. */
export async function deleteWorkspaceRow(db: Db): Promise<void> {
  await tellAccessChange(db);
  // First: what waits in these two is looked for by its record for each record that goes.
  await db.prisma.outboxEvent.deleteMany();
  await db.prisma.scoreQueueEntry.deleteMany();
  await db.prisma.workspace.deleteMany();
}
