import { applyRole, findMembersByUser, lockOwners } from "#lib/domain/access/members/service.ts";
import type { Ctx } from "#lib/domain/implement.ts";
import { findUsersOf, setGivenRole } from "../queries.ts";
import { highestRole, roleFor } from "../rules.ts";

/** Directories send many changes at once; those of one workspace wait for each other here, so that each sees the one before. */
export const beginChange = (ctx: Pick<Ctx, "db">): Promise<string[]> => lockOwners(ctx.db);

/** Gives these people of the directory, or those of a group, the role that their groups give them now. */
export async function applyRoles(ctx: Ctx, which: { ids: readonly string[] } | { groupId: string }): Promise<void> {
  const people = await findUsersOf(ctx.db, which);
  const members = await findMembersByUser(
    ctx.db,
    people.filter(({ active }) => active).map(({ userId }) => userId),
  );
  for (const { id, userId, givenRole: given, groups } of people) {
    const gives = highestRole(groups.map(({ group }) => group.role));
    const member = members.get(userId);
    // An invitation works under any address: who has not proven theirs gets no role for it.
    if (member?.isUnproven) continue;
    if (member) await applyRole(ctx, member, roleFor({ role: member.role, given, gives }));
    if (gives !== given) await setGivenRole(ctx.db, id, gives);
  }
}
