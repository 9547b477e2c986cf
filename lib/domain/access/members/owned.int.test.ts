/** What people own when they leave or are kept out, for who takes it over. */
import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { mintApiKey, revokeApiKey } from "#lib/domain/access/api-keys/service.ts";
import { addUser, replaceUser } from "#lib/domain/access/directory/service.ts";
import { upsertCompany, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { createTask, updateTask } from "#lib/domain/crm/tasks/service.ts";
import { listAudit } from "#lib/domain/records/audit/service.ts";
import { disableUser } from "#lib/domain/workspace/users/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listOwners, previewRemoval, removeMember } from "./service.ts";

type Someone = { email: string; caller: Caller };

/** A workspace, and a way to give someone two people, a company, two tasks of which one is done, and two keys of which one is revoked. */
async function setUp() {
  const workspace = await createTestWorkspace();
  const admin = await addTestMember(workspace, "Olive", "owner");
  const give = async ({ email, caller }: Someone) => {
    for (const n of [1, 2])
      await upsertPerson.execute(admin.caller, { email: `${n}-${newId()}@acme.com`, owner: email });
    await upsertCompany.execute(admin.caller, { domain: `${newId()}.com`, owner: email });
    await createTask.execute(admin.caller, { title: "Call", assignee: email });
    const { task } = await createTask.execute(admin.caller, { title: "Write", assignee: email });
    await updateTask.execute(admin.caller, { id: task.id, done: true });
    await mintApiKey.execute({ ...caller, role: "admin" }, { name: "Kept", scopes: ["read"] });
    const { key } = await mintApiKey.execute({ ...caller, role: "admin" }, { name: "Revoked", scopes: ["read"] });
    await revokeApiKey.execute(admin.caller, { id: key.id });
  };
  const owners = async () => (await listOwners.execute(admin.caller, {})).owners;
  const removals = async () => (await listAudit.execute(admin.caller, { action: ["member.removed"] })).entries;
  return { workspace, admin, give, owners, removals };
}
const OWNED = { people: 2, companies: 1, tasks: 1, api_keys: 1 };

describe("what a member owns", () => {
  test("is shown before they are removed, answered and noted then, and listed until it is handed over", async () => {
    const { workspace, admin, give, owners, removals } = await setUp();
    const grace = await addTestMember(workspace, "Grace");
    await give(grace);
    const { email, name } = grace;
    expect(await owners()).toEqual([{ email, name, standing: "member", ...OWNED }]);
    expect((await previewRemoval.execute(admin.caller, { id: grace.memberId })).owned).toEqual(OWNED);
    const { owned } = await removeMember.execute(admin.caller, { id: grace.memberId });
    expect(owned).toEqual(OWNED);
    expect(await removals()).toMatchObject([{ subject: grace.memberId, detail: { email, owned: OWNED } }]);
    expect(await owners()).toEqual([{ email, name, standing: "left", ...OWNED, tasks: 0 }]);
  });

  test("is noted and listed when the directory deactivates them", async () => {
    const { workspace, give, owners, removals } = await setUp();
    const by = (await addTestMember(workspace, "Otto", "owner")).caller;
    const userName = `${newId()}@ours.example`;
    const sent = { schemas: [], userName, active: true } as never;
    const inDb = <T>(work: (ctx: Caller & { db: never }) => Promise<T>) =>
      withWorkspace(workspace.id, (db) => work({ ...by, db: db as never }));
    const { id, userId } = await inDb((ctx) => addUser(ctx, sent));
    await give({ email: userName, caller: { ...by, actor: { type: "user", id: userId } } });
    await inDb((ctx) => replaceUser(ctx, id, () => ({ schemas: [], userName, active: false }) as never));
    expect(await removals()).toMatchObject([{ detail: { email: userName, owned: OWNED } }]);
    expect(await owners()).toMatchObject([{ email: userName, standing: "left", ...OWNED, tasks: 0 }]);
  });

  test("is listed when the operator disables them, with their open tasks", async () => {
    const { workspace, give, owners } = await setUp();
    const grace = await addTestMember(workspace, "Grace");
    await give(grace);
    await disableUser(grace.email, "root");
    expect(await owners()).toMatchObject([{ email: grace.email, standing: "disabled", ...OWNED }]);
  });

  test("is listed by address of owners whose account is not known here", async () => {
    const { admin, owners } = await setUp();
    const { person } = await upsertPerson.execute(admin.caller, { email: "anna@acme.com", owner: admin.email });
    expect(person.owner).toBe(admin.email);
    const other = "gone@ours.example";
    await inspect("UPDATE people SET owner = $2 WHERE id = $1", [person.id, other]);
    expect(await owners()).toEqual([
      { email: other, name: null, standing: "left", people: 1, companies: 0, tasks: 0, api_keys: 0 },
    ]);
  });
});
