import { describe, expect, test } from "vitest";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

async function setUp(options: Parameters<typeof createTestWorkspace>[0] = {}) {
  const workspace = await createTestWorkspace(options);
  const key = await workspace.key();
  return {
    workspace,
    key,
    status: async () => (await call("/v2/workspace/status", { key })).body,
    onboard: (body: object) => call("/v2/workspace/onboarding", { key, body }),
    facts: async () =>
      (await call("/v2/workspace/facts", { key })).body.facts as {
        category: string;
        content: string;
        supersedes: string | null;
      }[],
  };
}

describe("the status of a workspace", () => {
  test("tells honestly what is not there", async () => {
    const { workspace, status } = await setUp({ plan: "free" });
    const answer = await status();
    expect(answer).toMatchObject({
      workspace: { id: workspace.id, entity_id: workspace.id, name: "Test", website: null },
      plan: { id: "free", name: "Free", crm_sync: false, lead_lists: false, icp_scoring: true },
      setup: {
        onboarding: { done: false, missing: ["website", "business_type", "plan_model", "default_signup_stage", "icp"] },
        gtm_playbook: { done: false, facts: 0, icp_facts: 0, model: null, stale_facts: 0 },
        integrations: { count: 0, connected: [] },
        crm_sync: { available: false, configured: false, providers: [] },
        enrichment: { connected: false, provider: null },
        webhooks: { count: 0 },
        triggers: { count: 0 },
      },
    });
    expect(answer.next_steps).toMatchObject([{ id: "write_icp" }, {}, {}, { id: "add_people" }]);
  });

  test("counts facts, the stale ones apart", async () => {
    const { key, status } = await setUp();
    const fact = { kind: "state", value: { category: "ICP", content: "Fintechs" }, observed_at: "2026-01-01" };
    await call("/v2/observations", {
      key,
      body: { focus: "workspace", observations: [{ ...fact, property: `note.${crypto.randomUUID()}` }] },
    });
    await call("/v2/workspace/facts", { key, body: { section: "Product", content: "A context store" } });
    expect(await status()).toMatchObject({
      setup: { gtm_playbook: { done: true, facts: 2, icp_facts: 1, stale_facts: 1 } },
    });
  });
});

describe("onboarding", () => {
  test("sets what is given, keeps the rest, and writes the ICP as a fact", async () => {
    const { key, status, onboard, facts } = await setUp();
    const first = await onboard({ name: " Acme ", website: "acme.com/", business_type: "software", icp: "Fintechs" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ok: true,
        workspace: { name: "Acme", website: "https://acme.com", business_type: "software", plan_model: null },
      },
    });
    await onboard({ plan_model: "free_trial", default_signup_stage: "aware", icp: "Insurers" });
    expect((await facts()).map(({ category, content }) => [category, content])).toEqual([["ICP", "Insurers"]]);
    expect((await facts())[0]?.supersedes).not.toBeNull();
    expect(await status()).toMatchObject({
      workspace: { name: "Acme", plan_model: "free_trial", default_signup_stage: "aware" },
      setup: { onboarding: { done: true, missing: [] } },
    });
    expect((await onboard({ website: "" })).body).toMatchObject({ workspace: { website: null } });
    expect((await onboard({})).body).toMatchObject({ ok: true, workspace: { name: "Acme" } });
    expect(key).toBeTruthy();
  });

  test.each([
    [{ name: " " }, { error: "name_required" }],
    [{ name: "x".repeat(101) }, { error: "name_required" }],
    [{ website: "not a site" }, { error: "invalid_website", parameter: "website" }],
    [
      { business_type: "shop" },
      { error: "invalid_parameter", parameter: "business_type", allowed: ["service", "software"] },
    ],
    [{ plan_model: "gratis" }, { error: "invalid_parameter", parameter: "plan_model" }],
    [{ default_signup_stage: "lead" }, { error: "invalid_parameter", parameter: "default_signup_stage" }],
    [{ icp: " " }, { error: "invalid_parameter", parameter: "icp" }],
    [{ icp: "x".repeat(10_001) }, { error: "invalid_parameter", parameter: "icp" }],
    [{ colour: "red" }, { error: "unknown_parameter", parameter: "colour" }],
  ])("%j is refused before anything is written", async (bad, expected) => {
    const { onboard, status, facts } = await setUp();
    const before = await status();
    expect(await onboard({ plan_model: "both", icp: "Fintechs", ...bad })).toMatchObject({
      status: 400,
      body: expected,
    });
    expect(await status()).toEqual(before);
    expect(await facts()).toEqual([]);
  });

  test("needs the scope write, and touches no other workspace", async () => {
    const mine = await setUp();
    const theirs = await setUp();
    const reader = await mine.workspace.key(["read"]);
    expect(await call("/v2/workspace/onboarding", { key: reader, body: { name: "x" } })).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope" },
    });
    await mine.onboard({ name: "Mine" });
    expect(await theirs.status()).toMatchObject({ workspace: { name: "Test" } });
  });

  test("writers at once each leave their field", async () => {
    const { onboard, status } = await setUp();
    await Promise.all([
      onboard({ name: "Acme" }),
      onboard({ website: "acme.com" }),
      onboard({ business_type: "service" }),
      onboard({ plan_model: "both" }),
    ]);
    expect(await status()).toMatchObject({
      workspace: { name: "Acme", website: "https://acme.com", business_type: "service", plan_model: "both" },
    });
  });
});
