import type { ToldGroups } from "#lib/auth/oidc.ts";
import { findUserById } from "#lib/auth/queries/users.ts";
import { workspacesOfIssuer } from "#lib/auth/workspace-ids.ts";
import type { Caller } from "#lib/core/context.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import {
  applyRole,
  endMembership,
  ensureMember,
  findMembersByUser,
  isLastOwner,
  setGroupRole,
} from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { countUsers, findRolesOf } from "../queries.ts";
import { highestRole, outcomeOf } from "../rules.ts";
import { beginChange } from "./roles.ts";

const operation = "following the groups of a sign-in";

/** What the groups of a sign-in mean for memberships, for next-auth. Only workspaces that are bound to the issuer are concerned. */
export const groupsAtSignIn = (from: Pick<Caller, "requestId" | "ip">) => ({
  async awaits({ issuer, names }: ToldGroups): Promise<boolean> {
    if (names === null || names.length === 0) return false;
    for (const { id } of await workspacesOfIssuer(issuer))
      if ((await withWorkspace(id, (db) => findRolesOf(db, names), { readOnly: true, operation })).length > 0)
        return true;
    return false;
  },
  async follow(userId: string, { issuer, names }: ToldGroups): Promise<void> {
    if (names === null) return;
    const user = await withoutWorkspace((db) => findUserById(db, userId));
    if (!user) throw new Error("who signs in is no user");
    for (const { id: workspaceId, plan } of await workspacesOfIssuer(issuer)) {
      const rights = { workspaceId, plan, role: null, scopes: [] };
      const actor = { type: "job", id: "sign-in" } as const;
      await withWorkspace(workspaceId, (db) => followIn({ ...from, ...rights, actor, client: null, db }, user, names), {
        operation,
      });
    }
  },
});

/** Who the directory manages by SCIM is left to it, also when it has deactivated them. */
async function followIn(ctx: Ctx, user: { id: string; email: string }, names: readonly string[]): Promise<void> {
  await beginChange(ctx);
  if ((await countUsers(ctx.db, { userId: user.id })) > 0) return;
  const groups = names.length === 0 ? [] : await findRolesOf(ctx.db, names);
  const gives = highestRole(groups.map(({ role }) => role));
  const member = (await findMembersByUser(ctx.db, [user.id])).get(user.id) ?? null;
  const outcome = outcomeOf(
    member && { role: member.role, given: member.groupRole, isLastOwner: await isLastOwner(ctx.db, member) },
    gives,
  );
  if (outcome === null) return;
  await recordAudit(ctx, "member.groups_followed", member?.id ?? null, {
    email: user.email,
    groups: groups.map(({ displayName }) => displayName),
    role: gives,
  });
  if (outcome === "leave") {
    if (member) await endMembership(ctx, member, "member.removed");
    return;
  }
  if ("join" in outcome) await ensureMember(ctx, user, outcome.join);
  else if (member) await applyRole(ctx, member, outcome.change);
  await setGroupRole(ctx.db, user.id, gives);
}
