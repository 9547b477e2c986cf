import { operatorOf } from "#lib/auth/operator.ts";
import { membershipsOf } from "#lib/auth/sessions.ts";
import type { Role } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { workingKeysOf } from "#lib/domain/access/api-keys/service.ts";
import { listMembers } from "#lib/domain/access/members/service.ts";
import { listCompanies, listPeople } from "#lib/domain/crm/people/service.ts";
import { listTasks } from "#lib/domain/crm/tasks/service.ts";

/** What someone else has to take over of a member in one workspace. */
export type Owned = {
  workspace_id: string;
  name: string;
  role: Role;
  only_owner: boolean;
  owns: ("people" | "companies" | "tasks")[];
  /** Keys that they made and that still work: they may have copies. */
  api_keys: { name: string; prefix: string }[];
};

/** What a user owns in each of their workspaces, for an operator. */
export async function ownedBy(user: { userId: string; email: string }, operator: string): Promise<Owned[]> {
  const owned: Owned[] = [];
  for (const { workspaceId, name, role } of await membershipsOf(user.userId)) {
    const caller = await operatorOf(workspaceId, operator);
    const { members } = await listMembers.execute(caller, {});
    const owners = members.filter((member) => member.role === "owner");
    const { people } = await listPeople.execute(caller, { owner: user.email, limit: 1 });
    const { companies } = await listCompanies.execute(caller, { owner: user.email, limit: 1 });
    const { tasks } = await listTasks.execute(caller, { assignee: user.email, limit: 1 });
    owned.push({
      workspace_id: workspaceId,
      name,
      role,
      only_owner: role === "owner" && owners.length === 1,
      owns: (["people", "companies", "tasks"] as const).filter((_, at) => [people, companies, tasks][at]?.length),
      api_keys: await withWorkspace(workspaceId, (db) => workingKeysOf(db, user.userId), { readOnly: true }),
    });
  }
  return owned;
}
