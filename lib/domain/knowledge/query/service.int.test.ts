import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { DAY_MS } from "#lib/text/time.ts";

const { call } = useServer();

type Body = {
  matched: number;
  returned: number;
  sampled: boolean;
  items: {
    entity_id: string;
    property: string;
    value: unknown;
    entity_name: string;
    summary: string | null;
    caused_by?: string;
  }[];
  rollups: { by_type: Record<string, number>; by_source: Record<string, number>; by_value?: Record<string, number> };
  meta: { examined: number; terms: string[] };
};

const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const state = (property: string, value: unknown, more: object = {}) => ({ kind: "state", property, value, ...more });
const event = (type: string, description: string, days: number, more: object = {}) => ({
  kind: "event",
  property: `interaction.${type}`,
  value: { description },
  observed_at: day(days),
  ...more,
});

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const observe = async (focus: string, ...observations: object[]) =>
    (await call("/v2/observations", { key, body: { focus, observations } })).body.entity_id as string;
  const query = async (body: object) => {
    const answer = await call("/v2/query", { key, body });
    return { ...answer, body: answer.body as Body & Record<string, unknown> };
  };
  return { workspace, key, observe, query };
}

async function withPeople() {
  const tools = await setUp();
  const anna = await tools.observe(
    "anna@acme.com",
    state("first_name", "Anna"),
    state("tier", "gold"),
    event("email_sent", "Hello Anna", -3),
    event("email_received", "We use Globex today", -2),
  );
  const bo = await tools.observe(
    "bo@globex.com",
    state("first_name", "Bo"),
    state("tier", "gold"),
    event("email_sent", "Hello Bo", -40, { source: "gmail" }),
    event("email_sent", "Hello again", -1, { source: "gmail" }),
  );
  return { ...tools, anna, bo };
}

describe("a query", () => {
  test("filters by scope and counts what matched", async () => {
    const { query, bo } = await withPeople();
    const { status, body } = await query({ scope: { property: "interaction.", kind: "event", since_days: 30 } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ matched: 3, returned: 3, sampled: false, return: "observations" });
    expect(body.items[0]).toMatchObject({
      entity_id: bo,
      entity_name: "Bo",
      kind: "event",
      type: "email_sent",
      property: "interaction.email_sent",
      summary: "Hello again",
      when: expect.stringMatching(/Z$/),
    });
    expect((await query({ scope: { property: "email_sent" } })).body.matched).toBe(3);
    expect(body.rollups).toEqual({
      by_type: { email_sent: 2, email_received: 1 },
      by_source: { api: 2, gmail: 1 },
    });
    expect((await query({ scope: { source: "gmail", to: day(-10) } })).body.matched).toBe(1);
    expect((await query({ scope: { property: "interaction.", limit: 1 } })).body).toMatchObject({
      matched: 4,
      returned: 1,
    });
    expect((await query({})).body.matched).toBeGreaterThan(8);
  });

  test("counts values when one property is asked about", async () => {
    const { query } = await withPeople();
    expect((await query({ scope: { property: "tier" } })).body.rollups.by_value).toEqual({ gold: 2 });
  });

  test.each(["observations", "entities"])(
    "is walked by its cursor: %s, each once, also while more is recorded",
    async (kind) => {
      const { query, observe } = await withPeople();
      for (const n of [1, 2, 3])
        await observe(`p${n}@acme.com`, state("tier", "gold"), event("email_sent", `Hello ${n}`, -n));
      const asked = { scope: { since_days: 30, limit: 2 }, without: { source: "gmail" }, return: kind };
      const whole = (await query({ ...asked, scope: { since_days: 30, limit: 200 } })).body;
      expect(whole).toMatchObject({ has_more: false, next_cursor: null });
      const items: unknown[] = [];
      for (let cursor: unknown; cursor !== null; ) {
        const { body } = await query({ ...asked, ...(cursor ? { cursor } : {}) });
        expect(body).toMatchObject({ matched: whole.matched, rollups: whole.rollups, meta: whole.meta });
        expect(body.has_more).toBe(body.next_cursor !== null);
        items.push(...body.items);
        cursor = body.next_cursor;
        await observe("later@acme.com", state("tier", `new ${items.length}`));
      }
      expect(items).toEqual(whole.items);
      expect((await query({ ...asked, cursor: "x" })).body).toMatchObject({ parameter: "cursor" });
    },
  );

  test("by what is never observed is refused with the list that is filtered by it", async () => {
    const { query } = await withPeople();
    const { status, body } = await query({ scope: { property: "email" } });
    expect([status, body.parameter]).toEqual([400, "scope.property"]);
    expect(body.message).toContain("property.email");
    expect((await query({ scope: { property: "company" } })).body.rollups.by_type).toEqual({ works_at: 2 });
  });

  test("by a score counts what was observed, and with a model is refused with the filter of lists", async () => {
    const { query, observe, key } = await withPeople();
    await observe("anna@acme.com", state("icp_score", 80));
    expect((await query({ scope: { property: "icp_score" } })).body).toMatchObject({ matched: 1 });
    const rule = { feature: "industry", op: "in", value: ["saas"] };
    const signals = [{ key: "saas", label: "Sells SaaS", weight: 8, rule }];
    expect((await call("/v2/workspace/scoring-model", { key, body: { signals } })).status).toBe(201);
    const { status, body } = await query({ scope: {}, without: { property: "icp_score" } });
    expect([status, body.parameter]).toEqual([400, "without.property"]);
    expect(body.message).toContain("min_icp_score");
  });

  test("returns entities, and leaves out who has what `without` names", async () => {
    const { query, anna, bo } = await withPeople();
    const all = (await query({ scope: { property: "interaction.email_sent" }, return: "entities" })).body;
    expect(all).toMatchObject({ matched: 2, returned: 2 });
    expect(all.items).toMatchObject([
      {
        entity_id: bo,
        entity_name: "Bo",
        type: "person",
        matches: 2,
        most_recent_value: { description: "Hello again" },
        most_recent_summary: "Hello again",
      },
      { entity_id: anna, entity_name: "Anna", matches: 1 },
    ]);
    const silent = (
      await query({
        scope: { property: "interaction.email_sent" },
        without: { property: "interaction.email_received" },
        return: "entities",
      })
    ).body;
    expect(silent.items.map(({ entity_id }) => entity_id)).toEqual([bo]);
    expect(silent.rollups.by_type).toEqual({ email_sent: 2 });
    const recent = (
      await query({ scope: { property: "tier" }, without: { source: "gmail", since_days: 7 }, return: "entities" })
    ).body;
    expect(recent.items.map(({ entity_id }) => entity_id)).toEqual([anna]);
  });

  test("counts what is believed now, each entity once, and never what was", async () => {
    const { query, observe, anna } = await withPeople();
    await observe("anna@acme.com", state("tier", "silver"), state("tier", "silver"));
    await observe("carl@acme.com", state("tier", "gold"), state("tier", null));
    expect((await query({ scope: { property: "tier" } })).body.rollups.by_value).toEqual({ gold: 1, silver: 1 });
    expect((await query({ scope: { property: "tier", entity_id: anna } })).body.rollups.by_value).toEqual({
      silver: 1,
    });
  });

  test("finds what has all words of the question, in any form", async () => {
    const { query, observe, anna } = await withPeople();
    await observe("bo@globex.com", event("email_received", "Asks for pricing", -1));
    await observe("carl@acme.com", event("call", "Asked about the roadmap", 0));
    const asked = (await query({ question: "who asked about pricing?", scope: { kind: "event" } })).body;
    expect(asked.meta.terms).toEqual(["asked", "pricing"]);
    expect(asked.items.map(({ summary }) => summary)).toEqual(["Asks for pricing"]);
    expect((await query({ question: "price" })).body.items).toMatchObject([{ summary: "Asks for pricing" }]);
    expect((await query({ question: "price", return: "entities" })).body.items).toMatchObject([{ entity_name: "Bo" }]);
    expect((await query({ question: "Is it GLOBEX?" })).body.items).toMatchObject([{ entity_id: anna }]);
    expect((await query({ question: "unicorn 100%_sure" })).body.items).toEqual([]);
    const none = (await query({ question: "description" })).body;
    expect(none.items, "the names inside a value are not its words").toEqual([]);
  });

  test("names the activity that caused a stage, here and in the history", async () => {
    const { query, key } = await withPeople();
    const captured = await call("/api/v1/capture", { key, body: { email: "anna@acme.com", type: "meeting_held" } });
    const [moved] = (await query({ scope: { property: "stage" } })).body.items;
    expect(moved).toMatchObject({ property: "pipeline_stage", value: "evaluating" });
    expect(moved?.caused_by).toBe(captured.body.activity_id);
    const history = await call("/v2/accounts/anna@acme.com/history?property=pipeline_stage", { key });
    expect((history.body.values as object[])[0]).toMatchObject({ caused_by: captured.body.activity_id });
  });

  test("looks at one entity's evidence, and that of those merged into it", async () => {
    const { key, query, anna, bo } = await withPeople();
    expect((await query({ scope: { entity_id: anna, kind: "event" } })).body.matched).toBe(2);
    await call("/v2/accounts/merge", { key, body: { keep: anna, drop: bo } });
    const { body } = await query({ scope: { entity_id: anna, kind: "event" } });
    expect(body).toMatchObject({ matched: 4 });
    expect(new Set(body.items.map(({ entity_id }) => entity_id))).toEqual(new Set([anna]));
    const sent = (
      await query({
        scope: { property: "interaction.email_sent" },
        without: { property: "interaction.email_received" },
        return: "entities",
      })
    ).body;
    expect(sent.matched).toBe(0);
  });

  test("answers an empty question with nothing", async () => {
    const { query } = await setUp();
    expect((await query({ scope: { property: "shoe_size" } })).body).toMatchObject({
      matched: 0,
      returned: 0,
      sampled: false,
      items: [],
      rollups: { by_type: {}, by_source: {} },
    });
  });
});

describe("refusals", () => {
  test.each([
    [{ scope: { limit: 0 } }, 400, { error: "invalid_parameter", parameter: "scope.limit" }],
    [{ scope: { kind: "thing" } }, 400, { error: "invalid_parameter", parameter: "scope.kind" }],
    [{ scope: { since_days: 0 } }, 400, { error: "invalid_parameter", parameter: "scope.since_days" }],
    [{ scope: { from: "2026-02-01", to: "2026-01-01" } }, 400, { error: "invalid_parameter", parameter: "scope.to" }],
    [{ scope: { colour: "red" } }, 400, { error: "invalid_parameter" }],
    [{ scope: [] }, 400, { error: "invalid_parameter", parameter: "scope" }],
    [{ without: {} }, 400, { error: "invalid_parameter", parameter: "without" }],
    [{ return: "claims" }, 400, { error: "invalid_parameter", parameter: "return" }],
    [{ question: " " }, 400, { error: "invalid_parameter", parameter: "question" }],
    [{ colour: "red" }, 400, { error: "unknown_parameter", parameter: "colour" }],
    [{ scope: { entity_id: "anna" } }, 404, { error: "entity_not_found" }],
    [{ scope: { entity_id: newId() } }, 404, { error: "entity_not_found" }],
  ])("%j is %i", async (body, status, expected) => {
    const { query } = await setUp();
    expect(await query(body)).toMatchObject({ status, body: expected });
  });

  test("another workspace's evidence is not seen, nor its ids known", async () => {
    const { anna } = await withPeople();
    const mine = await setUp();
    expect((await mine.query({ scope: { property: "interaction." } })).body.matched).toBe(0);
    expect(await mine.query({ scope: { entity_id: anna } })).toMatchObject({ status: 404 });
  });
});
