import { endAccessOf } from "#lib/auth/access-tokens.ts";
import { inBackground } from "#lib/auth/background.ts";
import { tellAccessChange } from "#lib/auth/key-changes.ts";
import { canMailLinks, linkTo, sendMail } from "#lib/auth/mail.ts";
import type { EndedGrant } from "#lib/auth/queries/access-tokens.ts";
import { lockRole } from "#lib/auth/queries/members.ts";
import { findUserByEmail } from "#lib/auth/queries/users.ts";
import { getWorkspaceName } from "#lib/auth/queries/workspaces.ts";
import { mintLinkToken } from "#lib/auth/secret-tokens.ts";
import { membershipsOf } from "#lib/auth/sessions.ts";
import { openInvitation } from "#lib/auth/workspace-ids.ts";
import { Fault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import type { Role } from "#lib/core/plans.ts";
import { together } from "#lib/core/together.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { revokeKeysOfLogins } from "#lib/domain/access/api-keys/service.ts";
import { cancelApprovalsOfClients } from "#lib/domain/access/approvals/service.ts";
import { denyApprovedLogins } from "#lib/domain/access/device-logins/service.ts";
import { releaseTasks } from "#lib/domain/crm/tasks/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { implementUser } from "#lib/domain/implement-user.ts";
import { holdMail } from "#lib/domain/knowledge/messages/service.ts";
import { countSharedBy, removeSharedBy } from "#lib/domain/knowledge/sharing/service.ts";
import { type Circumstances, recordAudit } from "#lib/domain/records/audit/service.ts";
import { announce } from "#lib/live/announce.ts";
import { DAY_MS, formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  deleteMember,
  findMembers,
  findMemberToChange,
  findOpenInvitation,
  findOpenInvitations,
  insertInvitation,
  insertMember,
  isMemberByEmail,
  lockOwners,
  type MemberRow,
  markAccepted,
  markRevoked,
  updateRole,
  withdrawInvitationsOf,
} from "./queries.ts";
import { INVITATION_DAYS, requireMayChange, rolesBeyond } from "./rules.ts";
import { invitationOfRow, memberOfRow } from "./serialize.ts";
import { countOwned } from "./service/owned.ts";

export { forgetGroupRoles, lockOwners, type MemberRow, setGroupRole } from "./queries.ts";
export { countOwned, listOwners } from "./service/owned.ts";

export const listMembers = implement(contract.listMembers, async ({ db }) => ({
  members: (await findMembers(db)).map(memberOfRow),
}));

/** The e-mail addresses of everyone in the workspace. */
export const memberAddresses = async ({ db }: Pick<Ctx, "db">): Promise<string[]> =>
  (await findMembers(db)).map(({ email }) => email);

export const changeRole = implement(contract.changeRole, async (ctx, { id, role }) => {
  const member = await memberToChange(ctx.db, id);
  requireMayChange(ctx.role, member.role, role);
  if (role !== member.role && (await isLastOwner(ctx.db, member))) throw new Fault("last_owner");
  await applyRole(ctx, member, role);
  return { member: memberOfRow({ ...member, role }) };
});

/** Gives a member another role in the running transaction. Does not check permissions. */
export async function applyRole(ctx: Ctx, { id, userId, email, role: from }: MemberRow, role: Role): Promise<void> {
  if (role === from) return;
  await updateRole(ctx.db, id, role);
  await tellAccessChange(ctx.db);
  await withdrawInvitations(ctx, userId, role);
  await recordAudit(ctx, "member.role_changed", id, { email, from, to: role });
}

/** Who is to be removed: anyone may leave. Throws 403 `role_required`. */
function mayRemove(ctx: Ctx, { userId, role }: MemberRow): "themselves" | "another" {
  if (ctx.actor.type === "user" && userId === ctx.actor.id) return "themselves";
  requireMayChange(ctx.role, role, null);
  return "another";
}

export const previewRemoval = implement(contract.previewRemoval, async (ctx, { id }) => {
  const member = (await findMembers(ctx.db, { id }))[0];
  if (!member) throw new Fault("member_not_found");
  mayRemove(ctx, member);
  return { ...(await countSharedBy(ctx, member.userId)), owned: await countOwned(ctx, member) };
});

export const removeMember = implement(
  contract.removeMember,
  async (ctx, { id, mail }) => {
    if (mail === "remove") await holdMail(ctx); // before any row
    const member = await memberToChange(ctx.db, id);
    const leaves = mayRemove(ctx, member) === "themselves";
    if (await isLastOwner(ctx.db, member)) throw new Fault("last_owner");
    const owned = await endMembership(ctx, member, leaves ? "member.left" : "member.removed", mail);
    return { member: memberOfRow(member), owned };
  },
  { transaction: "writing" },
);

export const leaveWorkspace = implementUser(contract.leaveWorkspace, "signed-in", async (visitor, { id }) => {
  const { session, requestId, client, ip } = visitor;
  const membership = session.memberships.find(({ workspaceId }) => workspaceId === id);
  if (!membership) throw new Fault("workspace_not_found");
  const { workspaceId, plan, role } = membership;
  await withWorkspace(workspaceId, async (db) => {
    await lockOwners(db);
    const member = (await findMembersByUser(db, [session.userId])).get(session.userId);
    if (!member) throw new Fault("workspace_not_found");
    if (await isLastOwner(db, member)) throw new Fault("last_owner");
    const actor = { type: "user", id: session.userId } as const;
    await endMembership(
      { db, workspaceId, plan, role, scopes: [], actor, requestId, client, ip },
      member,
      "member.left",
    );
  });
  return { id };
});

/**
 * Ends a membership, and what the member may do by keys of logins, clients and invitations. Returns what they owned. Does not check
 * permissions. To remove what they shared of their mail and meetings, the caller holds the mail (`holdMail`).
 */
export async function endMembership(
  ctx: Ctx,
  { id, userId, email, role }: MemberRow,
  action: "member.left" | "member.removed",
  mail: "keep" | "remove" = "keep",
): Promise<contract.Belongings> {
  const owned = await countOwned(ctx, { userId, email });
  await deleteMember(ctx.db, id);
  await releaseTasks(ctx, userId);
  await endAccess(ctx, userId);
  if (mail === "remove") await removeSharedBy(ctx, userId);
  await recordAudit(ctx, action, id, { email, role, mail, owned });
  // Their mailboxes are read no longer.
  ctx.db.afterCommit(() => announce(ctx.workspaceId, { topic: "integrations" }));
  return owned;
}

/** Ends what acts for a member: keys of logins, connected clients, and invitations they made. */
async function endAccess(ctx: Ctx, userId: string): Promise<readonly EndedGrant[]> {
  await revokeKeysOfLogins(ctx, userId);
  await withdrawInvitations(ctx, userId, null);
  const clients = await endAccessOf(ctx.db, userId);
  await cancelApprovalsOfClients(
    ctx,
    clients.map(({ id }) => id),
  );
  return clients;
}

/** The address of a user is about to be proven: who approved something under it before may be someone else. */
export const PROVEN = "its member's address was proven";

/** Ends what acts for a user in each of their workspaces. Their sessions have ended. The user is the actor unless one is given. */
export async function endAccessEverywhere(userId: string, why: string, from: Circumstances): Promise<void> {
  await denyApprovedLogins(userId);
  for (const { workspaceId, plan, role } of await membershipsOf(userId)) {
    const by = { actor: { type: "user", id: userId } as const, client: null, ...from, scopes: [] };
    await withWorkspace(workspaceId, async (db) => {
      const ctx = { ...by, workspaceId, plan, role, db };
      for (const { id, clientName: name } of await endAccess(ctx, userId))
        await recordAudit(ctx, "client.disconnected", id, { name, why });
    });
  }
}

/**
 * A member whose role may change. All owners are locked before one is checked: when two owners demote each other at
 * once, the second finds that only one is left. Throws 404 `member_not_found`.
 */
async function memberToChange(db: Db, id: string): Promise<MemberRow> {
  await lockOwners(db);
  const member = await findMemberToChange(db, id);
  if (!member) throw new Fault("member_not_found");
  return member;
}

/** True for the only owner. */
export const isLastOwner = async (db: Db, { role }: Pick<MemberRow, "role">): Promise<boolean> =>
  role === "owner" && (await lockOwners(db)).length === 1;

/** What a member invited others to, and may not any more with this role (null: no member), does not work any more: they may have the links. */
async function withdrawInvitations(ctx: Ctx, userId: string, role: Role | null): Promise<void> {
  for (const { id, ...given } of await withdrawInvitationsOf(ctx.db, userId, rolesBeyond(role)))
    await recordAudit(ctx, "invitation.revoked", id, given);
}

/** The members among these users, by the user's id. */
export const findMembersByUser = async (db: Db, userIds: readonly string[]): Promise<Map<string, MemberRow>> =>
  new Map((await findMembers(db, { userId: { in: [...userIds] } })).map((member) => [member.userId, member]));

/** Makes a user a member unless they are one, in the running transaction. Does not check permissions. */
export async function ensureMember(
  ctx: Ctx,
  { id: userId, email }: { id: string; email: string },
  role: Role,
): Promise<void> {
  const id = await insertMember(ctx.db, userId, role);
  if (id) await recordAudit(ctx, "member.added", id, { email, role });
}

/** Makes the user a member in the running transaction. Throws 409 `already_member`. */
export async function addMember(db: Db, userId: string, role: Role): Promise<string> {
  const id = await insertMember(db, userId, role);
  if (!id) throw new Fault("already_member");
  return id;
}

export const listInvitations = implement(contract.listInvitations, async ({ db }) => ({
  invitations: (await findOpenInvitations(db)).map(invitationOfRow),
}));

export const invite = implement(contract.invite, async (ctx, { role, email = null }) => {
  // The role stays until the commit: who is removed or lowered meanwhile leaves no invitation behind.
  const inviter = ctx.actor.type === "user" ? await lockRole(ctx.db, ctx.actor.id) : ctx.role;
  requireMayChange(inviter, null, role);
  if (email !== null && (await isMemberByEmail(ctx.db, email))) throw new Fault("already_member");
  const { token, hash: tokenHash } = mintLinkToken();
  const id = newId();
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * DAY_MS);
  await insertInvitation(ctx.db, { id, email, role, expiresAt, invitedBy: ctx.actor.id, tokenHash });
  await recordAudit(ctx, "invitation.created", id, { email, role });
  const [invitation, workspaceName] = await together([findOpenInvitation(ctx.db, id), getWorkspaceName(ctx.db)]);
  if (!invitation) throw new Error("an invitation that was just inserted is not there");
  const link = linkTo(`/invite/${token}`);
  const mailed = email !== null && canMailLinks();
  if (mailed)
    inBackground("mailing an invitation", () =>
      sendMail(invitationMail(email, workspaceName, invitation.invitedBy, link)),
    );
  return { invitation: invitationOfRow(invitation), link, mailed };
});

export const revokeInvitation = implement(contract.revokeInvitation, async (ctx, { id }) => {
  const invitation = await findOpenInvitation(ctx.db, id);
  if (!invitation || !(await markRevoked(ctx.db, id))) throw new Fault("invitation_not_found");
  await recordAudit(ctx, "invitation.revoked", id, { email: invitation.email, role: invitation.role });
  return { id };
});

export const readInvitation = implementUser(contract.readInvitation, "anyone", async (_, { token }) => {
  const invited = await openInvitation(token);
  if (!invited) throw new Fault("invitation_not_found");
  return withWorkspace(
    invited.workspaceId,
    async (db) => {
      const [invitation, workspace_name] = await together([findOpenInvitation(db, invited.id), getWorkspaceName(db)]);
      if (!invitation) throw new Fault("invitation_not_found");
      const { email, role, invitedBy, expiresAt } = invitation;
      const has_account = email !== null && (await findUserByEmail(db, email)) !== null;
      return { workspace_name, role, email, invited_by: invitedBy, expires_at: formatTime(expiresAt), has_account };
    },
    { readOnly: true },
  );
});

export const acceptInvitation = implementUser(contract.acceptInvitation, "signed-in", async (ctx, { token }) => {
  const invited = await openInvitation(token);
  if (!invited) throw new Fault("invitation_not_found");
  const { workspaceId } = invited;
  await withWorkspace(workspaceId, (db) =>
    joinByInvitation({ ...ctx, db, workspaceId }, invited.id, ctx.session.userId, ctx.session.email),
  );
  return { workspace_id: workspaceId };
});

/** Uses an invitation up and makes the user a member, both or neither, in the running transaction. */
export async function joinByInvitation(
  ctx: Pick<Ctx, "db" | "workspaceId" | "requestId" | "client" | "ip">,
  invitationId: string,
  userId: string,
  email: string,
): Promise<void> {
  const role = await markAccepted(ctx.db, invitationId);
  if (!role) throw new Fault("invitation_not_found");
  const id = await addMember(ctx.db, userId, role);
  await recordAudit({ ...ctx, actor: { type: "user", id: userId } }, "member.joined", id, {
    email,
    role,
    invitation: invitationId,
  });
}

const invitationMail = (to: string, workspace: string, from: string | null, link: string) => ({
  to,
  subject: `Join ${workspace} on Rapport`,
  text: `${from ?? "A member"} invites you to the workspace "${workspace}" on Rapport.\n\nJoin here, within ${INVITATION_DAYS} days:\n${link}\n\nThe link works once. If you did not expect it, ignore this mail.\n`,
});
