import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { intents, shapes } from "./rules/intents.ts";

const { call, url } = useServer();

type Body = {
  summary: string;
  claims: { property: string; value: unknown; observation_ids: string[] }[];
  workspace: { property: string; value: string; id: string }[];
  timeline: { type: string; id: string; summary?: string }[];
  stakeholders: { name: string; role: string | null }[];
  meta: { token_estimate: number; budget_tokens: number; truncated: boolean; claims_total: number };
  entity: { id: string; name: string; type: string };
  icp?: unknown;
};

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const observe = async (focus: string, ...observations: object[]) =>
    (await call("/v2/observations", { key, body: { focus, observations } })).body.entity_id as string;
  const state = (property: string, value: unknown, more: object = {}) => ({ kind: "state", property, value, ...more });
  const context = async (body: object) => {
    const answer = await call("/v2/context", { key, body });
    return { ...answer, body: answer.body as Body & Record<string, unknown> };
  };
  const fact = async (section: string, content: string) =>
    ((await call("/v2/workspace/facts", { key, body: { section, content } })).body.fact as { id: string }).id;
  return { workspace, key, observe, state, context, fact };
}

describe("a context", () => {
  test("tells who it is, what is believed, how we sell and what happened, each with its evidence", async () => {
    const { key, observe, state, context, fact } = await setUp();
    const icp = await fact("ICP", "Series A fintechs");
    const id = await observe(
      "anna@acme.com",
      state("first_name", "Anna"),
      state("last_name", "Smith"),
      state("job_title", "CFO"),
      state("pain", "Month-end takes nine days"),
      { kind: "event", property: "interaction.call", value: { description: "Intro call" }, observed_at: "2026-11-01" },
    );
    await observe("bo@acme.com", state("first_name", "Bo"), state("job_title", "CEO"));
    await call("/v2/notes", { key, body: { focus: id, title: "Brief", content: "Wants SSO.", date: "2026-06-03" } });
    const { status, body } = await context({ focus: "anna@acme.com", intent: "call_prep" });
    expect(status).toBe(200);
    expect(body.entity).toEqual({ id, type: "person", name: "Anna Smith" });
    expect(body.summary).toMatch(/^Anna Smith, CFO at acme\.com, stage identified\. Last activity: call on 2026-11-01/);
    expect(body.claims[0]).toMatchObject({ property: "pain", value: "Month-end takes nine days" });
    expect(body.workspace).toEqual([{ property: "ICP", value: "Series A fintechs", id: icp }]);
    expect(body.timeline[0]).toMatchObject({ type: "call", tier: "full", summary: "Intro call" });
    expect(body.stakeholders).toMatchObject([{ name: "Bo", role: "CEO" }]);
    expect(body.documents).toMatchObject([{ type: "note", title: "Brief", date: "2026-06-03", snippet: "Wants SSO." }]);
    expect(body.icp).toBeUndefined();
    expect(body.meta).toMatchObject({ budget_tokens: 1800, truncated: false, claims_total: 3 });
    const account = await call(`/v2/accounts/${id}`, { key: await (await setUp()).workspace.key() });
    expect(account.status).toBe(404);
  });

  test("has the open tasks of the record, the next due first, and none of the past", async () => {
    const { key, observe, state, context } = await setUp();
    const id = await observe("anna@acme.com", state("job_title", "CFO"));
    const add = (title: string, more: object) => call("/v2/tasks", { key, body: { title, focus: id, ...more } });
    expect((await context({ focus: id })).body.tasks).toBeUndefined();
    await add("Whenever", {});
    const { body } = await add("Send the offer", { due: "2026-06-05" });
    await add("Done", { due: "2026-06-01", done: true });
    const { body: now } = await context({ focus: id, intent: "follow_up" });
    expect(now.tasks).toMatchObject([
      { title: "Send the offer", due: "2026-06-05", assignee: null, id: (body.task as { id: string }).id },
      { title: "Whenever", due: null },
    ]);
    const past = await context({ focus: id, as_of: "2030-01-01" });
    expect([past.status, past.body.tasks]).toEqual([200, undefined]);
  });

  test.each(intents)("for %s keeps its default budget, as the answer is sent", async (intent) => {
    const { key, observe, state, fact } = await setUp();
    for (const section of ["ICP", "Market", "Product", "Pricing"]) await fact(section, `${section} `.repeat(300));
    const many = Array.from({ length: 60 }, (_, index) =>
      state(`insight_${index}`, `"${index}" {[${"é".repeat(index)}]}`),
    );
    const events = Array.from({ length: 80 }, (_, index) => ({
      kind: "event",
      property: `interaction.${index % 2 ? "call" : "email_received"}`,
      value: { description: `Said "${index}" and more` },
      observed_at: new Date(Date.UTC(2026, 8, 1, index)).toISOString(),
    }));
    await observe("anna@acme.com", ...many, ...events);
    const response = await fetch(`${url()}/v2/context`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ focus: "anna@acme.com", intent }),
    });
    const text = await response.text();
    const tokens = countTokens(text);
    const { meta, timeline } = JSON.parse(text) as Body & { meta: { timeline_events: number } };
    expect(tokens).toBeLessThanOrEqual(shapes[intent].budget);
    expect(tokens).toBeGreaterThan(shapes[intent].budget * 0.9);
    expect(Math.abs(meta.token_estimate - tokens)).toBeLessThan(tokens * 0.1);
    expect(meta).toMatchObject({ truncated: true, timeline_events: 80, budget_tokens: shapes[intent].budget });
    expect(timeline.length).toBeGreaterThan(2);
  });

  test("superseded facts and ended claims never appear, also not in the past", async () => {
    const { observe, state, context, fact } = await setUp();
    await fact("ICP", "Old ideal");
    const before = new Date();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const current = await fact("ICP", "New ideal");
    await observe(
      "anna@acme.com",
      state("budget", 5000),
      state("budget", null),
      state("job_title", "CFO", { observed_at: "2026-01-01" }),
    );
    const { body } = await context({ focus: "anna@acme.com" });
    expect(body.workspace).toEqual([{ property: "ICP", value: "New ideal", id: current }]);
    expect(body.claims.map(({ property }) => property)).not.toContain("budget");
    const earlier = (await context({ focus: "anna@acme.com", as_of: before.toISOString() })).body;
    expect(earlier.workspace.map(({ value }) => value)).toEqual(["Old ideal"]);
    expect(earlier.claims.map(({ property }) => property)).toEqual(["job_title"]);
    expect((await context({ focus: "anna@acme.com", known_at: "2026-02-01" })).body).toMatchObject({
      claims: [],
      workspace: [],
      timeline: [],
    });
  });

  test("of a company shows its people and what happened with them", async () => {
    const { observe, state, context } = await setUp();
    await observe("anna@acme.com", state("first_name", "Anna"), state("job_title", "CFO"), {
      kind: "event",
      property: "interaction.call",
      value: "Intro call",
    });
    const { body } = await context({ focus: "acme.com" });
    expect(body.entity).toMatchObject({ type: "company", name: "acme.com" });
    expect(body.stakeholders).toMatchObject([{ name: "Anna", role: "CFO" }]);
    expect(body.timeline).toMatchObject([{ summary: "Anna: Intro call" }]);
  });

  test("of the workspace shows its facts once", async () => {
    const { workspace, context, fact } = await setUp();
    await fact("ICP", "Fintechs");
    const { body } = await context({ focus: "workspace" });
    expect(body).toMatchObject({ entity: { id: workspace.id, type: "workspace", name: "Test" }, claims: [] });
    expect(body.workspace).toHaveLength(1);
  });

  test("an ICP score is explained", async () => {
    const { observe, state, context } = await setUp();
    await observe("anna@acme.com", state("icp_score", 91));
    expect((await context({ focus: "anna@acme.com" })).body.icp).toEqual({ score: 91, tier: "tier_1", fit: true });
  });

  test("a name that several carry is ambiguous", async () => {
    const { observe, state, context } = await setUp();
    for (const focus of ["a@acme.com", "b@acme.com"])
      await observe(focus, state("first_name", "Anna"), state("last_name", "Smith"));
    expect((await context({ focus: "anna smith" })).body).toMatchObject({ status: "ambiguous", candidates: [{}, {}] });
  });
});

describe("refusals", () => {
  test.each([
    [{}, 400, { error: "focus_required" }],
    [{ focus: "  " }, 400, { error: "focus_required" }],
    [{ focus: 7 }, 400, { error: "invalid_parameter", parameter: "focus" }],
    [{ focus: "a@acme.com", intent: "sell" }, 400, { error: "invalid_intent", valid_intents: [...intents] }],
    [{ focus: "a@acme.com", budget_tokens: 255 }, 400, { error: "invalid_parameter", parameter: "budget_tokens" }],
    [{ focus: "a@acme.com", budget_tokens: 300.5 }, 400, { error: "invalid_parameter", parameter: "budget_tokens" }],
    [{ focus: "a@acme.com", as_of: "soon" }, 400, { error: "invalid_parameter", parameter: "as_of" }],
    [{ focus: "a@acme.com", tone: "warm" }, 400, { error: "unknown_parameter", parameter: "tone" }],
    [{ focus: "nobody@acme.com" }, 404, { error: "entity_not_found" }],
    [{ focus: "Nobody Known" }, 404, { error: "entity_not_found" }],
    [{ focus: newId() }, 404, { error: "entity_not_found" }],
  ])("%j is %i", async (body, status, expected) => {
    const { observe, state, context } = await setUp();
    await observe("a@acme.com", state("first_name", "A"));
    expect(await context(body)).toMatchObject({ status, body: expected });
  });

  test("another workspace's contact is not found, and a budget above the cap is lowered to it", async () => {
    const mine = await setUp();
    const theirs = await setUp();
    const id = await theirs.observe("anna@acme.com", theirs.state("first_name", "Anna"));
    expect(await mine.context({ focus: id })).toMatchObject({ status: 404 });
    expect(await mine.context({ focus: "anna@acme.com" })).toMatchObject({ status: 404 });
    expect((await theirs.context({ focus: id, budget_tokens: 1_000_000 })).body.meta.budget_tokens).toBe(32_000);
  });
});
