/** Taking back what a person said in the app, which opens again a dispute that it settled. */
import { describe, expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { createStage } from "#lib/testing/conformance/stage.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { call, url } = useServer();

const ANNA = "anna@acme.com";
const TITLE = "VP Sales";
const state = (value: unknown, source: string, property = "job_title") => ({
  kind: "state",
  property,
  value,
  source,
  method: source === "guess" ? "inferred" : "observed",
});

/** Anna, whose title one source says and two others guess otherwise. */
async function setUp() {
  const stage = await createStage();
  const key = await stage.key();
  const as = async (role: "admin" | "viewer") => {
    const { cookie } = await stage.person(role);
    const headers = { cookie, origin: url(), "sec-fetch-site": "same-origin" };
    return (path: string, body: object) => call(`/api/app/${stage.id}${path}`, { headers, body });
  };
  const app = await as("admin");
  const observe = (...observations: object[]) => call("/v2/observations", { key, body: { focus: ANNA, observations } });
  const { body } = await observe(state(TITLE, "crm"), state("Head of Sales", "guess"), {
    ...state("Sales Director", "guess"),
    source: "web",
  });
  const id = body.entity_id as string;
  const say = async (value: unknown, property = "job_title") => {
    const said = { focus: ANNA, observations: [{ kind: "state", property, value }] };
    return ((await app("/v2/observations", said)).body.observation_ids as string[])[0] as string;
  };
  const withdraw = (observation_id: string, by = app) => by(`/accounts/${id}/withdraw`, { observation_id });
  const account = async () => (await call(`/v2/accounts/${ANNA}`, { key })).body;
  const title = async () => ((await account()).claims as Record<string, unknown>).job_title;
  const rebuilt = async () => (await rebuildWorkspace(stage.caller)).differences;
  return { stage, key, as, observe, id, say, withdraw, account, title, rebuilt };
}

const rivalsIn = (claim: unknown) =>
  (claim as { conflicts?: { value: unknown }[] }).conflicts?.map(({ value }) => value) ?? [];

describe("what a person said", () => {
  test.each([TITLE, "Head of Sales"])(
    "is taken back, and the dispute that “%s” settled is open again",
    async (value) => {
      const { key, id, say, withdraw, title, rebuilt } = await setUp();
      const open = await title();
      expect(rivalsIn(open)).toEqual(["Head of Sales", "Sales Director"]);
      const said = await say(value);
      expect(await title()).toMatchObject({ value, epistemic_class: "asserted" });
      expect(rivalsIn(await title())).toEqual([]);

      const { status, body } = await withdraw(said);
      expect([status, body]).toEqual([200, { entity_id: id, property: "job_title", value: TITLE }]);
      expect(await title()).toEqual(open);
      expect((await call(`/v2/people/${ANNA}`, { key })).body).toMatchObject({ person: { job_title: TITLE } });
      expect(await rebuilt()).toEqual([]);

      // The evidence keeps both, and taking it back again adds nothing.
      const evidence = () =>
        inspect("SELECT id FROM observations WHERE entity_id = $1 AND property = 'job_title'", [id]);
      expect(await evidence()).toHaveLength(5);
      expect((await withdraw(said)).body).toEqual(body);
      expect(await evidence()).toHaveLength(5);

      // The same value settles it again.
      await say(value);
      expect(rivalsIn(await title())).toEqual([]);
      expect(await title()).toMatchObject({ value });
      expect(await rebuilt()).toEqual([]);
    },
  );

  test("no longer holds against what machines say once it is taken back", async () => {
    const { observe, say, withdraw, title } = await setUp();
    await withdraw(await say("CRO"));
    await observe(state("CEO", "crm"));
    expect(await title()).toMatchObject({ value: "CEO" });
  });

  test("lets people move to the company they worked for", async () => {
    const { key, observe, account, say, withdraw, rebuilt } = await setUp();
    const made = await call("/v2/companies", { key, body: { domain: "hooli.com", name: "Hooli" } });
    const hooli = (made.body.company as { id: string }).id;
    const employer = async () =>
      ((await account()).relationships as { works_at: { entity_id: string }[] }).works_at[0]?.entity_id;
    const acme = await employer();
    await observe(state(acme, "crm", "works_at"));
    const said = await say(hooli, "works_at");
    expect(await employer()).toBe(hooli);
    await withdraw(said);
    expect(await employer()).toBe(acme);
    expect(await rebuilt()).toEqual([]);
  });
});

describe("is refused, and nothing is written:", () => {
  const seqOf = async (workspace: string) =>
    inspect("SELECT count(*)::int AS n FROM observations WHERE workspace_id = $1", [workspace]);

  test("what a key observed or asserted, what an activity is, a stage, and what withdrew", async () => {
    const { stage, key, as, id, observe, say, withdraw } = await setUp();
    const byKey = ((await observe(state("CEO", "crm"))).body.observation_ids as string[])[0] as string;
    const asserted = { ...state("CFO", "crm"), method: "asserted" };
    const claimed = ((await observe(asserted)).body.observation_ids as string[])[0] as string;
    const mine = await say("CRO");
    const staged = await say("aware", "pipeline_stage");
    const { body } = await call("/api/v1/capture", { key, body: { email: ANNA, type: "meeting_held" } });
    const before = await seqOf(stage.id);
    const unknown = "0190a6e0-0000-7000-8000-000000000001";
    const wrong = [byKey, claimed, staged, body.activity_id as string, unknown, "nothing"];
    for (const said of wrong)
      expect((await withdraw(said)).body, said).toMatchObject({ error: "observation_not_found" });
    expect(await seqOf(stage.id)).toEqual(before);

    await withdraw(mine);
    const [withdrawal] = await inspect<{ id: string }>(
      "SELECT id FROM observations WHERE entity_id = $1 AND caused_by = $2",
      [id, mine],
    );
    expect((await withdraw(withdrawal?.id ?? "")).body).toMatchObject({ error: "observation_not_found" });
    expect((await withdraw(mine, await as("viewer"))).status).toBe(403);
  });

  test("the only value there is", async () => {
    const { say, withdraw, account } = await setUp();
    const { status, body } = await withdraw(await say("Berlin", "city"));
    expect([status, body.error]).toEqual([409, "only_value"]);
    expect((await account()).claims).toMatchObject({ city: { value: "Berlin" } });
  });

  test("what was said on a record that was merged since", async () => {
    const { key, id, say, withdraw } = await setUp();
    const said = await say("CRO");
    const { body } = await call("/v2/people", { key, body: { email: "anna@hooli.com" } });
    const keep = (body.person as { id: string }).id;
    await call("/v2/accounts/merge", { key, body: { keep, drop: id } });
    expect((await withdraw(said)).body).toMatchObject({ error: "observation_not_found" });
  });
});
