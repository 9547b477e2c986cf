import { isUuid, newId, type WorkspaceId } from "#lib/core/ids.ts";
import type { Plan } from "#lib/core/plans.ts";
import { withoutWorkspace, withProof } from "#lib/db/transaction.ts";
import { findInvitationByToken } from "./queries/invitations.ts";
import { findWorkspacePlan } from "./queries/workspaces.ts";
import { sha256 } from "./secret-tokens.ts";

/** The id of a workspace that the caller is about to create. */
export const newWorkspaceId = (): WorkspaceId => newId() as WorkspaceId;

/**
 * A workspace that an inbound delivery or a job names; null when there is none of that id. Whoever asks has verified, or
 * verifies next, that it may act there.
 */
export async function findWorkspace(id: string): Promise<{ id: WorkspaceId; plan: Plan } | null> {
  const plan = isUuid(id) ? await withoutWorkspace((db) => findWorkspacePlan(db, id)) : null;
  return plan && { id: id.toLowerCase() as WorkspaceId, plan };
}

/** What the holder of an invitation link may join; null when the link does not work (any more). */
export async function openInvitation(token: string): Promise<{ id: string; workspaceId: WorkspaceId } | null> {
  const tokenHash = sha256(token);
  const found = await withProof({ tokenHash }, (db) => findInvitationByToken(db, tokenHash));
  return found && { id: found.id, workspaceId: found.workspaceId as WorkspaceId };
}
