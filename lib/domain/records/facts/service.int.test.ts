import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();
type FactBody = {
  id: string;
  category: string;
  content: string;
  source: string;
  recorded_at: string;
  supersedes: string | null;
  superseded_by?: string | null;
  superseded_at?: string | null;
};

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const save = (body: object) => call("/v2/workspace/facts", { key, body });
  const observe = (observations: object[], focus = "workspace") =>
    call("/v2/observations", { key, body: { focus, observations } });
  const list = async (query = "") =>
    (await call(`/v2/workspace/facts${query}`, { key })).body as {
      facts: FactBody[];
      count: number;
      by_category: Record<string, number>;
    };
  return { workspace, key, save, observe, list };
}

describe("saving a section", () => {
  test("replace makes the new fact the only current one and keeps the prior as history", async () => {
    const { save, list } = await setUp();
    const first = await save({ section: "ICP", content: "Fintechs" });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      section: "ICP",
      mode: "replace",
      superseded: false,
      fact: { category: "ICP", content: "Fintechs", source: "api" },
    });
    const second = await save({ section: "ICP", content: "Insurers" });
    expect(second.body).toMatchObject({ superseded: true });
    const { facts } = await list();
    expect(facts.map((fact) => fact.content)).toEqual(["Insurers"]);
    expect(facts[0]?.supersedes).toBe((first.body.fact as FactBody).id);
    const history = await list("?include_history=true");
    expect(history.facts.map((fact) => fact.content)).toEqual(["Insurers", "Fintechs"]);
    expect(history.facts[1]).toMatchObject({ superseded_by: facts[0]?.id, superseded_at: facts[0]?.recorded_at });
  });

  test("append adds an entry; Notes appends by default; replace then ends every entry of the section", async () => {
    const { save, list } = await setUp();
    await save({ section: "Notes", content: "one" });
    expect((await save({ section: "Notes", content: "two" })).body).toMatchObject({
      mode: "append",
      superseded: false,
    });
    expect((await list()).facts.map((fact) => fact.content)).toEqual(["two", "one"]);
    await save({ section: "Notes", content: "three", mode: "replace" });
    expect((await list()).facts.map((fact) => fact.content)).toEqual(["three"]);
    expect((await list("?include_history=true")).count).toBe(3);
  });

  test("supersedes replaces exactly the named fact, in any mode and section", async () => {
    const { save, list } = await setUp();
    const a = (await save({ section: "Market", content: "a", mode: "append" })).body.fact as FactBody;
    await save({ section: "Market", content: "b", mode: "append" });
    const c = await save({ section: "Product", content: "c", mode: "append", supersedes: a.id });
    expect(c.body).toMatchObject({ superseded: true, section: "Product" });
    expect((await list()).facts.map((fact) => fact.content)).toEqual(["c", "b"]);
    const again = await save({ section: "Product", content: "d", supersedes: a.id });
    expect(again).toMatchObject({
      status: 409,
      body: { error: "fact_already_superseded", current_id: (c.body.fact as FactBody).id },
    });
    expect(await save({ section: "Product", content: "d", supersedes: newId() })).toMatchObject({
      status: 404,
      body: { error: "fact_not_found" },
    });
  });

  test.each([
    [{}, 400, "section_and_content_required"],
    [{ section: "ICP" }, 400, "section_and_content_required"],
    [{ section: "ICP", content: "  \n" }, 400, "section_and_content_required"],
    [{ content: "x" }, 400, "section_and_content_required"],
    [{ section: "", content: "x" }, 400, "section_and_content_required"],
    [{ section: "Nope", content: "x" }, 400, "invalid_section"],
    [{ section: "ICP", content: "x", mode: "merge" }, 400, "invalid_mode"],
    [{ section: "ICP", content: 5 }, 400, "invalid_parameter"],
    [{ section: "ICP", content: "x".repeat(10_001) }, 400, "invalid_parameter"],
    [{ section: "ICP", content: "x\u0000" }, 400, "invalid_parameter"],
    [{ section: "ICP", content: "x", colour: 1 }, 400, "unknown_parameter"],
    [{ section: "ICP", content: "x", supersedes: "nope" }, 404, "fact_not_found"],
    [{ section: "ICP", content: "x", supersedes: 5 }, 400, "invalid_parameter"],
    [{ section: "ICP", content: "x", supersedes: null }, 400, "invalid_parameter"],
  ])("%j is %i %s and writes nothing", async (body, status, error) => {
    const { save, list } = await setUp();
    expect(await save(body)).toMatchObject({ status, body: { error } });
    expect((await list("?include_history=true")).count).toBe(0);
  });

  test("an invalid section names those allowed", async () => {
    const { save } = await setUp();
    expect((await save({ section: "icp", content: "x" })).body.allowed).toContain("ICP");
  });

  test("forty writers replacing one section at once leave one current fact and forty versions", async () => {
    const { save, list } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => save({ section: "Pricing", content: `price ${index}` })),
    );
    expect(Math.max(...answers.map((answer) => answer.status))).toBe(201);
    expect((await list()).count).toBe(1);
    const history = await list("?include_history=true&limit=500");
    expect(new Set(history.facts.map((fact) => fact.content)).size).toBe(40);
    expect(history.facts.filter((fact) => fact.superseded_by === undefined)).toHaveLength(1);
    expect(new Set(history.facts.slice(1).map((fact) => fact.superseded_by)).size).toBe(39);
  });
});

describe("reading the profile", () => {
  test("categories match exactly, before limit; count and by_category describe what is returned", async () => {
    const { save, list } = await setUp();
    await save({ section: "ICP", content: "icp" });
    for (const content of ["a", "b", "c"]) await save({ section: "Notes", content });
    expect((await list("?categories=ICP&limit=1")).facts.map((fact) => fact.content)).toEqual(["icp"]);
    expect(await list("?categories=Notes,ICP&limit=3")).toMatchObject({ count: 3, by_category: { Notes: 3 } });
    expect((await list("?categories=icp")).count).toBe(0);
    expect((await list("?limit=100000")).count).toBe(4);
  });

  test.each(["?limit=0", "?limit=-1", "?limit=1.5", "?limit=abc", "?limit=", "?as_of=someday", "?include_history=1"])(
    "%s is refused by name",
    async (query) => {
      const { key } = await setUp();
      const answer = await call(`/v2/workspace/facts${query}`, { key });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: "invalid_parameter", parameter: /[a-z_]+/.exec(query)?.[0] },
      });
    },
  );

  test("as_of answers what was true then, known_at what was known then", async () => {
    const { observe, list } = await setUp();
    const [id, early, late] = [newId(), "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z"];
    await observe([
      { kind: "state", property: `note.${id}`, value: { category: "ICP", content: "old" }, observed_at: early },
    ]);
    await observe([
      { kind: "state", property: `note.${id}`, value: { category: "ICP", content: "new" }, observed_at: late },
    ]);
    expect((await list()).facts.map((fact) => fact.content)).toEqual(["new"]);
    expect((await list("?as_of=2026-02-01")).facts.map((fact) => fact.content)).toEqual(["old"]);
    expect((await list("?as_of=2025-12-01")).count).toBe(0);
    expect((await list(`?known_at=${encodeURIComponent(early)}`)).count).toBe(0);
  });

  test("two workspaces never see each other's facts", async () => {
    const [mine, other] = [await setUp(), await setUp()];
    const fact = (await mine.save({ section: "ICP", content: "mine" })).body.fact as FactBody;
    expect((await other.list("?include_history=true")).count).toBe(0);
    expect(await other.save({ section: "ICP", content: "x", supersedes: fact.id })).toMatchObject({
      status: 404,
      body: { error: "fact_not_found" },
    });
    expect(await other.observe([{ kind: "state", property: "x", value: 1 }], mine.workspace.id)).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
  });
});

describe("facts as observations", () => {
  test("note.<uuid> is the same record as a fact", async () => {
    const { observe, list, workspace } = await setUp();
    const id = newId();
    const property = `note.${id}`;
    expect((await observe([{ kind: "state", property, value: "plain text" }])).body).toMatchObject({
      entity_id: workspace.id,
      recorded: 1,
      duplicates: 0,
      claims_recomputed: [property],
    });
    expect((await list()).facts[0]).toMatchObject({ id, category: "Notes", content: "plain text", source: "api" });
    const same = await observe([{ kind: "state", property, value: { content: "plain text" } }]);
    expect(same.body).toMatchObject({ recorded: 0, duplicates: 1, claims_recomputed: [] });
    await observe([
      {
        kind: "state",
        property: property.toUpperCase().replace("NOTE", "note"),
        value: { category: "Objections", content: "changed" },
        source: "crm",
      },
    ]);
    expect((await list()).facts).toMatchObject([{ id, category: "Objections", content: "changed", source: "crm" }]);
    await observe([{ kind: "state", property, value: null }]);
    expect((await list()).count).toBe(0);
    const history = await list("?include_history=true");
    expect(history.facts.map((fact) => [fact.content, fact.superseded_by])).toEqual([
      ["changed", null],
      ["plain text", id],
    ]);
  });

  test("documents never appear among facts, and a note on a person is not a fact", async () => {
    const { observe, list } = await setUp();
    await observe([{ kind: "state", property: "website", value: "acme.com" }]);
    await observe([{ kind: "state", property: `note.${newId()}`, value: "hi" }], "anna@acme.com");
    expect((await list()).count).toBe(0);
  });

  test.each([
    [
      [
        { kind: "state", property: "note.x", value: 1 },
        { kind: "rumour", property: "a", value: 1 },
      ],
      1,
    ],
    [[{ kind: "state", property: "a b", value: 1 }], 0],
    [
      [
        { kind: "state", property: "a", value: 1 },
        { kind: "state", property: "b" },
      ],
      1,
    ],
    [[{ kind: "state", property: "a", value: 1, colour: 2 }], 0],
    [[{ kind: "state", property: "a", value: 1, observed_at: "soon" }], 0],
    [[{ kind: "state", property: "a", value: 1, observed_at: "2999-01-01" }], 0],
    [[{ kind: "state", property: `note.${newId()}`, value: { content: " " } }], 0],
    [[{ kind: "event", property: `note.${newId()}`, value: { content: "x" } }], 0],
  ])("a bad item writes nothing and names its index (%#)", async (observations, index) => {
    const { observe, workspace } = await setUp();
    expect(await observe(observations)).toMatchObject({ status: 400, body: { error: "invalid_observation", index } });
    expect(await inspect("SELECT 1 FROM observations WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test.each([
    [{}, "focus_and_observations_required"],
    [{ focus: "workspace", observations: [] }, "focus_and_observations_required"],
    [{ focus: "Anna Smith", observations: [{ kind: "state", property: "a", value: 1 }] }, "invalid_focus"],
    [{ focus: 7, observations: [{ kind: "state", property: "a", value: 1 }] }, "invalid_focus"],
  ])("%j is 400 %s", async (body, error) => {
    const { key } = await setUp();
    expect(await call("/v2/observations", { key, body })).toMatchObject({ status: 400, body: { error } });
  });

  test("a repeated external_id is recorded once, in one request and across requests", async () => {
    const { observe } = await setUp();
    const item = {
      kind: "event",
      property: "page.visited",
      value: { path: "/pricing" },
      source: "site",
      external_id: "v1",
    };
    const first = await observe([item, item], "anna@acme.com");
    expect(first.body).toMatchObject({ recorded: 1, duplicates: 1 });
    const second = await observe([item], "ANNA@acme.com ");
    expect(second.body).toMatchObject({ recorded: 0, duplicates: 1, entity_id: first.body.entity_id });
    expect((second.body.observation_ids as string[])[0]).toBe((first.body.observation_ids as string[])[0]);
  });

  test("a hundred concurrent observations of one new person make one person", async () => {
    const { observe, workspace } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        observe([{ kind: "state", property: "job_title", value: `title ${index}` }], "race@acme.com"),
      ),
    );
    expect(new Set(answers.map((answer) => answer.body.entity_id)).size).toBe(1);
    expect(
      await inspect("SELECT count(*)::int AS n FROM observations WHERE workspace_id = $1 AND property = 'job_title'", [
        workspace.id,
      ]),
    ).toEqual([{ n: 100 }]);
  });
});
