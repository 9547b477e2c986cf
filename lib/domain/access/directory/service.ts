import { linkTo } from "#lib/auth/mail.ts";
import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import {
  countGroupMembers,
  countPeople,
  type DirectoryGroupRow,
  deleteGroup,
  findGroups,
  insertGroup,
  updateGroup,
} from "./queries.ts";
import { signInGroups } from "./service/following.ts";
import { applyRoles, beginChange } from "./service/roles.ts";

export type { GroupFilter, UserFilter } from "./queries.ts";
export { asDirectory } from "./service/enter.ts";
export { followGroups, followGroupsOf } from "./service/following.ts";
export { addGroup, findGroup, listGroups, type ProvisionedGroup, removeGroup, replaceGroup } from "./service/groups.ts";
export type { Page, PageRequest } from "./service/page.ts";
export { groupsAtSignIn } from "./service/sign-in.ts";
export { addUser, findUser, listUsers, type ProvisionedUser, removeUser, replaceUser } from "./service/users.ts";

export const getDirectory = implement(contract.getDirectory, async (ctx) => {
  const { db } = ctx;
  const [{ active, inactive, changedAt }, groups, members, sign_in] = await together([
    countPeople(db),
    findGroups(db, {}),
    countGroupMembers(db),
    signInGroups(ctx),
  ]);
  return {
    address: linkTo(contract.SCIM_PATH),
    active,
    inactive,
    changed_at: changedAt && formatTime(changedAt),
    groups: groups.map((group) => groupOf(group, members.get(group.id) ?? 0)),
    sign_in,
  };
});

export const setGroupRole = implement(
  contract.setGroupRole,
  async (ctx, { id, role }) => {
    await beginChange(ctx);
    const [group] = await findGroups(ctx.db, { id });
    if (!group) throw new Fault("directory_group_not_found");
    if (group.role !== role) {
      await updateGroup(ctx.db, id, { role });
      await recordAudit(ctx, "directory_group.role_changed", id, {
        name: group.displayName,
        from: group.role,
        to: role,
      });
      await applyRoles(ctx, { groupId: id });
    }
    return { group: groupOf({ ...group, role }, (await countGroupMembers(ctx.db)).get(id) ?? 0) };
  },
  { transaction: "writing" },
);

export const addDirectoryGroup = implement(contract.addDirectoryGroup, async (ctx, { name, role }) => {
  await beginChange(ctx);
  const id = await insertGroup(ctx.db, { displayName: name, externalId: null, role, byHand: true });
  if (id === null) throw new Fault("directory_group_exists", { parameter: "name" });
  await recordAudit(ctx, "directory_group.added", id, { name });
  await recordAudit(ctx, "directory_group.role_changed", id, { name, from: null, to: role });
  return { group: { id, name, members: null, role } };
});

export const removeDirectoryGroup = implement(contract.removeDirectoryGroup, async (ctx, { id }) => {
  await beginChange(ctx);
  const [group] = await findGroups(ctx.db, { id, byHand: true });
  if (!group) throw new Fault("directory_group_not_found");
  await deleteGroup(ctx.db, id);
  await recordAudit(ctx, "directory_group.removed", id, { name: group.displayName });
  return { id };
});

const groupOf = (
  { id, displayName: name, role, byHand }: DirectoryGroupRow,
  members: number,
): contract.DirectoryGroup => ({
  id,
  name,
  members: byHand ? null : members,
  role: role === "owner" ? null : role,
});
