import { tellAccessChange } from "#lib/auth/key-changes.ts";
import type { SignInDemand } from "#lib/core/sign-in-demands.ts";
import type { Db } from "#lib/db/handle.ts";

/** What a workspace demands itself; `oidcIssuer`: the provider that brings its members. */
export async function getDemand(
  db: Db,
  workspaceId: string,
): Promise<{ demand: SignInDemand; oidcIssuer: string | null }> {
  const { signInDemand: demand, oidcIssuer } = await db.prisma.workspace.findFirstOrThrow({
    where: { id: workspaceId },
    select: { signInDemand: true, oidcIssuer: true },
  });
  return { demand, oidcIssuer };
}

/** False when that was demanded already. Every instance is notified with the COMMIT, so that what is open is checked again. */
export async function updateDemand(db: Db, signInDemand: SignInDemand): Promise<boolean> {
  const { count } = await db.prisma.workspace.updateMany({
    where: { signInDemand: { not: signInDemand } },
    data: { signInDemand },
  });
  if (count > 0) await tellAccessChange(db);
  return count > 0;
}
