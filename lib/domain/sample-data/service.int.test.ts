import { expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { samplePeople } from "./rules/people.ts";
import { getSampleData, loadSampleData, removeSampleData } from "./service.ts";

const { call } = useServer();

test("what happened in the sample is recorded like any signal, and leaves everyone at the stage the sample gives them", async () => {
  const { caller, id } = await createTestWorkspace();
  const planned = samplePeople(new Date());
  const { observations } = await loadSampleData.execute(caller, {});
  const activities = planned.flatMap((person) => person.activities);
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
  expect(await getSampleData.execute(caller, {})).toEqual({ loaded: true, people: 200, companies: 40 });
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
  expect(await getSampleData.execute(caller, {})).toEqual({ loaded: false, people: 0, companies: 0 });
  expect((await call("/v2/people", { key })).body.people).toMatchObject([{ first_name: "Real" }]);
  expect((await call("/v2/lead-lists", { key })).body.lead_lists).toEqual([]);
  expect((await call("/v2/notes/search", { key, body: { question: "pilot board" } })).body.documents).toEqual([]);
  const left = await inspect("SELECT 1 FROM observations WHERE workspace_id = $1 AND source = 'sample'", [id]);
  expect(left).toEqual([]);
}, 60_000);
