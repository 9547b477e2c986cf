import { linkTo } from "#lib/auth/mail.ts";
import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { countGroupMembers, countPeople, type DirectoryGroupRow, findGroups, updateGroup } from "./queries.ts";
import { applyRoles, beginChange } from "./service/roles.ts";

export type { GroupFilter, UserFilter } from "./queries.ts";
export { asDirectory } from "./service/enter.ts";
export { addGroup, findGroup, listGroups, type ProvisionedGroup, removeGroup, replaceGroup } from "./service/groups.ts";
export type { Page, PageRequest } from "./service/page.ts";
export { addUser, findUser, listUsers, type ProvisionedUser, removeUser, replaceUser } from "./service/users.ts";

export const getDirectory = implement(contract.getDirectory, async ({ db }) => {
  const [{ active, inactive, changedAt }, groups, members] = await together([
    countPeople(db),
    findGroups(db, {}),
    countGroupMembers(db),
  ]);
  return {
    address: linkTo(contract.SCIM_PATH),
    active,
    inactive,
    changed_at: changedAt && formatTime(changedAt),
    groups: groups.map((group) => groupOf(group, members.get(group.id) ?? 0)),
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

const groupOf = ({ id, displayName: name, role }: DirectoryGroupRow, members: number): contract.DirectoryGroup => ({
  id,
  name,
  members,
  role: role === "owner" ? null : role,
});
