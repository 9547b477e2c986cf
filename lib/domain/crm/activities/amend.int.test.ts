/** Activities that are corrected, removed and restored: shown everywhere as corrected, and never rewritten. */
import { describe, expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { settled } from "#lib/testing/changes.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

const { call } = useServer();

const ANNA = "anna@acme.com";
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const NOBODY = "0190a6e0-0000-7000-8000-0000000000ff";

type Event = { id: string; summary: string; observed_at: string; corrects?: string; stage_change?: { to: string } };

async function start() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const ask = async (path: string, body?: object) => (await call(path, { key, ...(body ? { body } : {}) })).body;
  const capture = async (type: string, description: string, more: object = {}) =>
    (await ask("/api/v1/capture", { email: ANNA, type, description, ...more })).activity_id as string;
  const correct = (id: string, body: object) => call(`/v2/activities/${id}`, { key, body, method: "PATCH" });
  const remove = (id: string) => call(`/v2/activities/${id}`, { key, method: "DELETE" });
  const restore = (id: string) => call(`/v2/activities/${id}/restore`, { key, body: {} });
  const timeline = async (focus = ANNA) => (await ask(`/v2/accounts/${focus}/timeline`)).events as Event[];
  const person = async () =>
    (await ask(`/v2/people/${ANNA}`)).person as { pipeline_stage: string; last_activity_at: string | null };
  const rebuilt = async () => (await rebuildWorkspace(workspace.caller)).differences;
  return { workspace, key, ask, capture, correct, remove, restore, timeline, person, rebuilt };
}

/** The same text wherever events are read. */
async function seen({ ask, timeline }: Awaited<ReturnType<typeof start>>) {
  const context = JSON.stringify((await ask("/v2/context", { focus: ANNA })).timeline);
  const query = JSON.stringify((await ask("/v2/query", { scope: { kind: "event" }, return: "observations" })).items);
  const account = JSON.stringify((await ask(`/v2/accounts/${ANNA}`)).recent_observations);
  const feed = JSON.stringify((await ask("/v2/activities")).activities ?? (await ask("/v2/activities")));
  const company = JSON.stringify(await timeline("acme.com"));
  return [JSON.stringify(await timeline()), context, query, account, feed, company];
}

describe("a correction", () => {
  test("is shown in place of the activity everywhere, with its source and time", async () => {
    const all = await start();
    const { ask, capture, correct, timeline, person, rebuilt } = all;
    const id = await capture("call", "Call with the teem", { source: "phone", occurred_at: ago(3) });
    const later = ago(1);
    const { status, body } = await correct(id, { description: "Call with the team", occurred_at: later });
    expect(status).toBe(200);
    expect(body).toMatchObject({ replaces: id, type: "call", description: "Call with the team", occurred_at: later });
    for (const text of await seen(all)) {
      expect(text).toContain("Call with the team");
      expect(text).not.toContain("teem");
    }
    const [event, ...others] = await timeline();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ id: body.activity_id, corrects: id, source: "phone", observed_at: later });
    expect((await person()).last_activity_at).toBe(later);
    const company = (await ask("/v2/companies/acme.com")).company as { last_activity_at: string };
    expect(company.last_activity_at).toBe(later);
    expect(await rebuilt()).toEqual([]);
  });

  test("can be corrected again, only by its own id; nothing is written when nothing changes", async () => {
    const { workspace, ask, capture, correct, remove, timeline, rebuilt } = await start();
    const id = await capture("call", "One", { occurred_at: ago(3) });
    const { body: first } = await correct(id, { description: "Two" });
    expect(await correct(id, { description: "Three" })).toMatchObject({
      status: 409,
      body: { error: "activity_superseded", current_id: first.activity_id },
    });
    expect(await remove(id)).toMatchObject({ status: 409, body: { current_id: first.activity_id } });
    const { body: second } = await correct(first.activity_id as string, { description: "Three" });
    expect((await correct(second.activity_id as string, { description: "Three" })).body).toMatchObject({
      activity_id: second.activity_id,
      replaces: null,
    });
    expect((await timeline()).map(({ summary, corrects }) => [summary, corrects])).toEqual([["Three", id]]);
    await settled(workspace.id);
    const { changes } = await ask("/v2/changes?types=activity");
    expect((changes as { property: string }[]).map(({ property }) => property.split(".")[0])).toEqual([
      "interaction",
      ...["retired", "interaction"],
      ...["retired", "interaction"],
    ]);
    expect(await rebuilt()).toEqual([]);
  });

  test("leaves what was known before as it was", async () => {
    const { ask, capture, correct } = await start();
    const id = await capture("call", "One", { occurred_at: ago(3) });
    const known = new Date().toISOString();
    await new Promise((done) => setTimeout(done, 20));
    await correct(id, { description: "Two" });
    const then = await ask("/v2/context", { focus: ANNA, known_at: known });
    expect(JSON.stringify(then.timeline)).toContain("One");
    expect(JSON.stringify(then.timeline)).not.toContain("Two");
  });

  test("keeps the stage that the activity led to", async () => {
    const { capture, correct, timeline, person } = await start();
    const id = await capture("meeting_held", "Discovery", { occurred_at: ago(3) });
    await correct(id, { occurred_at: ago(4) });
    expect((await person()).pipeline_stage).toBe("evaluating");
    expect((await timeline())[0]).toMatchObject({ stage_change: { to: "evaluating" } });
  });

  test("of a meeting to come is found by the provider that moves it, and does not count as activity", async () => {
    const { ask, capture, correct, person } = await start();
    const id = await capture("meeting_scheduled", "Booked: Demo", { occurred_at: ago(-2), external_id: "b1" });
    const before = (await person()).last_activity_at;
    await correct(id, { description: "Booked: Demo for the team" });
    expect((await person()).last_activity_at).toBe(before);
    const items = async () =>
      ((await ask("/v2/attention")).items as { kind: string; what: string }[]).map(({ kind }) => kind);
    expect(await items()).toEqual(["upcoming_meeting"]);
    await correct(((await ask(`/v2/accounts/${ANNA}/timeline`)).events as Event[])[0]?.id as string, {
      occurred_at: ago(2),
    });
    expect(await items()).toEqual([]);
  });

  test.each([
    [{}, "invalid_parameter"],
    [{ description: " " }, "invalid_parameter"],
    [{ occurred_at: "soon" }, "invalid_parameter"],
  ])("with %j is refused", async (body, error) => {
    const { capture, correct } = await start();
    expect(await correct(await capture("call", "One"), body)).toMatchObject({ status: 400, body: { error } });
  });

  test("made twice at once leaves one activity", async () => {
    const { capture, correct, timeline, rebuilt } = await start();
    const id = await capture("call", "One", { occurred_at: ago(3) });
    const answers = await Promise.all(["Two", "Three", "Four"].map((description) => correct(id, { description })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await timeline()).toHaveLength(1);
    expect(await rebuilt()).toEqual([]);
  });
});

describe("a removed activity", () => {
  test("is shown nowhere, counts nowhere, and comes back as it was", async () => {
    const all = await start();
    const { capture, remove, restore, timeline, person, rebuilt } = all;
    await capture("call", "First", { occurred_at: ago(9) });
    const id = await capture("call", "Wrong number", { occurred_at: ago(3), external_id: "c1" });
    const [before, row] = [await timeline(), await person()];
    expect((await remove(id)).body).toMatchObject({ activity_id: id, removed: true });
    expect((await remove(id)).body).toMatchObject({ removed: true });
    for (const text of await seen(all)) expect(text).not.toContain("Wrong number");
    expect((await person()).last_activity_at).toBe(before[1]?.observed_at);
    await capture("call", "Wrong number", { occurred_at: ago(3), external_id: "c1" });
    expect(await timeline()).toHaveLength(1);
    expect(await rebuilt()).toEqual([]);
    expect((await restore(id)).body).toMatchObject({ removed: false });
    expect(await timeline()).toEqual(before);
    expect((await person()).last_activity_at).toBe(row.last_activity_at);
    expect(await rebuilt()).toEqual([]);
  });

  test("takes back the stage that it alone led to, and gives it back", async () => {
    const { capture, remove, restore, timeline, person, rebuilt } = await start();
    await capture("email_received", "Re: pilot", { occurred_at: ago(9) });
    const id = await capture("meeting_held", "Discovery", { occurred_at: ago(3) });
    expect((await remove(id)).body).toMatchObject({ stage_before: "evaluating", stage_after: "interested" });
    expect((await person()).pipeline_stage).toBe("interested");
    expect((await restore(id)).body).toMatchObject({ stage_before: "interested", stage_after: "evaluating" });
    expect((await person()).pipeline_stage).toBe("evaluating");
    expect((await timeline())[0]).toMatchObject({ id, stage_change: { to: "evaluating" } });
    expect(await rebuilt()).toEqual([]);
  });

  test("leaves a stage that another activity supports, or that was set since", async () => {
    const { ask, capture, remove, person } = await start();
    const id = await capture("meeting_held", "Discovery", { occurred_at: ago(3) });
    await capture("meeting_held", "Demo", { occurred_at: ago(2) });
    await remove(id);
    expect((await person()).pipeline_stage).toBe("evaluating");
    const won = await capture("custom", "Won", { metadata: { event: "deal_won" } });
    await ask("/v2/people", { email: ANNA, pipeline_stage: "client" });
    await ask("/v2/people", { email: ANNA, pipeline_stage: "aware" });
    await remove(won);
    expect((await person()).pipeline_stage).toBe("aware");
  });

  test("stays removed when its person is merged into another, and after the merge is undone", async () => {
    const { ask, capture, remove, timeline, rebuilt } = await start();
    const id = await capture("call", "Wrong number");
    await ask("/v2/people", { email: "anna.smith@acme.com" });
    const { merge_id } = await ask("/v2/accounts/merge", { keep: "anna.smith@acme.com", drop: ANNA });
    await remove(id);
    expect(await timeline()).toEqual([]);
    expect(await rebuilt()).toEqual([]);
    await ask("/v2/accounts/unmerge", { merge_id });
    expect(await timeline()).toEqual([]);
    expect(await rebuilt()).toEqual([]);
  });
});

test("what is no activity of this workspace is 404, a saved note too", async () => {
  const { ask, correct, remove, restore, timeline } = await start();
  await ask("/v2/notes", { focus: ANNA, content: "Wants SSO." });
  const [noted] = await timeline();
  const other = await start();
  const foreign = await other.capture("call", "Theirs");
  for (const id of [NOBODY, foreign, noted?.id as string])
    for (const attempt of [correct(id, { description: "Mine" }), remove(id), restore(id)])
      expect(await attempt).toMatchObject({ status: 404, body: { error: "activity_not_found" } });
});
