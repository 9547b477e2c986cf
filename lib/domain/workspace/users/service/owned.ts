import { operatorOf } from "#lib/auth/operator.ts";
import { membershipsOf } from "#lib/auth/sessions.ts";
import type { Role } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { workingKeysOf } from "#lib/domain/access/api-keys/service.ts";
import { countOwned, listMembers } from "#lib/domain/access/members/service.ts";

/** What someone else has to take over of a member in one workspace. */
export type Owned = {
  workspace_id: string;
  name: string;
  role: Role;
  only_owner: boolean;
  /** Records that are not archived, and open tasks. */
  owns: { people: number; companies: number; tasks: number };
  /** Keys that they made and that still work: they may have copies. */
  api_keys: { name: string; prefix: string }[];
};

/** What a user owns in each of their workspaces, for an operator. */
export async function ownedBy(user: { userId: string; email: string }, operator: string): Promise<Owned[]> {
  const owned: Owned[] = [];
  for (const { workspaceId, name, role } of await membershipsOf(user.userId)) {
    const { members } = await listMembers.execute(await operatorOf(workspaceId, operator), {});
    const owners = members.filter((member) => member.role === "owner");
    const [{ api_keys: _, ...owns }, keys] = await withWorkspace(
      workspaceId,
      async (db) => [await countOwned({ db }, user), await workingKeysOf(db, user.userId)] as const,
      { readOnly: true },
    );
    owned.push({
      ...{ workspace_id: workspaceId, name, role, only_owner: role === "owner" && owners.length === 1, owns },
      api_keys: keys.map((key) => ({ name: key.name, prefix: key.prefix })),
    });
  }
  return owned;
}
