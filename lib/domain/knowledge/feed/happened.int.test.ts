import fc from "fast-check";
import { expect, test } from "vitest";
import { removeActivity } from "#lib/domain/crm/activities/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { recordObservations } from "#lib/domain/knowledge/observations/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { MOST_SEARCHED } from "./queries.ts";
import { browseActivities } from "./service.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 5, 3, 9, minute)).toISOString();

const event = (type: string, minute: number, source = "manual") => ({
  kind: "event",
  property: `interaction.${type}`,
  value: { description: `${type} at ${minute}` },
  observed_at: at(minute),
  source,
});

const say = ({ caller }: TestWorkspace, focus: string, ...observations: object[]) =>
  recordObservations.execute(caller, { focus, observations });

type Input = Parameters<typeof browseActivities.execute>[1];

/** What every page of a list has, in turn. */
async function readAll({ caller }: TestWorkspace, input: Input & object) {
  const found: { summary: string | null; id: string; observed_at: string }[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: Awaited<ReturnType<typeof browseActivities.execute>> = await browseActivities.execute(caller, {
      ...input,
      ...(cursor ? { cursor } : {}),
    });
    expect(page.has_more).toBe(page.next_cursor !== null);
    found.push(...page.activities);
    cursor = page.next_cursor;
    pages++;
  } while (cursor);
  return { found, pages, summaries: found.map(({ summary }) => summary) };
}

test("lists by when it happened, not by when it was reported, of this workspace only", async () => {
  const [workspace, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  await say(workspace, "anna@acme.com", event("call", 30));
  await say(workspace, "ben@acme.com", event("meeting_held", 10));
  await say(workspace, "anna@acme.com", event("call", 20));
  await say(other, "anna@acme.com", event("call", 25));
  const { summaries } = await readAll(workspace, { limit: 2 });
  expect(summaries).toEqual(["call at 30", "call at 20", "meeting_held at 10"]);
});

test("filters by person, company with its people, type, source and time, each alone and together", async () => {
  const workspace = await createTestWorkspace();
  const { person: anna } = await upsertPerson.execute(workspace.caller, { email: "anna@acme.com" });
  await say(workspace, "anna@acme.com", event("call", 1, "fathom"), event("meeting_held", 2), event("call", 5));
  await say(workspace, "ben@acme.com", event("call", 3, "fathom"));
  await say(workspace, "acme.com", event("website_visit", 4));
  await say(workspace, "carl@other.com", event("call", 6));
  const minutes = async (input: Input & object) =>
    (await readAll(workspace, { limit: 1, ...input })).found.map(({ observed_at }) =>
      new Date(observed_at).getUTCMinutes(),
    );
  expect(await minutes({ entity_id: anna.id })).toEqual([5, 2, 1]);
  expect(await minutes({ entity_id: anna.company_id })).toEqual([5, 4, 3, 2, 1]);
  expect(await minutes({ type: "call" })).toEqual([6, 5, 3, 1]);
  expect(await minutes({ source: "fathom" })).toEqual([3, 1]);
  expect(await minutes({ from: at(2), to: at(5) })).toEqual([4, 3, 2]);
  expect(await minutes({ entity_id: anna.company_id, source: "fathom", type: "call", from: at(2) })).toEqual([3]);
  expect(await minutes({ entity_id: anna.id, from: at(2), to: at(5) })).toEqual([2]);
  const unknown = { entity_id: "0190a6e0-0000-7000-8000-00000000ffff" };
  await expect(browseActivities.execute(workspace.caller, unknown)).rejects.toMatchObject({ code: "entity_not_found" });
});

test("leaves out what was removed", async () => {
  const workspace = await createTestWorkspace();
  await say(workspace, "anna@acme.com", event("call", 1), event("call", 2));
  const [latest] = (await readAll(workspace, {})).found;
  await removeActivity.execute(workspace.caller, { id: latest?.id });
  expect((await readAll(workspace, {})).summaries).toEqual(["call at 1"]);
});

test("pages of any size have every event once, also those of one moment", async () => {
  const workspace = await createTestWorkspace();
  const minutes = [1, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3];
  await say(workspace, "anna@acme.com", ...minutes.map((minute) => event("call", minute)));
  const { found: whole } = await readAll(workspace, { limit: 200 });
  expect(whole).toHaveLength(minutes.length);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.constantFrom({}, { type: "call" }), async (limit, filter) => {
      const { found } = await readAll(workspace, { limit, ...filter });
      expect(found.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    }),
    { numRuns: 15 },
  );
});

test("what is rare is found far back: a page says how far it was searched, the next goes on", async () => {
  const workspace = await createTestWorkspace();
  await say(workspace, "anna@acme.com", event("meeting_held", 0), event("call", 1));
  await inspect(
    `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
     SELECT workspace_id, gen_random_uuid(), entity_id, kind, property, value, source, method, observed_at + n * interval '1 second', actor
     FROM observations, generate_series(1, $2) AS n WHERE workspace_id = $1 AND property = 'interaction.call'`,
    [workspace.id, MOST_SEARCHED + 10],
  );
  const first = await browseActivities.execute(workspace.caller, { type: "meeting_held" });
  expect(first).toMatchObject({ activities: [], has_more: true, reached: expect.any(String) });
  const { summaries, pages } = await readAll(workspace, { type: "meeting_held" });
  expect(summaries).toEqual(["meeting_held at 0"]);
  expect(pages).toBe(2);
});
