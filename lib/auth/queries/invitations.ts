import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";

// invitations_token_hash_idx
const byToken = sql(
  "invitation_by_token",
  `SELECT id, workspace_id AS "workspaceId" FROM invitations
   WHERE token_hash = $1 AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > now()`,
);

/**
 * The invitation of this token while it is valid; the transaction must carry the proof (`withProof({ tokenHash })`).
 */
export const findInvitationByToken = async (
  db: Db,
  tokenHash: Buffer,
): Promise<{ id: string; workspaceId: string } | null> =>
  (await db.query<{ id: string; workspaceId: string }>(byToken, [tokenHash]))[0] ?? null;
