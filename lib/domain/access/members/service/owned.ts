import { workingKeysOf } from "#lib/domain/access/api-keys/service.ts";
import { countByOwner, countOfOwner } from "#lib/domain/crm/people/service.ts";
import { countOpenTasks } from "#lib/domain/crm/tasks/service.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { findMembers, findUsers } from "../queries.ts";

/** What someone else would take over of a member. */
export async function countOwned(
  { db }: Pick<Ctx, "db">,
  { userId, email }: { userId: string; email: string },
): Promise<contract.Belongings> {
  const { people, companies } = await countOfOwner(db, email);
  const tasks = (await countOpenTasks(db, userId)).get(userId) ?? 0;
  return { people, companies, tasks, api_keys: (await workingKeysOf(db, userId)).length };
}

export const listOwners = implement(contract.listOwners, async ({ db }) => {
  const members = await findMembers(db);
  const [records, tasks, keys] = [await countByOwner(db), await countOpenTasks(db), await workingKeysOf(db)];
  const keysOf = (userId: string) => keys.filter(({ createdBy }) => createdBy === `user:${userId}`).length;
  const isMember = new Set(members.map(({ userId }) => userId));
  const makers = [...new Set(keys.map(({ createdBy }) => createdBy.slice("user:".length)))];
  const leavers = await findUsers(
    db,
    makers.filter((id) => !isMember.has(id)),
  );
  const accounts = [...members, ...leavers];
  const addresses = new Set(accounts.map(({ email }) => email));
  const none = { people: 0, companies: 0 };
  const owners = [
    ...accounts.map(({ userId, email, name, disabledAt }) => ({
      ...{ email, name, standing: standingOf(isMember.has(userId), disabledAt) },
      ...{ ...(records.get(email) ?? none), tasks: tasks.get(userId) ?? 0, api_keys: keysOf(userId) },
    })),
    ...[...records].flatMap(([email, counts]) =>
      addresses.has(email) ? [] : [{ email, name: null, standing: "left" as const, ...counts, tasks: 0, api_keys: 0 }],
    ),
  ];
  return { owners: owners.filter((one) => one.people + one.companies + one.tasks + one.api_keys > 0) };
});

const standingOf = (isMember: boolean, disabledAt: Date | null): contract.Owner["standing"] => {
  if (!isMember) return "left";
  return disabledAt === null ? "member" : "disabled";
};
