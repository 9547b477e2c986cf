import { isUuid, newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import { withoutWorkspace, withProof } from "#lib/db/transaction.ts";
import { findInvitationByToken } from "./queries/invitations.ts";
import { findWorkspacePlan, findWorkspacesOfIssuer } from "./queries/workspaces.ts";
import { sha256 } from "./secret-tokens.ts";

/** The id of a workspace that the caller is about to create. */
export const newWorkspaceId = (): WorkspaceId => newId() as WorkspaceId;

/** The id of a workspace that an operator reads back from a file. */
export const restoredWorkspaceId = (id: string): WorkspaceId => {
  if (!isUuid(id)) throw new Error("not the id of a workspace");
  return id.toLowerCase() as WorkspaceId;
};

/**
 * The workspace named by an inbound delivery or a job; null when none has that id. The caller must verify, before or
 * right after, that it may act there.
 */
export async function findWorkspace(id: string): Promise<{ id: WorkspaceId; plan: Plan } | null> {
  const plan = isUuid(id) ? await withoutWorkspace((db) => findWorkspacePlan(db, id)) : null;
  return plan && { id: id.toLowerCase() as WorkspaceId, plan };
}

/** The workspaces that who signs in with this provider may be brought into by their groups. */
export const workspacesOfIssuer = async (issuer: string): Promise<{ id: WorkspaceId; plan: Plan }[]> =>
  (await withoutWorkspace((db) => findWorkspacesOfIssuer(db, issuer))) as { id: WorkspaceId; plan: Plan }[];

/** The workspace that an invitation link leads to; null when the link is invalid or has expired. */
export async function openInvitation(token: string): Promise<{ id: string; workspaceId: WorkspaceId } | null> {
  const tokenHash = sha256(token);
  const invitation = await withProof({ tokenHash }, (db) => findInvitationByToken(db, tokenHash));
  return invitation && { id: invitation.id, workspaceId: invitation.workspaceId as WorkspaceId };
}
