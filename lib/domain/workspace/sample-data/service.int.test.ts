import { expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { buildScoringModel, getScoringModel, rescoreAll } from "#lib/domain/knowledge/scoring/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { samplePeople } from "./rules/people.ts";
import { getSampleData, loadSampleData, removeSampleData } from "./service.ts";

const { call } = useServer();

test("what happened in the sample is recorded like any signal, and leaves everyone at the stage the sample gives them", async () => {
  const { caller, id } = await createTestWorkspace({ listening: true });
  const planned = samplePeople(new Date());
  const { observations } = await loadSampleData.execute(caller, {});
  const activities = planned.flatMap((person) => [...person.activities, ...(person.meeting ? [person.meeting] : [])]);
  const told = await inspect<{ count: number }>(
    "SELECT count(*)::int FROM outbox WHERE workspace_id = $1 AND type LIKE 'activity.%'",
    [id],
  );
  expect(told).toEqual([{ count: activities.length }]);
  const [events] = await inspect<{ all: number; moved: number; placed: number }>(
    `SELECT count(*)::int AS all, count(stage_after)::int AS placed,
       count(*) FILTER (WHERE stage_before <> stage_after)::int AS moved
     FROM observations WHERE workspace_id = $1 AND property LIKE 'interaction.%'`,
    [id],
  );
  expect(events).toEqual({ all: activities.length, placed: activities.length, moved: 0 });
  const learned = await inspect<{ at: Date }>(
    "SELECT observed_at AS at FROM observations WHERE workspace_id = $1 AND property LIKE 'interaction.%' ORDER BY seq",
    [id],
  );
  expect(learned).toEqual(learned.toSorted((a, b) => a.at.getTime() - b.at.getTime())); // as the feed shows them
  expect(observations).toBeGreaterThan(activities.length + 200 * 3 + 40 * 4);
  const rows = await inspect<{ stage: string; active: boolean; count: number }>(
    `SELECT pipeline_stage::text AS stage, last_activity_at IS NOT NULL AS active, count(*)::int FROM people
     WHERE workspace_id = $1 GROUP BY 1, 2`,
    [id],
  );
  for (const { stage, active, count } of rows)
    expect(
      planned.filter((one) => one.stage === stage && one.activities.some(({ type }) => type !== "note") === active),
    ).toHaveLength(count);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(200);
});

test("sample data is loaded through the services, once, and leaves nothing behind when it is removed", async () => {
  const { caller, key: mint, id } = await createTestWorkspace();
  const key = await mint();
  await call("/v2/people", { key, body: { email: "real@acme.com", first_name: "Real" } });
  expect(await loadSampleData.execute(caller, {})).toMatchObject({ people: 200, companies: 40, notes: 50 });
  expect(await loadSampleData.execute(caller, {})).toMatchObject({ people: 200, companies: 40, observations: 0 });
  expect(await getSampleData.execute(caller, {})).toEqual({
    ...{ loaded: true, may_change: true, people: 200, companies: 40, notes: 50, lead_lists: 1, facts: 7, kept: 0 },
    own: { people: 1, companies: 1 },
  });
  const { people } = (await call("/v2/people?search=brightloom&limit=10", { key })).body as {
    people: { company: string }[];
  };
  expect(people).toHaveLength(5);
  expect(people[0]?.company).toBe("Brightloom");
  const then = new Date(Date.now() - 200 * 86_400_000).toISOString();
  const email = (people as unknown as { email: string }[])[0]?.email ?? "";
  const past = (await call(`/v2/accounts/${email}?as_of=${then}`, { key })).body as { name: string; claims: object };
  expect(past.name, "it is called so half a year ago too").not.toContain("@");
  expect(past.claims).not.toHaveProperty("job_title");
  const found = await call("/v2/notes/search", {
    key,
    body: { question: "who wants a pilot before the board decides?" },
  });
  expect((found.body.documents as unknown[]).length).toBeGreaterThan(0);
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  const { lead_lists } = (await call("/v2/lead-lists", { key })).body as {
    lead_lists: { lead_count: number; by_status: Record<string, number> }[];
  };
  expect(lead_lists).toMatchObject([{ lead_count: 50 }]);
  for (const status of ["pending", "sent", "replied"])
    expect(lead_lists[0]?.by_status[status], status).toBeGreaterThan(0);

  expect(await removeSampleData.execute(caller, {})).toEqual({ removed: 240 });
  expect(await getSampleData.execute(caller, {})).toMatchObject({ loaded: false, people: 0, companies: 0, facts: 0 });
  expect((await call("/v2/people", { key })).body.people).toMatchObject([{ first_name: "Real" }]);
  expect((await call("/v2/lead-lists", { key })).body.lead_lists).toEqual([]);
  expect((await call("/v2/notes/search", { key, body: { question: "pilot board" } })).body.documents).toEqual([]);
  const left = await inspect(
    "SELECT 1 FROM observations WHERE workspace_id = $1 AND source = 'sample' AND entity_id <> $1",
    [id],
  );
  expect(left).toEqual([]);
  expect((await call("/v2/workspace/facts", { key })).body.facts).toEqual([]);
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
});

test("the sample has a profile, meetings to come, titles in dispute and scores; what is the user's own stays", async () => {
  const { caller, key: mint } = await createTestWorkspace();
  const key = await mint();
  const own = "Only banks.";
  await call("/v2/workspace/facts", { key, body: { section: "ICP", content: own } });
  await loadSampleData.execute(caller, {});
  const facts = async () =>
    (await call("/v2/workspace/facts", { key })).body.facts as { category: string; content: string }[];
  expect(await facts()).toHaveLength(7);
  expect((await facts()).filter(({ category }) => category === "ICP")).toMatchObject([{ content: own }]);
  const { meta } = (await call("/v2/attention?limit=20", { key })).body as {
    meta: { by_kind: Record<string, number> };
  };
  expect(meta.by_kind).toMatchObject({ upcoming_meeting: 2, conflict: 3 });

  // Someone works with two of the people, and moves a third one on.
  const { people } = (await call("/v2/people?limit=3", { key })).body as { people: { id: string; email: string }[] };
  const [noted, met, moved] = people.map(({ email }) => email);
  await call("/v2/notes", { key, body: { focus: noted, content: "Called me back." } });
  await call("/api/v1/capture", { key, body: { email: met, type: "call", description: "A real call" } });
  await call("/v2/observations", {
    key,
    body: { focus: moved, observations: [{ kind: "state", property: "pipeline_stage", value: "client" }] },
  });
  expect(await getSampleData.execute(caller, {})).toMatchObject({ people: 198, kept: 2 });
  expect(await removeSampleData.execute(caller, {})).toEqual({ removed: 238 });
  const left = (await call("/v2/people", { key })).body.people as { email: string }[];
  expect(new Set(left.map(({ email }) => email))).toEqual(new Set([noted, met]));
  expect(await facts()).toMatchObject([{ content: own }]);
});

test("a model that the sample brought scores its people, and goes with it; one of the user's own stays", async () => {
  const first = await createTestWorkspace();
  await loadSampleData.execute(first.caller, {});
  await rescoreAll(first.id);
  const scored = () =>
    inspect<{ scored: number }>("SELECT count(icp_score)::int AS scored FROM people WHERE workspace_id = $1", [
      first.id,
    ]);
  expect((await scored())[0]?.scored).toBeGreaterThan(50);
  const key = await first.key();
  await call("/v2/people", { key, body: { email: "own@bank.com", job_title: "Head of Sales" } });
  await rescoreAll(first.id);
  await removeSampleData.execute(first.caller, {});
  expect(await getScoringModel.execute(first.caller, {})).toMatchObject({ model: null });
  await rescoreAll(first.id);
  expect(await scored()).toEqual([{ scored: 0 }]);
  expect((await rebuildWorkspace(first.caller)).differences).toEqual([]);

  const second = await createTestWorkspace();
  await loadSampleData.execute(second.caller, {});
  await buildScoringModel.execute(second.caller, { force: true });
  await removeSampleData.execute(second.caller, {});
  expect((await getScoringModel.execute(second.caller, {})).model?.version).toBe(2);
});
