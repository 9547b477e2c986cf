import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { createTask } from "#lib/domain/crm/tasks/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

import { sweepHidden } from "./jobs.ts";
import { hideAttention, listAttention, showAttention } from "./service.ts";

const { call } = useServer();

type Item = { kind: string; entity_id: string; entity_name: string; what: string; age_days: number };

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const observe = async (focus: string, ...observations: object[]) =>
    (await call("/v2/observations", { key, body: { focus, observations } })).body.entity_id as string;
  const attention = async (query = "") => {
    const { status, body } = await call(`/v2/attention${query}`, { key });
    return { status, body, items: body.items as Item[] };
  };
  return { workspace, key, observe, attention };
}

const day = (days: number) => new Date(Math.floor(Date.now() / 60_000) * 60_000 + days * DAY_MS).toISOString();
const state = (property: string, value: unknown, more: object = {}) => ({ kind: "state", property, value, ...more });
const event = (type: string, days: number) => ({
  kind: "event",
  property: `interaction.${type}`,
  value: { description: type },
  observed_at: day(days),
});

describe("tasks", () => {
  test("are shown from the day they are due, to who has them and of no one, and can be left out", async () => {
    const { workspace, observe, attention, key } = await setUp();
    const ada = await addTestMember(workspace, "Ada");
    const grace = await addTestMember(workspace, "Grace");
    const anna = await observe("anna@acme.com", state("first_name", "Anna"));
    const today = day(0).slice(0, 10);
    const add = (title: string, input: object) => createTask.execute(ada.caller, { title, ...input });
    await add("late", { due: day(-3).slice(0, 10), focus: anna, assignee: "me" });
    await add("today", { due: today, focus: anna, assignee: "me" });
    await add("of no one", { due: today });
    await add("of Grace", { due: today, assignee: grace.email });
    await add("tomorrow", { due: day(1).slice(0, 10), assignee: "me" });
    await add("done", { due: today, assignee: "me", done: true });
    const of = async (caller: typeof ada.caller, input: object = {}) =>
      (await listAttention.execute(caller, input)).items
        .filter(({ kind }) => kind === "task_due")
        .map(({ what, entity_name }) => [what.split("“")[1]?.replace("”.", ""), entity_name]);
    const mine = [
      ["late", "Anna"],
      ["today", "Anna"],
      ["of no one", "Test"],
    ];
    expect((await of(ada.caller)).sort()).toEqual(mine.toSorted());
    expect((await of(grace.caller)).map(([title]) => title).sort()).toEqual(["of Grace", "of no one"]);
    expect(await of(ada.caller, { kinds: ["conflict"] })).toEqual([]);
    // No member made this key, so it is told of all.
    const { items, body } = await attention();
    expect(items.filter(({ kind }) => kind === "task_due")).toHaveLength(4);
    expect((body.meta as { by_kind: Record<string, number> }).by_kind.task_due).toBe(4);
    expect((await call("/v2/attention?kinds=task_due,nonsense", { key })).status).toBe(400);
  });
});

describe("attention", () => {
  test("shows meetings to come, conflicts, silence and what decayed, the most urgent first", async () => {
    const { observe, attention } = await setUp();
    const meets = await observe("m@acme.com", state("first_name", "Mia"), event("meeting_scheduled", 2));
    const disputed = await observe(
      "d@acme.com",
      state("first_name", "Dan"),
      state("job_title", "CFO", { method: "asserted", source: "crm" }),
      state("job_title", "CEO", { source: "linkedin" }),
    );
    const silent = await observe(
      "s@acme.com",
      state("first_name", "Sia"),
      state("pipeline_stage", "evaluating"),
      event("call", -20),
    );
    const stale = await observe(
      "o@acme.com",
      state("first_name", "Oli"),
      state("pipeline_stage", "interested"),
      state("job_title", "COO", { observed_at: day(-120) }),
      event("call", -1),
    );
    const { items, body } = await attention();
    expect(items.map(({ kind, entity_id, entity_name, age_days }) => [kind, entity_id, entity_name, age_days])).toEqual(
      [
        ["upcoming_meeting", meets, "Mia", -2],
        ["conflict", disputed, "Dan", 0],
        ["going_dark", silent, "Sia", 20],
        ["decayed_fact", stale, "Oli", 120],
      ],
    );
    expect(body.meta).toMatchObject({
      limit: 20,
      by_kind: { upcoming_meeting: 1, conflict: 1, going_dark: 1, decayed_fact: 1 },
    });
    expect((await attention("?limit=1")).items).toHaveLength(1);
  });

  test("names the companies of a disputed employer, which evidence names by id", async () => {
    const { observe, attention, key } = await setUp();
    const acme = await observe("acme.com", state("name", "Acme"));
    const plain = await observe("plain.io", state("industry", "Fintech"));
    const works = (value: string, more: object) => state("works_at", value, more);
    const anna = await observe(
      "anna@other.dev",
      works(acme, { method: "asserted", source: "call" }),
      works(plain, { source: "linkedin" }),
    );
    const item = (await attention("?kinds=conflict")).items.find(({ entity_id }) => entity_id === anna);
    expect(item).toMatchObject({
      what: "Sources disagree about the employer: “Acme” against “plain.io”.",
      values: [acme, plain],
      names: { [acme]: "Acme", [plain]: "plain.io" },
    });
    const account = (await call(`/v2/accounts/${anna}`, { key })).body as { claims: Record<string, object> };
    expect(account.claims.works_at).toMatchObject({ name: "Acme", conflicts: [{ value: plain, name: "plain.io" }] });
    const history = (await call(`/v2/accounts/${anna}/history?property=works_at`, { key })).body;
    expect((history.values as { name?: string }[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["plain.io", "Acme"]),
    );
  });

  test("leaves out what is quiet, far, called off or of another workspace", async () => {
    const { observe, attention } = await setUp();
    const other = await setUp();
    await other.observe("m@acme.com", event("meeting_scheduled", 2));
    await observe("far@acme.com", event("meeting_scheduled", 9));
    await observe("past@acme.com", event("meeting_scheduled", -1));
    await observe("off@acme.com", event("meeting_scheduled", 3), event("meeting_cancelled", 3));
    await observe("new@acme.com", state("pipeline_stage", "evaluating"), event("call", -5));
    await observe("cold@acme.com", state("pipeline_stage", "identified"), event("call", -30));
    await observe("gone@acme.com", state("pipeline_stage", "evaluating"), event("call", -400));
    expect((await attention()).items).toEqual([]);
    expect((await other.attention()).items).toHaveLength(1);
  });

  test("a meeting called off stays so after a merge; the same slot booked again is an upcoming meeting", async () => {
    const { observe, attention, key } = await setUp();
    const of = (uid: string, type: string) => ({ ...event(type, 3), value: { metadata: { uid } } });
    const keep = await observe("keep@acme.com", state("first_name", "Kim"));
    const drop = await observe("drop@acme.com", of("a", "meeting_scheduled"), of("a", "meeting_cancelled"));
    await call("/v2/accounts/merge", { key, body: { keep, drop } });
    const next = async () =>
      String((await call("/v2/context", { key, body: { focus: keep } })).body.summary).includes(
        "Next: meeting scheduled",
      );
    expect([(await attention()).items, await next()]).toEqual([[], false]);
    await observe("keep@acme.com", of("b", "meeting_scheduled"));
    expect((await attention()).items).toMatchObject([{ kind: "upcoming_meeting", entity_id: keep }]);
    expect(await next()).toBe(true);
  });

  test("refuses an invalid limit", async () => {
    const { attention } = await setUp();
    for (const limit of ["0", "-1", "1.5", "x"])
      expect(await attention(`?limit=${limit}`)).toMatchObject({
        status: 400,
        body: { error: "invalid_parameter", parameter: "limit" },
      });
    expect((await attention("?limit=5000")).body.meta).toMatchObject({ limit: 100 });
    expect(await attention("?since=3d")).toMatchObject({ status: 400, body: { error: "unknown_parameter" } });
  });

  test("what a user hid comes back when its reason changes, or after days, and only they hid it", async () => {
    const { observe, workspace, attention } = await setUp();
    const me = { ...workspace.caller, actor: { type: "user" as const, id: newId() } };
    const id = await observe(
      "s@acme.com",
      state("company", "Acme"),
      state("pipeline_stage", "evaluating"),
      event("call", -20),
    );
    const mine = async () => (await listAttention.execute(me, {})).items;
    const [item] = await mine();
    if (!item) throw new Error("nothing needs attention");
    expect(item).toMatchObject({ kind: "going_dark", entity_id: id, company: "Acme" });
    const given = [{ id: item.id, entity_id: id }];
    expect(await hideAttention.execute(me, { items: [...given, ...given] })).toEqual({ hidden: 1 });
    const colleague = { ...me, actor: { type: "user" as const, id: newId() } };
    expect([
      await mine(),
      (await listAttention.execute(colleague, {})).items.length,
      (await attention()).items.length,
    ]).toEqual([[], 1, 1]);

    expect(await showAttention.execute(me, { ids: [item.id] })).toEqual({ shown: 1 });
    expect(await showAttention.execute(me, { ids: [item.id] })).toEqual({ shown: 0 });
    expect(await mine()).toHaveLength(1);

    await hideAttention.execute(me, { items: given, days: 2 });
    expect(await mine()).toEqual([]);
    await inspect("UPDATE hidden_items SET until = now() - interval '1 minute' WHERE workspace_id = $1", [
      workspace.id,
    ]);
    expect(await mine()).toHaveLength(1);

    await hideAttention.execute(me, { items: given });
    await observe("s@acme.com", event("call", -18));
    expect(await mine()).toMatchObject([{ kind: "going_dark", entity_id: id }]);
    await sweepHidden(workspace.id, new Date(Date.now() + 300 * DAY_MS));
    expect(await inspect("SELECT 1 FROM hidden_items WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("an item of another workspace's record cannot be hidden", async () => {
    const [ours, theirs] = [await setUp(), await setUp()];
    const foreign = await theirs.observe("s@acme.com", event("call", -20));
    await expect(
      hideAttention.execute(ours.workspace.caller, { items: [{ id: "abc", entity_id: foreign }] }),
    ).rejects.toMatchObject({ code: "entity_not_found" });
  });
});
