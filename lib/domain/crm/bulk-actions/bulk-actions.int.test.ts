/** The same change of all that a list's filters mean, from beginning to undo. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { changeLead, createLeadList, deleteLeadList, listLeadLists, listLeads } from "#lib/domain/crm/leads/service.ts";
import { listCompanies, listPeople, patchPerson, upsertPeople } from "#lib/domain/crm/people/service.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { BulkAction } from "./contract.ts";
import { cancelBulkAction, createBulkAction, getBulkAction, listBulkActions, undoBulkAction } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

const seen = async (caller: Caller, id: string): Promise<BulkAction> =>
  (await getBulkAction.execute(caller, { id })).bulk_action;

async function settled(caller: Caller, id: string, state: BulkAction["state"]): Promise<BulkAction> {
  let found: BulkAction | undefined;
  await expect
    .poll(
      async () => {
        found = await seen(caller, id);
        return found.state;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(state);
  return found as BulkAction;
}

const begun = async (caller: Caller, input: object): Promise<BulkAction> =>
  (await createBulkAction.execute(caller, { what: "people", filters: {}, ...input })).bulk_action;
const ran = async (caller: Caller, input: object): Promise<BulkAction> =>
  settled(caller, (await begun(caller, input)).id, "done");
const undone = async (caller: Caller, { id }: BulkAction): Promise<BulkAction> => {
  await undoBulkAction.execute(caller, { id });
  return settled(caller, id, "undone");
};

/** A workspace with so many people, and their ids by their numbers. */
async function withPeople(count: number, of: (n: number) => object = () => ({})) {
  const workspace = await createTestWorkspace({ listening: true });
  const ids: string[] = [];
  for (let first = 0; first < count; first += 500) {
    const people = Array.from({ length: Math.min(500, count - first) }, (_, n) => ({
      email: `p${first + n}@acme.com`,
      ...of(first + n),
    }));
    const { results } = await upsertPeople.execute(workspace.caller, { people });
    ids.push(...results.map(({ entity_id }) => entity_id as string));
  }
  return { ...workspace, ids };
}

type ListedPerson = { id: string; email: string | null; pipeline_stage: string; owner: string | null };
async function listed({ caller }: Pick<TestWorkspace, "caller">, filters: object = {}): Promise<ListedPerson[]> {
  const all: ListedPerson[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = (await listPeople.execute(caller, { ...filters, limit: 1000, ...(cursor ? { cursor } : {}) })) as {
      people: ListedPerson[];
      next_cursor: string | null;
    };
    all.push(...page.people);
    cursor = page.next_cursor;
    if (cursor === null) return all;
  }
}
const stagesOf = async (workspace: Pick<TestWorkspace, "caller">, filters: object = {}) =>
  new Map((await listed(workspace, filters)).map(({ id, pipeline_stage }) => [id, pipeline_stage]));

describe("an owner for all that match", () => {
  const given = async (workspace: TestWorkspace, name: string) => (await addTestMember(workspace, name)).email;
  const ownersOf = async (workspace: TestWorkspace) => (await listed(workspace)).map(({ owner }) => owner);

  test("is given to each, also to companies, and taken back where no one said otherwise since", async () => {
    const workspace = await withPeople(5, () => ({ company: "Acme" }));
    const { caller, ids } = workspace;
    const [ann, bob] = [await given(workspace, "Ann"), await given(workspace, "Bob")];
    await patchPerson.execute(caller, { focus: ids[1], owner: ann });
    await patchPerson.execute(caller, { focus: ids[2], owner: bob });
    const done = await ran(caller, { action: "set_owner", owner: "Bob" });
    expect(done).toMatchObject({ owner: bob, changed: 4, unchanged: 1 });
    expect(new Set(await ownersOf(workspace))).toEqual(new Set([bob]));
    await patchPerson.execute(caller, { focus: ids[0], owner: ann });
    expect((await undone(caller, done)).undo).toEqual({ done: 4, restored: 3, kept: 1 });
    const after = new Map((await listed(workspace)).map(({ id, owner }) => [id, owner]));
    expect(ids.map((id) => after.get(id))).toEqual([ann, ann, bob, null, null]);
    const none = await ran(caller, { filters: { owner: ann }, action: "set_owner", owner: "none" });
    expect(none).toMatchObject({ owner: "none", changed: 2 });
    expect((await ownersOf(workspace)).filter((owner) => owner !== null)).toEqual([bob]);
    const companies = await ran(caller, { what: "companies", filters: {}, action: "set_owner", owner: ann });
    expect(companies).toMatchObject({ changed: companies.total });
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  });

  test("of a member who has left is found and given on", async () => {
    const workspace = await withPeople(2);
    const { caller } = workspace;
    const leaver = await addTestMember(workspace, "Leaver");
    const stays = await given(workspace, "Stays");
    await ran(caller, { action: "set_owner", owner: leaver.email });
    await removeMember.execute(leaver.caller, { id: leaver.memberId });
    await expect(begun(caller, { action: "set_owner", owner: leaver.email })).rejects.toMatchObject({
      code: "invalid_parameter",
      extras: { parameter: "owner" },
    });
    const done = await ran(caller, { filters: { owner: leaver.email }, action: "set_owner", owner: stays });
    expect(done.changed).toBe(2);
    expect(await ownersOf(workspace)).toEqual([stays, stays]);
  });
});

describe("a stage for all that match", () => {
  test("is set once for each, those who have it aside, and no one else is touched", async () => {
    const workspace = await withPeople(520, (n) => ({
      ...(n < 470 ? { region: "DACH" } : {}),
      ...(n < 20 ? { pipeline_stage: "evaluating" } : {}),
    }));
    const other = await withPeople(3, () => ({ region: "DACH" }));
    const { caller, ids } = workspace;
    const filters = { properties: { region: ["DACH"] } };
    const done = await ran(caller, { filters, action: "set_stage", pipeline_stage: "evaluating" });
    expect(done).toMatchObject({ total: 470, done: 470, changed: 450, unchanged: 20, skipped: 0, filters, undo: null });
    const stages = await stagesOf(workspace);
    expect(ids.map((id) => stages.get(id))).toEqual(ids.map((_, n) => (n < 470 ? "evaluating" : "identified")));
    expect([...(await stagesOf(other)).values()]).toEqual(["identified", "identified", "identified"]);
    const [counted] = await inspect<{ evidence: number; events: number }>(
      `SELECT (SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND property = 'pipeline_stage' AND actor = $2) AS evidence,
         (SELECT count(*)::int FROM outbox WHERE workspace_id = $1 AND type = 'stage.advanced') AS events`,
      [workspace.id, `api_key:${caller.actor.id}`],
    );
    expect(counted).toEqual({ evidence: 470, events: 450 });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("changes those who matched at its beginning, also when that changes what matches", async () => {
    const workspace = await withPeople(430);
    const done = await ran(workspace.caller, {
      filters: { pipeline_stage: "identified" },
      action: "set_stage",
      pipeline_stage: "aware",
    });
    expect(done).toMatchObject({ total: 430, changed: 430 });
    expect(await listed(workspace, { pipeline_stage: "identified" })).toEqual([]);
  });

  test("is undone to what it was, except where something was said since", async () => {
    const workspace = await withPeople(6, (n) => (n === 1 ? { pipeline_stage: "client" } : {}));
    const { caller, ids } = workspace;
    const before = await stagesOf(workspace);
    const done = await ran(caller, { action: "set_stage", pipeline_stage: "aware" });
    await patchPerson.execute(caller, { focus: ids[2], pipeline_stage: "interested" });
    await capture.execute(caller, { email: "p3@acme.com", type: "meeting_held", external_id: "m1" });
    // Said again by a person: no one's to take back.
    await patchPerson.execute(
      { ...caller, actor: { type: "user", id: newId() } },
      { focus: ids[4], pipeline_stage: "aware" },
    );
    await patchPerson.execute(caller, { focus: ids[5], job_title: "CTO" });
    const back = await undone(caller, done);
    expect(back.undo).toEqual({ done: 6, restored: 3, kept: 3 });
    const stages = await stagesOf(workspace);
    expect(ids.map((id) => stages.get(id))).toEqual([
      before.get(ids[0] as string),
      "client",
      "interested",
      "evaluating",
      "aware",
      "identified",
    ]);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    await expect(undoBulkAction.execute(caller, { id: done.id })).rejects.toMatchObject({
      code: "bulk_action_not_possible",
    });
  });

  test("leaves out people merged or erased meanwhile, and forgets their names", async () => {
    const workspace = await withPeople(4);
    const { caller, ids } = workspace;
    const done = await ran(caller, { filters: { search: "p1@acme" }, action: "set_stage", pipeline_stage: "aware" });
    const all = await ran(caller, { action: "set_stage", pipeline_stage: "client" });
    await mergeAccounts.execute(caller, { keep: ids[0], drop: ids[2] });
    await erasePerson.execute(caller, { focus: ids[1] });
    expect((await seen(caller, done.id)).filters).toEqual({ search: "p1@acme" });
    const kept = await inspect<{ text: string }>(
      "SELECT entity_ids::text || changes::text AS text FROM bulk_action_batches WHERE workspace_id = $1",
      [workspace.id],
    );
    for (const { text } of kept) expect(text).not.toContain(ids[1]);
    await undone(caller, all);
    expect((await stagesOf(workspace)).get(ids[3] as string)).toBe("identified");
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    const named = await ran(caller, {
      filters: { email: "p3@acme.com" },
      action: "set_stage",
      pipeline_stage: "aware",
    });
    await erasePerson.execute(caller, { focus: ids[3] });
    expect((await seen(caller, named.id)).filters).toEqual({});
  });
});

describe("archiving", () => {
  test("takes all that match out of the list, and undo brings back those it archived", async () => {
    const workspace = await withPeople(5);
    const { caller, ids } = workspace;
    const [first, second, third] = ids as [string, string, string];
    await patchPerson.execute(caller, { focus: first, status: "archived" });
    const done = await ran(caller, { action: "archive" });
    expect(done).toMatchObject({ total: 4, changed: 4 });
    expect(await listed(workspace)).toEqual([]);
    // Brought back and archived again by someone: theirs.
    await patchPerson.execute(caller, { focus: second, status: "active" });
    await patchPerson.execute(caller, { focus: second, status: "archived" });
    // Brought back by someone: there is nothing to undo.
    await patchPerson.execute(caller, { focus: third, status: "active" });
    await capture.execute(caller, { email: "p3@acme.com", type: "email_received", external_id: "e1" });
    expect((await undone(caller, done)).undo).toEqual({ done: 4, restored: 2, kept: 2 });
    expect(new Set((await listed(workspace)).map(({ id }) => id))).toEqual(new Set(ids.slice(2)));
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("works for companies, and restores with the filter for archived ones", async () => {
    const workspace = await withPeople(2);
    const { caller } = workspace;
    const companies = async () =>
      ((await listCompanies.execute(caller, {})) as { companies: object[] }).companies.length;
    expect(await ran(caller, { what: "companies", action: "archive" })).toMatchObject({ total: 1, changed: 1 });
    expect(await companies()).toBe(0);
    const filters = { status: "archived" };
    expect(await ran(caller, { what: "companies", filters, action: "restore" })).toMatchObject({ changed: 1 });
    expect(await companies()).toBe(1);
  });
});

describe("adding to a list", () => {
  test("adds everyone once, and undo takes out those without activity since", async () => {
    const workspace = await withPeople(3);
    const { caller, ids } = workspace;
    const { lead_list } = await createLeadList.execute(caller, { name: "CFOs" });
    const done = await ran(caller, { action: "add_to_list", list_id: lead_list.id });
    expect(done).toMatchObject({ total: 3, changed: 3 });
    const again = await ran(caller, { action: "add_to_list", list_id: lead_list.id });
    expect(again).toMatchObject({ changed: 0, unchanged: 3 });
    const leads = async () => (await listLeads.execute(caller, { list_id: lead_list.id })).leads;
    const [lead] = await leads();
    await changeLead.execute(caller, { id: lead?.id, status: "sent" });
    expect((await undone(caller, again)).undo).toEqual({ done: 0, restored: 0, kept: 0 });
    expect((await undone(caller, done)).undo).toEqual({ done: 3, restored: 2, kept: 1 });
    expect((await leads()).map(({ id }) => id)).toEqual([lead?.id]);
    const gone = await begun(caller, { action: "add_to_list", list_id: lead_list.id });
    await deleteLeadList.execute(caller, { id: lead_list.id });
    const { state } = await settled(caller, gone.id, "done");
    expect(state).toBe("done");
    expect((await getAccount.execute(caller, { focus: ids[0] as string })) as object).toBeTruthy();
  });

  test("by a name that no list has makes one, also for two at once; its name in other capitals and its id mean it", async () => {
    const { caller } = await withPeople(2);
    const named = (list: string) => begun(caller, { action: "add_to_list", list });
    const both = await Promise.all([named("CFOs in Europe"), named("CFOs in Europe")]);
    const [list] = [...new Set(both.map(({ list_id }) => list_id))];
    expect(new Set(both.map(({ list_id }) => list_id)).size).toBe(1);
    for (const other of ["cfos in europe", list as string])
      expect(await named(other), other).toMatchObject({ list_id: list });
    expect((await listLeadLists.execute(caller, {})).lead_lists).toHaveLength(1);
    await expect(named(newId())).rejects.toMatchObject({ code: "lead_list_not_found" });
  });

  test("needs the plan, and a list of this workspace", async () => {
    const { caller } = await withPeople(1);
    const foreign = await withPeople(1);
    const { lead_list } = await createLeadList.execute(foreign.caller, { name: "CFOs" });
    const input = { what: "people", filters: {}, action: "add_to_list", list_id: lead_list.id };
    await expect(createBulkAction.execute(caller, input)).rejects.toMatchObject({ code: "lead_list_not_found" });
    await expect(createBulkAction.execute({ ...caller, plan: "free" }, input)).rejects.toMatchObject({
      code: "feature_not_in_plan",
    });
  });
});

describe("what is asked for", () => {
  test.each([
    [{ action: "set_stage" }, "pipeline_stage"],
    [{ action: "set_owner" }, "owner"],
    [{ action: "archive", owner: "none" }, "owner"],
    [{ action: "set_owner", owner: "someone" }, "owner"],
    [{ action: "archive", pipeline_stage: "aware" }, "pipeline_stage"],
    [{ action: "archive", list_id: newId() }, "list_id"],
    [{ action: "add_to_list" }, "list_id"],
    [{ action: "add_to_list", list: "A", list_id: newId() }, "list"],
    [{ action: "archive", list: "A" }, "list"],
    [{ what: "companies", action: "set_stage", pipeline_stage: "aware" }, "action"],
    [{ action: "archive", filters: { pipeline_stag: "aware" } }, "filters.pipeline_stag"],
    [{ action: "archive", filters: { pipeline_stage: "x" } }, "filters.pipeline_stage"],
    [{ action: "archive", filters: { limit: 5 } }, "filters.limit"],
    [{ what: "people", filters: { company: { industry: "gte:5" } }, action: "archive" }, "filters.company.industry"],
    [
      { what: "people", filters: { property: { created_at: "soon" } }, action: "archive" },
      "filters.property.created_at",
    ],
    [{ what: "companies", filters: { owner: "nobody" }, action: "archive" }, "filters.owner"],
  ])("%j is refused because of %s, and nothing begins", async (input, parameter) => {
    const { caller } = await withPeople(1);
    await expect(begun(caller, input)).rejects.toMatchObject({
      code: expect.stringMatching(/parameter/),
      extras: { parameter },
    });
    expect((await listBulkActions.execute(caller, {})).bulk_actions).toEqual([]);
  });

  test("is seen by its own workspace only", async () => {
    const { caller } = await withPeople(1);
    const stranger = await createTestWorkspace();
    const { id } = await ran(caller, { action: "archive" });
    for (const operation of [getBulkAction, cancelBulkAction, undoBulkAction])
      await expect(operation.execute(stranger.caller, { id })).rejects.toMatchObject({ code: "bulk_action_not_found" });
    expect((await listBulkActions.execute(stranger.caller, {})).bulk_actions).toEqual([]);
    expect((await listBulkActions.execute(caller, {})).bulk_actions).toMatchObject([{ id, state: "done" }]);
  });

  test("can be stopped, stays as far as it is, and is undone from there", async () => {
    const workspace = await withPeople(1_500);
    const { caller } = workspace;
    const { id } = await begun(caller, { action: "set_stage", pipeline_stage: "client" });
    await expect.poll(async () => (await seen(caller, id)).done, { interval: 5, timeout: 30_000 }).toBeGreaterThan(0);
    const stopped = (await cancelBulkAction.execute(caller, { id })).bulk_action;
    expect(stopped.state).toBe("cancelled");
    expect(stopped.done).toBeLessThan(1_500);
    expect((await listed(workspace, { pipeline_stage: "client" })).length).toBe(stopped.changed);
    const back = await undone(caller, stopped);
    expect(back.undo).toMatchObject({ restored: stopped.changed, kept: 0 });
    expect((await listed(workspace, { pipeline_stage: "client" })).length).toBe(0);
  });
});
