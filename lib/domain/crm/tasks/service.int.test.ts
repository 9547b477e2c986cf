import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Statement } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import type { Db } from "#lib/db/handle.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { upsertCompany, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { listChanges } from "#lib/domain/knowledge/changes/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { type Announcement, subscribe } from "#lib/live/announce.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Task } from "./contract.ts";
import { listTaskRows, where } from "./queries.ts";
import { createTask, deleteTask, getTask, listTasks, updateTask } from "./service.ts";

type Input = Record<string, unknown>;

async function setUp() {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada", "owner");
  const grace = await addTestMember(workspace, "Grace");
  const anna = (await upsertPerson.execute(ada.caller, { email: "anna@acme.com", first_name: "Anna" })).person.id;
  const add = async (input: Input, caller = ada.caller): Promise<Task> =>
    (await createTask.execute(caller, { title: "Call", ...input })).task;
  const change = async (id: string, input: Input, caller = ada.caller): Promise<Task> =>
    (await updateTask.execute(caller, { id, ...input })).task;
  const list = async (input: Input = {}, caller = ada.caller): Promise<Task[]> =>
    (await listTasks.execute(caller, input)).tasks;
  const get = async (id: string): Promise<Task> => (await getTask.execute(ada.caller, { id })).task;
  return { workspace, ada, grace, anna, add, change, list, get };
}

const titles = (tasks: readonly Task[]) => tasks.map(({ title }) => title);

describe("a task", () => {
  test("has a day or a moment, a person and a member", async () => {
    const { add, get, ada, grace, anna } = await setUp();
    const task = await add({ title: " Send the offer ", due: "2026-06-05", focus: "Anna@Acme.com", assignee: "me" });
    expect(task).toMatchObject({
      title: "Send the offer",
      due: "2026-06-05",
      entity_id: anna,
      entity_name: "Anna",
      entity_type: "person",
      assignee: { email: ada.email, name: "Ada" },
      done: false,
      created_by: `user:${ada.userId}`,
    });
    expect(await get(task.id)).toEqual(task);
    const moment = await add({ due: "2026-06-05T11:30:00+02:00", assignee: grace.email.toUpperCase() });
    expect([moment.due, moment.assignee?.name, moment.entity_id]).toEqual(["2026-06-05T09:30:00.000Z", "Grace", null]);
    expect((await add({ assignee: grace.memberId })).assignee?.email).toBe(grace.email);
  });

  test("names a person without a name or an address by their profile", async () => {
    const { add, ada } = await setUp();
    const profile = "https://www.linkedin.com/in/anna";
    const { person } = await upsertPerson.execute(ada.caller, { linkedin_url: profile });
    expect((await add({ focus: person.id })).entity_name).toBe(person.linkedin_url);
  });

  test.each([
    [{ title: " " }, "title_required"],
    [{ due: "soon" }, "invalid_parameter"],
    [{ due: "2026-02-30" }, "invalid_parameter"],
    [{ focus: "workspace" }, "invalid_focus"],
    [{ focus: "Anna" }, "invalid_focus"],
    [{ focus: "unknown@acme.com" }, "entity_not_found"],
    [{ focus: newId() }, "entity_not_found"],
    [{ assignee: "stranger@ours.example" }, "invalid_parameter"],
    [{ priority: 1 }, "unknown_parameter"],
  ])("%j is refused with %s, and nothing is written", async (input, code) => {
    const { add, change, list } = await setUp();
    await expect(add(input)).rejects.toMatchObject({ code });
    expect(await list()).toEqual([]);
    const { id } = await add({ title: "Stays" });
    await expect(change(id, input)).rejects.toMatchObject({ code });
    expect(titles(await list())).toEqual(["Stays"]);
  });

  test("that is not there, or another workspace's, is not found", async () => {
    const [{ add }, other] = [await setUp(), await setUp()];
    const { id } = await add({});
    for (const missing of [id, newId()]) {
      await expect(other.get(missing)).rejects.toMatchObject({ code: "task_not_found" });
      await expect(other.change(missing, { done: true })).rejects.toMatchObject({ code: "task_not_found" });
      await expect(deleteTask.execute(other.ada.caller, { id: missing })).rejects.toMatchObject({
        code: "task_not_found",
      });
    }
  });

  test("means by `me` the member who made the key, and no one without one", async () => {
    const { workspace, ada, add, list } = await setUp();
    const key = newId();
    await workspace.key();
    await inspect("UPDATE api_keys SET id = $2, created_by = $3 WHERE workspace_id = $1", [
      workspace.id,
      key,
      `user:${ada.userId}`,
    ]);
    const asKey = { ...workspace.caller, actor: { type: "api_key" as const, id: key } };
    expect((await add({ assignee: "me" }, asKey)).assignee?.email).toBe(ada.email);
    expect(await list({ assignee: "me" }, asKey)).toHaveLength(1);
    await expect(add({ assignee: "me" }, workspace.caller)).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("keeps what is not given, and null clears", async () => {
    const { add, change, anna } = await setUp();
    const task = await add({ due: "2026-06-05", focus: anna, assignee: "me" });
    const renamed = await change(task.id, { title: "Write" });
    expect(renamed).toEqual({ ...task, title: "Write", updated_at: renamed.updated_at });
    expect(await change(task.id, { due: null, focus: null, assignee: null })).toMatchObject({
      title: "Write",
      due: null,
      entity_id: null,
      entity_name: null,
      assignee: null,
    });
  });

  test("that two mark as done at once is done by one of them, and stays so", async () => {
    const { add, change, ada, grace } = await setUp();
    const { id } = await add({});
    const both = await Promise.all([ada, grace].map(({ caller }) => change(id, { done: true }, caller)));
    const [first, second] = both as [Task, Task];
    expect([first.done, first.done_by, first.done_at]).toEqual([true, second.done_by, second.done_at]);
    expect(await change(id, { done: true })).toEqual(first);
    const again = await change(id, { done: false });
    expect([again.done, again.done_at, again.done_by]).toEqual([false, null, null]);
  });

  test("is gone when it was deleted, and can be added again as it was", async () => {
    const { add, list, ada, anna } = await setUp();
    const { id } = await add({ title: "Gone", due: "2026-06-05", focus: anna, assignee: "me" });
    const { task } = await deleteTask.execute(ada.caller, { id });
    expect(await list()).toEqual([]);
    const { title, due, entity_id: focus, assignee } = task;
    const again = await add({ title, due, focus, assignee: assignee?.email });
    expect({ ...again, id, created_at: task.created_at, updated_at: task.updated_at }).toEqual(task);
    const [audit] = await inspect("SELECT action, detail FROM audit_log WHERE subject = $1", [id]);
    expect(audit).toEqual({ action: "task.deleted", detail: { entity_id: anna } });
  });
});

describe("the list", () => {
  test("is what is to do by due date, with what has none last; or what is done", async () => {
    const { add, list } = await setUp();
    await add({ title: "whenever" });
    await add({ title: "later", due: "2026-07-01" });
    await add({ title: "noon", due: "2026-06-05T12:00:00Z" });
    await add({ title: "day", due: "2026-06-05" });
    await add({ title: "done", due: "2026-01-01", done: true });
    expect(titles(await list())).toEqual(["day", "noon", "later", "whenever"]);
    expect(titles(await list({ sort: "created_desc" }))).toEqual(["day", "noon", "later", "whenever"]);
    expect(titles(await list({ done: true }))).toEqual(["done"]);
    expect(titles(await list({ due_before: "2026-06-06" }))).toEqual(["day", "noon"]);
    expect(titles(await list({ due_after: "2026-06-05T01:00:00Z" }))).toEqual(["noon", "later"]);
  });

  test("is that of a member, of no one, or about a record", async () => {
    const { add, list, grace, anna } = await setUp();
    await add({ title: "mine", assignee: "me" });
    await add({ title: "hers", assignee: grace.email, focus: anna });
    await add({ title: "nobody's", focus: anna });
    expect(titles(await list({ assignee: "me" }))).toEqual(["mine"]);
    expect(titles(await list({ assignee: "me" }, grace.caller))).toEqual(["hers"]);
    expect(titles(await list({ assignee: "none" }))).toEqual(["nobody's"]);
    expect(titles(await list({ focus: "anna@acme.com" }))).toEqual(["hers", "nobody's"]);
    expect(titles(await list({ focus: anna, assignee: "me" }, grace.caller))).toEqual(["hers"]);
    await expect(list({ focus: "workspace" })).rejects.toMatchObject({ code: "invalid_focus" });
    await expect(list({ assignee: "stranger@ours.example" })).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("is the same in pages of any size, while tasks are added behind the cursor", async () => {
    const { add, ada, list } = await setUp();
    const dues = [undefined, "2026-06-05", "2026-06-05T00:00:00Z", "2026-06-06", "2026-06-05T12:00:00Z"];
    await Promise.all(
      Array.from({ length: 24 }, (_, i) => add({ title: `T${i}`, due: dues[i % dues.length], done: i % 6 === 0 })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom("due_asc", "created_desc"),
        fc.boolean(),
        async (limit, sort, done) => {
          const whole = await list({ sort, done });
          const paged: Task[] = [];
          for (let cursor: string | null | undefined; cursor !== null; ) {
            const page = await listTasks.execute(ada.caller, { sort, done, limit, ...(cursor ? { cursor } : {}) });
            expect(page.has_more).toBe(page.next_cursor !== null);
            paged.push(...page.tasks);
            cursor = page.next_cursor;
          }
          expect(paged).toEqual(whole);
        },
      ),
      { numRuns: 25 },
    );
    const first = await listTasks.execute(ada.caller, { limit: 3 });
    await expect(
      listTasks.execute(ada.caller, { sort: "created_desc", cursor: first.next_cursor }),
    ).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("is never sorted to show a page", async () => {
    const { workspace } = await setUp();
    const due = { column: "due_at", type: "timestamptz", nullable: true, descending: false, nullsLast: true } as const;
    const created = { column: "created_at", type: "timestamptz", nullable: false, descending: true } as const;
    const day = new Date("2026-06-05");
    const lists = [
      { conditions: [where.done(false)], sort: due },
      { conditions: [where.done(true), where.dueBefore(day)], sort: due },
      { conditions: [where.done(false), where.assignee(newId())], sort: due },
      { conditions: [where.done(false), where.entity(newId()), where.dueFrom(day)], sort: due },
      { conditions: [where.done(false)], sort: created },
    ];
    await withWorkspace(workspace.id, async (db) => {
      await db.query({ name: "", text: "SET LOCAL enable_sort = off" });
      for (const list of lists)
        for (const after of [null, { value: day.toISOString(), id: newId() }]) {
          const plans: string[] = [];
          const explaining = {
            async query({ text }: Statement, values: readonly unknown[]) {
              plans.push(JSON.stringify(await db.query({ name: "", text: `EXPLAIN (FORMAT JSON) ${text}` }, values)));
              return [];
            },
          } as unknown as Db;
          await listTaskRows(explaining, { ...list, limit: 50, offset: 0, after });
          expect(plans.join()).not.toContain('"Sort"');
        }
    });
  });
});

describe("tasks follow", () => {
  test("a record into the one it is merged into, and back", async () => {
    const { add, list, get, ada, anna } = await setUp();
    const { person } = await upsertPerson.execute(ada.caller, { email: "anna@home.example", first_name: "Ann" });
    await add({ title: "kept", focus: anna });
    await add({ title: "moved", focus: person.id });
    const { merge_id } = await mergeAccounts.execute(ada.caller, { keep: anna, drop: person.id });
    const during = await add({ title: "during", focus: person.id });
    expect(during.entity_id).toBe(anna);
    expect(titles(await list({ focus: anna }))).toEqual(["kept", "moved", "during"]);
    await unmergeAccounts.execute(ada.caller, { merge_id });
    expect(titles(await list({ focus: anna }))).toEqual(["kept", "during"]);
    expect(titles(await list({ focus: person.id }))).toEqual(["moved"]);
    expect((await get(during.id)).entity_name).toBe("Anna");
  });

  test("a merge that comes at the same time", async () => {
    const { add, list, ada, anna } = await setUp();
    const { person } = await upsertPerson.execute(ada.caller, { email: "anna@home.example" });
    await Promise.all([
      ...Array.from({ length: 4 }, () => add({ focus: "anna@home.example" })),
      mergeAccounts.execute(ada.caller, { keep: anna, drop: person.id }),
    ]);
    expect((await list({ focus: anna })).map(({ entity_id }) => entity_id)).toEqual(Array(4).fill(anna));
  });

  test("a person who is erased, and no other title names them", async () => {
    const { add, list, get, ada, anna } = await setUp();
    const acme = (await upsertCompany.execute(ada.caller, { domain: "acme.com", name: "Acme" })).company.id;
    const theirs = await add({ title: "Call Anna", focus: anna });
    const other = await add({ title: "Ask ANNA@acme.com about it", focus: acme, due: "2026-06-05" });
    const untouched = await add({ title: "Ask joanna@acme.com", focus: acme });
    await erasePerson.execute(ada.caller, { focus: anna });
    await expect(get(theirs.id)).rejects.toMatchObject({ code: "task_not_found" });
    expect(await get(other.id)).toEqual({ ...other, title: "(title erased)" });
    expect((await list()).map(({ id }) => id)).toEqual([other.id, untouched.id]);
    expect((await get(untouched.id)).title).toBe("Ask joanna@acme.com");
  });

  test("no one when their member leaves, and what is done stays", async () => {
    const { add, get, list, ada, grace } = await setUp();
    const open = await add({ assignee: grace.email });
    const done = await add({ done: true }, grace.caller);
    await removeMember.execute(ada.caller, { id: grace.memberId });
    expect((await list({ assignee: "none" })).map(({ id }) => id)).toEqual([open.id]);
    expect((await get(done.id)).done_by).toBe(`user:${grace.userId}`);
    await expect(add({ assignee: grace.email })).rejects.toMatchObject({ code: "invalid_parameter" });
  });
});

test("who reads the changes, and open pages, are told of each change and of nothing else", async () => {
  const { workspace, add, change, ada, anna } = await setUp();
  await settled(workspace.id);
  const { next_cursor } = await listChanges.execute(ada.caller, { cursor: "now" });
  const heard: Announcement[] = [];
  const stop = subscribe(workspace.id, (told) => told && heard.push(told));
  const { id } = await add({ focus: anna });
  await change(id, { done: true });
  await change(id, { done: true });
  const loose = await add({});
  await deleteTask.execute(ada.caller, { id });
  stop();
  expect(heard.filter(({ topic }) => topic === "tasks")).toHaveLength(4);
  await settled(workspace.id);
  const { changes } = await listChanges.execute(ada.caller, { cursor: next_cursor, types: ["task"] });
  expect(changes.map(({ id: task, entity_id, entity_name, actor }) => [task, entity_id, entity_name, actor])).toEqual([
    [id, anna, "Anna", `user:${ada.userId}`],
    [id, anna, "Anna", `user:${ada.userId}`],
    [loose.id, workspace.id, "Test", `user:${ada.userId}`],
    [id, anna, "Anna", `user:${ada.userId}`],
  ]);
});
