import { formatTime } from "#lib/text/time.ts";
import type { Invitation, Member } from "./contract.ts";
import type { InvitationRow, MemberRow } from "./queries.ts";

export const memberOfRow = (row: MemberRow): Member => ({
  id: row.id,
  user_id: row.userId,
  name: row.name,
  email: row.email,
  role: row.role,
  joined_at: formatTime(row.createdAt),
  disabled: row.disabledAt !== null,
});

export const invitationOfRow = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  invited_by: row.invitedBy,
  created_at: formatTime(row.createdAt),
  expires_at: formatTime(row.expiresAt),
});
