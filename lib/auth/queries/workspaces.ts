import type { Plan } from "#lib/core/plans.ts";
import type { Db } from "#lib/db/handle.ts";

export const findWorkspacePlan = async (db: Db, id: string): Promise<Plan | null> =>
  (await db.prisma.workspace.findFirst({ where: { id }, select: { plan: true } }))?.plan ?? null;

/** What the workspace of the work is called. */
export const getWorkspaceName = async (db: Db): Promise<string> =>
  (await db.prisma.workspace.findFirst({ select: { name: true } }))?.name ?? "";

export type WorkspaceSummary = { id: string; name: string; plan: Plan; createdAt: Date };

/** All workspaces, the oldest first: ids are UUID v7. */
export const findWorkspaces = (db: Db): Promise<WorkspaceSummary[]> =>
  db.prisma.workspace.findMany({
    select: { id: true, name: true, plan: true, createdAt: true },
    orderBy: { id: "asc" },
  });

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** The ids of the `most` workspaces that follow one, or of the first. */
export const findWorkspacesAfter = async (db: Db, id: string | null, most: number): Promise<string[]> =>
  idsOf(
    await db.prisma.workspace.findMany({
      where: id === null ? {} : { id: { gt: id } },
      select: { id: true },
      orderBy: { id: "asc" },
      take: most,
    }),
  );

/** The ids of the workspaces that have triggers. */
export const findWorkspacesWithTriggers = async (db: Db): Promise<string[]> =>
  idsOf(await db.prisma.workspace.findMany({ where: { hasTriggers: true }, select: { id: true } }));

/** The workspaces whose members the groups of this OIDC provider bring, the oldest first. */
export const findWorkspacesOfIssuer = (db: Db, oidcIssuer: string): Promise<{ id: string; plan: Plan }[]> =>
  db.prisma.workspace.findMany({ where: { oidcIssuer }, select: { id: true, plan: true }, orderBy: { id: "asc" } });
