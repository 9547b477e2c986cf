import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import type { TestWorkspace } from "./workspace.fixture.ts";

/** Someone who belongs to a workspace, as the caller they are when they are signed in. */
export async function addTestMember(
  { id: workspaceId, caller }: TestWorkspace,
  name: string,
  role: Role = "member",
  address?: string,
) {
  const [userId, memberId] = [newId(), newId()];
  const email = address ?? `${name.toLowerCase()}-${userId.slice(-6)}@ours.example`;
  await withoutWorkspace((db) => db.prisma.user.create({ data: { id: userId, email, name }, select: { id: true } }));
  await withWorkspace(workspaceId, (db) =>
    db.prisma.member.create({ data: { workspaceId, id: memberId, userId, role }, select: { id: true } }),
  );
  const signedIn: Caller = { ...caller, role, scopes: ["admin"], actor: { type: "user", id: userId }, viewer: userId };
  return { userId, memberId, email, name, caller: signedIn };
}
