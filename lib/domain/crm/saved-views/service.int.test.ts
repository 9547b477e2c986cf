import { expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { withoutWorkspace, withWorkspace } from "#lib/db/transaction.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { changeView, deleteView, listViews, saveView } from "./service.ts";

/** A signed-in member of the workspace. */
async function memberOf({ id, caller }: TestWorkspace): Promise<Caller & { memberId: string }> {
  const [userId, memberId] = [newId(), newId()];
  await withoutWorkspace((db) => db.prisma.user.create({ data: { id: userId, email: `${userId}@people.example` } }));
  await withWorkspace(id, (db) =>
    db.prisma.member.create({ data: { workspaceId: id, id: memberId, userId, role: "member" } }),
  );
  return { ...caller, actor: { type: "user", id: userId }, role: "member", memberId };
}

const namesFor = async (caller: Caller, list = "people") =>
  (await listViews.execute(caller, { list })).views.map(({ name }) => name);

const view = (name: string, more: object = {}) => ({ list: "people", name, place: "pipeline_stage=client", ...more });

test("a member's own views are visible only to them, shared ones to all, separately for each list", async () => {
  const workspace = await createTestWorkspace();
  const [anna, ben] = await Promise.all([memberOf(workspace), memberOf(workspace)]);
  await saveView.execute(anna, view("b mine"));
  await saveView.execute(anna, view("A shared", { shared: true }));
  await saveView.execute(anna, { list: "companies", name: "Firms", place: "sort=created_desc", shared: true });
  expect(await namesFor(anna)).toEqual(["A shared", "b mine"]);
  expect(await namesFor(ben)).toEqual(["A shared"]);
  expect(await namesFor(ben, "companies")).toEqual(["Firms"]);
  expect(await namesFor((await createTestWorkspace()).caller)).toEqual([]);
});

test("anyone who sees a view can rename, change, share and delete it", async () => {
  const workspace = await createTestWorkspace();
  const [anna, ben] = await Promise.all([memberOf(workspace), memberOf(workspace)]);
  const { view: made } = await saveView.execute(anna, view("Clients"));
  const hidden = changeView.execute(ben, { id: made.id, name: "Mine now" });
  await expect(hidden).rejects.toMatchObject({ code: "view_not_found" });
  await expect(deleteView.execute(ben, { id: made.id })).rejects.toMatchObject({ code: "view_not_found" });
  const changed = await changeView.execute(anna, { id: made.id, name: "Old clients", place: "", shared: true });
  expect(changed.view).toMatchObject({ name: "Old clients", place: "", shared: true, created_at: made.created_at });
  expect(await namesFor(ben)).toEqual(["Old clients"]);
  await changeView.execute(ben, { id: made.id, shared: false });
  expect(await namesFor(anna)).toEqual([]);
  await deleteView.execute(ben, { id: made.id });
  expect(await namesFor(ben)).toEqual([]);
});

test("a name is there once among the shared views and once among one's own", async () => {
  const workspace = await createTestWorkspace();
  const [anna, ben] = await Promise.all([memberOf(workspace), memberOf(workspace)]);
  const taken = { code: "view_name_taken" };
  await saveView.execute(anna, view("Clients"));
  await saveView.execute(ben, view("Clients"));
  const { view: shared } = await saveView.execute(ben, view("Clients", { shared: true }));
  await expect(saveView.execute(anna, view("  CLIENTS "))).rejects.toMatchObject(taken);
  await expect(saveView.execute(anna, view("clients", { shared: true }))).rejects.toMatchObject(taken);
  await expect(changeView.execute(anna, { id: shared.id, shared: false })).rejects.toMatchObject(taken);
  const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => saveView.execute(anna, view("Race"))));
  expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("a place holds the list's own parameters only, and a name something", async () => {
  const { caller } = await createTestWorkspace();
  const stray = saveView.execute(caller, { list: "companies", name: "x", place: "has_email=true", shared: true });
  await expect(stray).rejects.toMatchObject({ code: "invalid_place", extras: { parameter: "place" } });
  await expect(saveView.execute(caller, view(" "))).rejects.toMatchObject({ code: "name_required" });
  expect(await namesFor(caller)).toEqual([]);
});

test("a list keeps a hundred shared views", async () => {
  const { caller } = await createTestWorkspace();
  for (let n = 0; n < 100; n++) await saveView.execute(caller, view(`View ${n}`, { shared: true }));
  const more = saveView.execute(caller, view("One more", { shared: true }));
  await expect(more).rejects.toMatchObject({ code: "too_many_views" });
});

test("who leaves the workspace takes their own views along", async () => {
  const workspace = await createTestWorkspace();
  const anna = await memberOf(workspace);
  await saveView.execute(anna, view("Mine"));
  await saveView.execute(anna, view("Ours", { shared: true }));
  await removeMember.execute(workspace.caller, { id: anna.memberId });
  expect(await namesFor(anna)).toEqual(["Ours"]);
});

test("a pinned view is in the sidebar of those who see it, of every list", async () => {
  const workspace = await createTestWorkspace();
  const [anna, ben] = await Promise.all([memberOf(workspace), memberOf(workspace)]);
  const { view: mine } = await saveView.execute(anna, view("b mine", { pinned: true }));
  await saveView.execute(anna, view("not pinned", { shared: true }));
  const { view: firms } = await saveView.execute(anna, { list: "companies", name: "A firms", place: "", shared: true });
  expect(firms.pinned).toBe(false);
  await changeView.execute(ben, { id: firms.id, pinned: true });
  const pinnedFor = async (caller: Caller) =>
    (await listViews.execute(caller, { pinned: true })).views.map(({ name }) => name);
  expect(await pinnedFor(anna)).toEqual(["A firms", "b mine"]);
  expect(await pinnedFor(ben)).toEqual(["A firms"]);
  expect(await pinnedFor((await createTestWorkspace()).caller)).toEqual([]);
  const { view: changed } = await changeView.execute(anna, { id: mine.id, name: "mine again" });
  expect(changed.pinned).toBe(true);
  await changeView.execute(anna, { id: mine.id, pinned: false });
  expect(await pinnedFor(anna)).toEqual(["A firms"]);
  expect(await namesFor(anna)).toEqual(["mine again", "not pinned"]);
});
