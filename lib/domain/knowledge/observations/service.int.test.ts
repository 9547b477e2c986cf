import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { type Announcement, subscribe } from "#lib/live/announce.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

const { call } = useServer();

async function start() {
  const workspace = await createTestWorkspace({ listening: true });
  const key = await workspace.key();
  const { id, caller } = workspace;
  const post = (path: string) => (body: unknown) => call(path, { key, body });
  const capture = post("/api/v1/capture");
  const observe = (focus: string, ...observations: unknown[]) => post("/v2/observations")({ focus, observations });
  const outbox = async () =>
    (await inspect<{ type: string }>("SELECT type FROM outbox WHERE workspace_id = $1 ORDER BY seq", [id])).map(
      ({ type }) => type,
    );
  const stage = async (focus: string) => (await call(`/v2/accounts/${focus}`, { key })).body.pipeline_stage;
  const rebuilt = async () => (await rebuildWorkspace(caller)).differences;
  return { id, key, caller, capture, observe, outbox, stage, rebuilt, post };
}

const event = (type: string, more = {}) => ({ kind: "event", property: `interaction.${type}`, value: {}, ...more });

describe("an observed interaction", () => {
  test("goes the way of a capture: stage, last activity, outbox, and the same deduplication", async () => {
    const { observe, capture, outbox, key, rebuilt } = await start();
    const seen = { external_id: "m-1", source: "gmail", value: { description: "Re: pilot" } };
    const first = await observe("linkedin.com/in/anna", event("email_received", seen));
    expect(first.body).toMatchObject({
      recorded: 1,
      duplicates: 0,
      stage_before: "identified",
      stage_after: "interested",
    });
    expect(await outbox()).toEqual(["contact.created", "activity.email_received", "stage.advanced"]);
    const again = await capture({
      contact_id: first.body.entity_id,
      type: "email_received",
      ...seen,
      value: undefined,
    });
    expect(again.body).toMatchObject({
      activity_id: (first.body.observation_ids as string[])[0],
      stage_before: "identified",
      stage_after: "interested",
      deduplicated: true,
      created_contact: false,
    });
    const { people } = (await call("/v2/people", { key })).body as { people: Record<string, unknown>[] };
    expect(people).toMatchObject([
      { source: "gmail", pipeline_stage: "interested", last_activity_at: expect.any(String) },
    ]);
    expect(await rebuilt()).toEqual([]);
  });

  test("keeps its place among states: a stage set between two of them counts", async () => {
    const { observe, stage, rebuilt } = await start();
    const aware = { kind: "state", property: "pipeline_stage", value: "aware", method: "asserted" };
    const answer = await observe("anna@acme.com", event("meeting_held"), aware, event("email_received"), event("page"));
    expect(answer.body).toMatchObject({ recorded: 4, stage_before: "identified", stage_after: "interested" });
    expect(await stage("anna@acme.com")).toBe("interested");
    expect(await rebuilt()).toEqual([]);
  });

  test("about a company moves no stage, shows as its activity, and reaches the outbox", async () => {
    const { observe, key, outbox, rebuilt } = await start();
    const { body } = await observe("acme.com", event("call"));
    expect(body).not.toHaveProperty("stage_after");
    const { companies } = (await call("/v2/companies", { key })).body as { companies: Record<string, unknown>[] };
    expect(companies).toMatchObject([{ last_activity_at: expect.any(String) }]);
    expect(await outbox()).toEqual(["activity.call"]);
    expect(await rebuilt()).toEqual([]);
  });

  test("that is refused leaves nothing of the others", async () => {
    const { observe, id } = await start();
    const { status, body } = await observe("anna@acme.com", event("call"), { ...event("call"), property: "no way" });
    expect([status, body.error]).toEqual([400, "invalid_observation"]);
    expect(await inspect("SELECT 1 FROM entities WHERE workspace_id = $1 AND type <> 'workspace'", [id])).toEqual([]);
  });
});

describe("a stage set by hand", () => {
  test("may go either way, reaches the outbox when it goes up, and locks nothing", async () => {
    const { capture, key, outbox, stage, rebuilt } = await start();
    const set = (pipeline_stage: string) =>
      call("/v2/people/anna@acme.com", { key, method: "PATCH", body: { pipeline_stage } });
    await capture({ email: "anna@acme.com", type: "email_received" });
    await set("client");
    await set("aware");
    expect(await stage("anna@acme.com")).toBe("aware");
    const moved = await capture({ email: "anna@acme.com", type: "website_visit" });
    expect(moved.body).toMatchObject({ stage_before: "aware", stage_after: "aware" });
    expect((await capture({ email: "anna@acme.com", type: "meeting_held" })).body).toMatchObject({
      stage_after: "evaluating",
    });
    expect((await outbox()).filter((type) => type === "stage.advanced")).toHaveLength(3);
    expect(await rebuilt()).toEqual([]);
  });

  test("a little in the future yields to a signal all the same", async () => {
    const { observe, capture, stage, rebuilt } = await start();
    const soon = new Date(Date.now() + 60_000).toISOString();
    await observe("anna@acme.com", {
      kind: "state",
      property: "pipeline_stage",
      value: "aware",
      method: "asserted",
      observed_at: soon,
    });
    expect((await capture({ email: "anna@acme.com", type: "meeting_held" })).body).toMatchObject({
      stage_before: "aware",
      stage_after: "evaluating",
    });
    expect(await stage("anna@acme.com")).toBe("evaluating");
    expect(await rebuilt()).toEqual([]);
  });
});

describe("who it happened with", () => {
  test("is the contact of the id, who gets the address when it is free", async () => {
    const { capture, key, rebuilt, id } = await start();
    const { body: anna } = await capture({ email: "anna@gmail.com", type: "call" });
    await capture({ email: "ben@acme.com", type: "call" });
    const both = await capture({ contact_id: anna.contact_id, email: "anna@acme.com", type: "call", external_id: "1" });
    expect(both.body).toMatchObject({ contact_id: anna.contact_id, created_contact: false });
    const account = await call("/v2/accounts/anna@acme.com", { key });
    expect(account.body).toMatchObject({
      entity_id: anna.contact_id,
      relationships: { works_at: [{ domain: "acme.com" }] },
    });
    const taken = await capture({ contact_id: anna.contact_id, email: "ben@acme.com", type: "call" });
    expect([taken.status, taken.body.error]).toEqual([409, "identifier_conflict"]);
    const repeated = await capture({
      contact_id: anna.contact_id,
      email: "new@acme.com",
      type: "call",
      external_id: "1",
    });
    expect(repeated.body).toEqual({ ...both.body, deduplicated: true });
    expect(await inspect("SELECT 1 FROM identifiers WHERE workspace_id = $1 AND value = 'new@acme.com'", [id])).toEqual(
      [],
    );
    expect(await rebuilt()).toEqual([]);
  });

  test("is a person: a company and the workspace are no contacts", async () => {
    const { capture, observe, id } = await start();
    const { body: company } = await observe("acme.com", event("call"));
    for (const contact_id of [company.entity_id, id, newId()])
      expect((await capture({ contact_id, type: "call" })).body.error).toBe("contact_not_found");
  });

  test("stays archived; the activity is there", async () => {
    const { capture, key, rebuilt } = await start();
    await capture({ email: "anna@acme.com", type: "call" });
    await call("/v2/people/anna@acme.com", { key, method: "PATCH", body: { status: "archived" } });
    expect((await capture({ email: "anna@acme.com", type: "meeting_held" })).body).toMatchObject({
      stage_after: "evaluating",
    });
    expect((await call("/v2/accounts/anna@acme.com", { key })).body).toMatchObject({
      status: "archived",
      pipeline_stage: "evaluating",
    });
    expect(await rebuilt()).toEqual([]);
  });

  test("is the kept record after a merge, whose repeats answer as before it", async () => {
    const { capture, post, rebuilt } = await start();
    const visit = { type: "website_visit", external_id: "v" };
    const { body: dropped } = await capture({ email: "a@acme.com", ...visit });
    const { body: kept } = await capture({ email: "b@acme.com", type: "meeting_held" });
    await post("/v2/accounts/merge")({ keep: kept.contact_id, drop: dropped.contact_id });
    for (const who of [{ email: "a@acme.com" }, { email: "b@acme.com" }, { contact_id: dropped.contact_id }])
      expect((await capture({ ...who, ...visit })).body).toEqual({ ...dropped, deduplicated: true });
    expect((await capture({ contact_id: dropped.contact_id, type: "email_received" })).body).toMatchObject({
      contact_id: kept.contact_id,
      stage_before: "evaluating",
    });
    expect(await rebuilt()).toEqual([]);
  });

  test("by two names at once ends at the higher stage", async () => {
    const { capture, stage, rebuilt } = await start();
    for (let round = 0; round < 15; round++) {
      const [email, other] = [`a${round}@acme.com`, `b${round}@gmail.com`];
      const { contact_id } = (await capture({ email, type: "call" })).body;
      await Promise.all([
        capture({ email: other, contact_id, type: "email_opened" }),
        capture({ email, type: "meeting_held" }),
        capture({ contact_id, type: "email_received" }),
      ]);
      expect(await stage(other)).toBe("evaluating");
    }
    expect(await rebuilt()).toEqual([]);
  });

  test("while records are merged and their company is renamed is someone, once", async () => {
    const { capture, post, key, rebuilt } = await start();
    for (let round = 0; round < 8; round++) {
      const [a, b] = [`a${round}@acme.com`, `b${round}@acme.com`];
      const { body: kept } = await capture({ email: a, type: "call" });
      const { body: dropped } = await capture({ email: b, type: "call" });
      const answers = await Promise.all([
        capture({ email: a, type: "meeting_held" }),
        capture({ contact_id: kept.contact_id, type: "website_visit" }),
        post("/v2/accounts/merge")({ keep: a, drop: b }),
        capture({ email: b, type: "email_received" }),
        capture({ contact_id: dropped.contact_id, type: "website_visit" }),
        post("/v2/companies")({ domain: "acme.com", name: `Acme ${round}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const { events } = (await call(`/v2/accounts/${b}/timeline`, { key })).body as { events: unknown[] };
      expect(events).toHaveLength(6);
    }
    expect(await rebuilt()).toEqual([]);
  });
});

test("a meeting next week is activity today, and one long ago is not today's", async () => {
  const { capture, key } = await start();
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  await capture({ email: "anna@acme.com", type: "meeting_scheduled", occurred_at: at(7) });
  await capture({ email: "ben@acme.com", type: "meeting_held", occurred_at: at(-7) });
  const { people } = (await call("/v2/people", { key })).body as {
    people: { email: string; last_activity_at: string }[];
  };
  const ages = people.map(({ last_activity_at }) => Math.round((Date.now() - Date.parse(last_activity_at)) / DAY_MS));
  expect([people.map(({ email }) => email), ages]).toEqual([
    ["anna@acme.com", "ben@acme.com"],
    [0, 7],
  ]);
});

test("facts and notes leave word too; saying a fact again does not", async () => {
  const { post, outbox } = await start();
  for (let time = 0; time < 2; time++)
    await post("/v2/observations")({
      focus: "workspace",
      observations: [
        { kind: "state", property: "note.0190a6e0-0000-7000-8000-000000000001", value: "We sell to fintechs" },
      ],
    });
  await post("/v2/workspace/facts")({ section: "ICP", content: "Series A" });
  await post("/v2/notes")({ focus: "anna@acme.com", content: "Wants SSO" });
  expect(await outbox()).toEqual(["fact.recorded", "fact.recorded", "contact.created", "note.saved"]);
});

test("subscribers get an activity once it can be read, and none of another workspace", async () => {
  const [{ capture, id }, other] = await Promise.all([start(), start()]);
  const heard: (Announcement | null)[] = [];
  const stop = subscribe(id, (announcement) => heard.push(announcement));
  await other.capture({ email: "x@acme.com", type: "call" });
  const { body } = await capture({ email: "anna@acme.com", type: "call" });
  stop();
  await capture({ email: "anna@acme.com", type: "call" });
  await sleep(120);
  const [row] = await inspect<{ seq: string }>("SELECT seq FROM observations WHERE id = $1", [body.activity_id]);
  // That the feed of changes has more, such as the new record, and that events wait for triggers, is announced too.
  const activities = heard.filter((announcement) => announcement?.topic === "activity");
  expect(activities).toEqual([{ topic: "activity", entity_id: body.contact_id, seq: Number(row?.seq) }]);
});
