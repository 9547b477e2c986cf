import { newId, type WorkspaceId } from "#lib/core/ids.ts";
import { withProof } from "#lib/db/transaction.ts";
import { findInvitationByToken } from "./queries/invitations.ts";
import { sha256 } from "./secret-tokens.ts";

/** The id of a workspace that the caller is about to create. */
export const newWorkspaceId = (): WorkspaceId => newId() as WorkspaceId;

/** What the holder of an invitation link may join; null when the link does not work (any more). */
export async function openInvitation(token: string): Promise<{ id: string; workspaceId: WorkspaceId } | null> {
  const tokenHash = sha256(token);
  const found = await withProof({ tokenHash }, (db) => findInvitationByToken(db, tokenHash));
  return found && { id: found.id, workspaceId: found.workspaceId as WorkspaceId };
}
