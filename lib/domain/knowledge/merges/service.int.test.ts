import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const post = (path: string, body: object) => call(path, { key, body });
  const person = async (body: object) => (await post("/v2/people", body)).body.person as { id: string };
  const list = async () =>
    (await call("/v2/people?sort=created_asc", { key })).body.people as Record<string, unknown>[];
  const companies = async () =>
    (await call("/v2/companies?sort=created_asc", { key })).body.companies as Record<string, unknown>[];
  const observe = (focus: string, observations: object[]) => post("/v2/observations", { focus, observations });
  /** Every projection of the workspace, to the byte. */
  const projections = async () => ({
    claims: await inspect("SELECT * FROM claims WHERE workspace_id = $1 ORDER BY id", [workspace.id]),
    people: await inspect("SELECT * FROM people WHERE workspace_id = $1 ORDER BY id", [workspace.id]),
    companies: await inspect("SELECT * FROM companies WHERE workspace_id = $1 ORDER BY id", [workspace.id]),
    identifiers: await inspect("SELECT * FROM identifiers WHERE workspace_id = $1 ORDER BY id", [workspace.id]),
    entities: await inspect("SELECT id, merged_into, absorbed FROM entities WHERE workspace_id = $1 ORDER BY id", [
      workspace.id,
    ]),
  });
  return { workspace, key, post, person, list, companies, observe, projections };
}

const visit = (observed_at: string) => ({ kind: "event", property: "page.visited", value: {}, observed_at });

describe("merging two people", () => {
  test("gives everything to the kept record, and undoing gives it back to the byte", async () => {
    const { key: workspaceKey, post, person, list, observe, projections } = await setUp();
    const keep = await person({ email: "anna@acme.com", job_title: "CTO", region: "DACH" });
    const anne = { first_name: "Anne", last_name: "Smith" };
    const drop = await person({ email: "anna.smith@gmail.com", job_title: "VP", phone: "+4930123456", ...anne });
    await observe(drop.id, [visit("2026-02-01T00:00:00Z")]);
    const before = await projections();

    const plan = await post("/v2/accounts/merge", { keep: "anna@acme.com", drop: drop.id, dry_run: true });
    expect(plan.body).toMatchObject({
      merge_id: null,
      moves: { identifiers: 1, observations: 6 },
      conflicts: [
        { property: "job_title", keep: "CTO", drop: "VP", result: "VP" },
        { property: "email", keep: "anna@acme.com", drop: "anna.smith@gmail.com", suggested: "keep" },
      ],
    });
    expect(await projections()).toEqual(before);

    const merged = await post("/v2/accounts/merge", { keep: keep.id, drop: drop.id });
    expect(merged.status).toBe(200);
    expect(await list()).toMatchObject([
      {
        id: keep.id,
        email: "anna@acme.com",
        phone: "+4930123456",
        last_activity_at: "2026-02-01T00:00:00.000Z",
        properties: { region: "DACH" },
      },
    ]);
    const recorded = await observe("anna.smith@gmail.com", [{ kind: "state", property: "city", value: "Berlin" }]);
    expect(recorded.body.entity_id).toBe(keep.id);
    expect((await observe(drop.id, [{ kind: "state", property: "city", value: "Berlin" }])).body.entity_id).toBe(
      keep.id,
    );

    const into = async () => (await call(`/v2/accounts/${keep.id}/merges`, { key: workspaceKey })).body;
    expect(await into()).toMatchObject({
      merges: [
        {
          merge_id: merged.body.merge_id,
          record: { entity_id: drop.id, type: "person", name: "Anne Smith" },
          identifiers: [{ kind: "email", value: "anna.smith@gmail.com" }],
        },
      ],
    });
    const undone = await post("/v2/accounts/unmerge", { merge_id: merged.body.merge_id as string });
    expect(await into()).toEqual({ merges: [] });
    expect(undone.body).toMatchObject({ keep: { entity_id: keep.id }, restored: { entity_id: drop.id } });
    const after = await projections();
    expect(after.identifiers).toEqual(before.identifiers);
    expect(after.entities).toEqual(before.entities);
    expect(after.claims.filter((claim) => claim.property !== "city")).toEqual(before.claims);
    const rows = (people: typeof after.people) =>
      people.map(({ custom, property_set, wire, wire_end, updated_at, ...row }) => row);
    expect(rows(after.people)).toEqual(rows(before.people));
    expect(await post("/v2/accounts/unmerge", { merge_id: merged.body.merge_id as string })).toMatchObject({
      status: 409,
      body: { error: "merge_already_undone" },
    });
  });

  test("follows a chain and is undone in order", async () => {
    const { workspace, post, person, list, observe } = await setUp();
    const [a, b, c] = [
      await person({ email: "a@x.com" }),
      await person({ email: "b@x.com" }),
      await person({ email: "c@x.com" }),
    ];
    const first = (await post("/v2/accounts/merge", { keep: b.id, drop: c.id })).body.merge_id as string;
    await observe("c@x.com", [visit("2026-02-01T00:00:00Z"), visit("2026-02-02T00:00:00Z")]);
    const plan = await post("/v2/accounts/merge", { keep: a.id, drop: b.id, dry_run: true });
    const evidence = await inspect("SELECT id FROM observations WHERE workspace_id = $1 AND entity_id = ANY($2)", [
      workspace.id,
      [b.id, c.id],
    ]);
    expect(plan.body.moves).toEqual({ identifiers: 2, observations: evidence.length });
    const second = (await post("/v2/accounts/merge", { keep: a.id, drop: b.id })).body.merge_id as string;
    expect((await list()).map((row) => row.id)).toEqual([a.id]);
    expect((await post("/v2/people", { email: "c@x.com" })).body.person).toMatchObject({ id: a.id });
    expect(await post("/v2/accounts/unmerge", { merge_id: first })).toMatchObject({
      status: 409,
      body: { error: "merge_not_latest" },
    });
    expect((await post("/v2/accounts/unmerge", { merge_id: second })).status).toBe(200);
    expect((await list()).map((row) => row.id)).toEqual([a.id, b.id]);
    expect((await post("/v2/accounts/unmerge", { merge_id: first })).status).toBe(200);
    expect((await list()).map((row) => row.id)).toEqual([a.id, b.id, c.id]);
  });

  test("two merges of the same records at once leave one", async () => {
    const { post, person, list } = await setUp();
    const [a, b] = [await person({ email: "a@x.com" }), await person({ email: "b@x.com" })];
    const answers = await Promise.all([
      post("/v2/accounts/merge", { keep: a.id, drop: b.id }),
      post("/v2/accounts/merge", { keep: b.id, drop: a.id }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await list()).toHaveLength(1);
  });
});

test("merging two companies moves their people, and undoing moves them back", async () => {
  const { post, person, list, companies } = await setUp();
  await person({ email: "anna@acme.com" });
  await person({ email: "bob@acme.io" });
  const merged = await post("/v2/accounts/merge", { keep: "acme.com", drop: "acme.io" });
  expect(await companies()).toMatchObject([{ domain: "acme.com", people_count: 2 }]);
  const [company] = await companies();
  expect((await list()).map((row) => row.company_id)).toEqual([company?.id, company?.id]);
  await post("/v2/accounts/unmerge", { merge_id: merged.body.merge_id as string });
  expect(await companies()).toMatchObject([
    { domain: "acme.com", people_count: 1 },
    { domain: "acme.io", people_count: 1 },
  ]);
  expect((await list()).map((row) => row.company)).toEqual(["acme.com", "acme.io"]);
});

test("what cannot be merged is refused", async () => {
  const { post, person } = await setUp();
  const anna = await person({ email: "anna@acme.com" });
  const merge = (keep: string, drop: string) => post("/v2/accounts/merge", { keep, drop });
  expect(await merge(anna.id, "anna@acme.com")).toMatchObject({ status: 409, body: { error: "cannot_merge" } });
  expect(await merge(anna.id, "acme.com")).toMatchObject({ status: 409, body: { error: "cannot_merge" } });
  expect(await merge(anna.id, "workspace")).toMatchObject({ status: 409, body: { error: "cannot_merge" } });
  expect(await merge(anna.id, newId())).toMatchObject({ status: 404, body: { error: "entity_not_found" } });
  expect(await merge(anna.id, "Anna Smith")).toMatchObject({ status: 400, body: { error: "invalid_focus" } });
  expect(await post("/v2/accounts/unmerge", { merge_id: newId() })).toMatchObject({
    status: 404,
    body: { error: "merge_not_found" },
  });
  expect(await post("/v2/accounts/unmerge", { merge_id: "x" })).toMatchObject({
    status: 404,
    body: { error: "merge_not_found" },
  });
});

test("suggestions name likely duplicates with a reason, never a name alone", async () => {
  const { person, key } = await setUp();
  const first = await person({ email: "anna@acme.com", first_name: "Anna", last_name: "Smith" });
  const second = await person({ email: "a.smith@acme.com", first_name: "anna", last_name: "smith" });
  await person({ email: "anna@other.com", first_name: "Anna", last_name: "Smith" });
  await person({ email: "p@gmail.com", phone: "+49 30 123456" });
  await person({ email: "q@gmail.com", phone: "+4930123456" });
  const { suggestions } = (await call("/v2/accounts/duplicates", { key })).body as {
    suggestions: { reason: string; records: { entity_id: string }[] }[];
  };
  expect(suggestions.map(({ reason }) => reason)).toEqual(["same_phone", "same_name_and_company"]);
  expect(suggestions[1]?.records.map(({ entity_id }) => entity_id)).toEqual([first.id, second.id]);
});

test("a same-named person whose company is only text is suggested with that reason, and no other same-named one", async () => {
  const { person, key } = await setUp();
  const named = (more: object) => person({ first_name: "Zoé", last_name: "Martin", ...more });
  const profile = (name: string) => `https://www.linkedin.com/in/${name}`;
  const linked = await named({ email: "zoe@brightwater.io" });
  const text = await named({ linkedin_url: profile("zoe-m"), first_name: "Zoe", company: "Brightwater, Inc." });
  await named({ linkedin_url: profile("zoe-n"), company: "Northgate" });
  await named({ email: "zoe@kestrel.app" });
  await named({ email: "zoe@gmail.com" });
  await person({ linkedin_url: profile("other"), first_name: "Other", last_name: "Martin", company: "Brightwater" });
  const { suggestions } = (await call("/v2/accounts/duplicates", { key })).body as {
    suggestions: { reason: string; detail: string; records: { entity_id: string }[] }[];
  };
  expect(suggestions.map(({ reason }) => reason)).toEqual(["same_name_and_written_company"]);
  expect(suggestions[0]?.records.map(({ entity_id }) => entity_id)).toEqual([linked.id, text.id]);
  expect(suggestions[0]?.detail).toMatch(/Zo.* Martin at .*, which is not linked/);
});

test("two companies of one name are suggested unless their countries differ or one is archived", async () => {
  const { post, key } = await setUp();
  const company = (body: object) => post("/v2/companies", body);
  const first = (await company({ domain: "acme.com", name: "Acme", country: "DE" })).body.company as { id: string };
  const second = (await company({ domain: "acme.de", name: "Acme", country: "DE" })).body.company as { id: string };
  await company({ domain: "acme.fr", name: "Acme", country: "FR" });
  await company({ domain: "umbra.io", name: "Umbra" });
  await company({ domain: "umbra.com" });
  const suggested = async () => (await call("/v2/accounts/duplicates", { key })).body.suggestions;
  expect(await suggested()).toMatchObject([
    {
      reason: "same_company_name",
      detail: "Acme",
      records: [
        { entity_id: first.id, type: "company", name: "Acme" },
        { entity_id: second.id, type: "company", name: "Acme" },
      ],
    },
  ]);
  await company({ domain: "acme.de", status: "archived" });
  expect(await suggested()).toEqual([]);
});

test("as many suggestions are given as were asked for, whatever else has only one record", async () => {
  const { post, person, key } = await setUp();
  const shown = async () =>
    (
      (await call("/v2/accounts/duplicates?limit=1", { key })).body.suggestions as {
        reason: string;
        records: { name: string }[];
      }[]
    ).map(({ reason, records }) => [reason, ...records.map(({ name }) => name)]);
  await post("/v2/companies", { domain: "aardvark.com", name: "Aardvark" });
  await post("/v2/companies", { domain: "globex.com", name: "Globex" });
  await post("/v2/companies", { domain: "globex.io", name: "Globex" });
  expect(await shown()).toEqual([["same_company_name", "Globex", "Globex"]]);
  const zoe = { first_name: "Zoe", last_name: "Martin" };
  await person({ ...zoe, email: "zoe@brightwater.io" });
  await person({ ...zoe, linkedin_url: "https://www.linkedin.com/in/zoe", company: "Brightwater" });
  await person({ ...zoe, linkedin_url: "https://www.linkedin.com/in/zoe-n", company: "Aardwolf" });
  expect(await shown()).toEqual([["same_name_and_written_company", "Zoe Martin", "Zoe Martin"]]);
  const anna = { first_name: "Anna", last_name: "Smith" };
  await person({ ...anna, email: "anna@acme.com" });
  await person({ ...anna, email: "a.smith@acme.com" });
  expect(await shown()).toEqual([["same_name_and_company", "Anna Smith", "Anna Smith"]]);
  await person({ email: "a@gmail.com", phone: "+4930111111" });
  await person({ email: "p@gmail.com", phone: "+4930123456" });
  await person({ email: "q@gmail.com", phone: "+4930123456" });
  expect(await shown()).toEqual([["same_phone", "p@gmail.com", "q@gmail.com"]]);
});

test("a list is checked against what is known", async () => {
  const { post, person, observe } = await setUp();
  await person({ email: "known@acme.com" });
  await person({ email: "engaged@acme.com", pipeline_stage: "interested" });
  await person({ email: "gone@acme.com", unsubscribed: true });
  await observe("recent@acme.com", [visit(new Date().toISOString())]);
  await observe("bounced@acme.com", [{ kind: "event", property: "interaction.email_bounced", value: {} }]);
  const emails = [
    "KNOWN@acme.com",
    "engaged@acme.com",
    "gone@acme.com",
    "recent@acme.com",
    "bounced@acme.com",
    "new@acme.com",
    "nonsense",
  ];
  const { results, summary } = (await post("/v2/dedup", { emails, domains: ["acme.com", "gmail.com"] })).body as {
    results: { status: string }[];
    summary: object;
  };
  expect(results.map(({ status }) => status)).toEqual([
    "known",
    "engaged",
    "unsubscribed",
    "recent",
    "bounced",
    "net_new",
    "invalid",
    "recent",
    "invalid",
  ]);
  expect(summary).toEqual({
    net_new: 1,
    known: 1,
    engaged: 1,
    recent: 2,
    bounced: 1,
    unsubscribed: 1,
    invalid: 2,
    total: 9,
  });
});

describe("a choice per field", () => {
  async function two() {
    const all = await setUp();
    const keep = await all.person({ email: "anna@acme.com", first_name: "Anna", job_title: "CTO", region: "DACH" });
    const drop = await all.person({ email: "a.smith@gmail.com", first_name: "Anne", job_title: "VP", region: "EMEA" });
    await all.post("/v2/people", { email: "anna@acme.com", pipeline_stage: "client" });
    await all.post("/v2/people", { email: "a.smith@gmail.com", pipeline_stage: "aware" });
    const merge = (more: object) => all.post("/v2/accounts/merge", { keep: keep.id, drop: drop.id, ...more });
    const shown = async () => (await all.list())[0] as { properties: object };
    return { ...all, keep, drop, merge, shown };
  }

  test("is suggested by the rules, becomes evidence, and is taken back with the merge", async () => {
    const { workspace, post, list, merge, shown } = await two();
    const before = await list();
    const { body: plan } = await merge({ dry_run: true });
    const suggested = (plan.conflicts as { property: string; suggested: string }[]).map((one) => [
      one.property,
      one.suggested,
    ]);
    expect(suggested).toEqual([
      ["first_name", "keep"],
      ["job_title", "drop"],
      ["pipeline_stage", "keep"],
      ["region", "drop"],
      ["email", "keep"],
    ]);
    expect(plan.in_common).toEqual([]);
    const { body } = await merge({
      fields: { first_name: "keep", job_title: "keep", pipeline_stage: "keep", region: "drop" },
    });
    expect(await shown()).toMatchObject({
      first_name: "Anna",
      job_title: "CTO",
      pipeline_stage: "client",
      properties: { region: "EMEA" },
    });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    await post("/v2/accounts/unmerge", { merge_id: body.merge_id });
    const values = (rows: Record<string, unknown>[]) => rows.map(({ updated_at: _, ...row }) => row);
    expect(values(await list())).toEqual(values(before));
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("of a stage is only needed to lower it", async () => {
    const { workspace, post, list, merge, shown } = await two();
    const before = await list();
    const stageIn = (body: { conflicts?: unknown }) =>
      (body.conflicts as { property: string; result: string }[]).find(({ property }) => property === "pipeline_stage")
        ?.result;
    expect(stageIn((await merge({ dry_run: true })).body)).toBe("client");
    const { body } = await merge({});
    expect(stageIn(body)).toBe("client");
    expect(await shown()).toMatchObject({ pipeline_stage: "client" });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    await post("/v2/accounts/unmerge", { merge_id: body.merge_id });
    expect((await list()).map(({ pipeline_stage }) => pipeline_stage)).toEqual(
      before.map(({ pipeline_stage }) => pipeline_stage),
    );
    await merge({ fields: { pipeline_stage: "drop" } });
    expect(await shown()).toMatchObject({ pipeline_stage: "aware" });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("is suggested by what was learned last of what was true at the same time", async () => {
    const { post, person, observe } = await setUp();
    const [keep, drop] = [await person({ email: "anna@acme.com" }), await person({ email: "as@gmail.com" })];
    const title = (value: string) => [
      { kind: "state", property: "job_title", value, observed_at: "2026-02-01T00:00:00Z" },
    ];
    await observe(drop.id, title("VP"));
    await observe(keep.id, title("CTO"));
    const plan = await post("/v2/accounts/merge", { keep: keep.id, drop: drop.id, dry_run: true });
    const email = { property: "email" };
    expect(plan.body.conflicts).toMatchObject([{ keep: "CTO", drop: "VP", result: "CTO", suggested: "keep" }, email]);
    const other = await post("/v2/accounts/merge", { keep: drop.id, drop: keep.id, dry_run: true });
    expect(other.body.conflicts).toMatchObject([{ keep: "VP", drop: "CTO", result: "CTO", suggested: "drop" }, email]);
  });

  test("of the company and the primary address is that of the kept record, unless the other is chosen", async () => {
    const { workspace, post, person, list } = await setUp();
    const keep = await person({ email: "anna@acme.com", unsubscribed: true });
    const drop = await person({ email: "anna@umbra.io", unsubscribed: false });
    const before = await list();
    const merge = (fields: object) => post("/v2/accounts/merge", { keep: keep.id, drop: drop.id, fields });
    const { body } = await merge({});
    expect(await list()).toMatchObject([{ id: keep.id, email: "anna@acme.com", company: "acme.com" }]);
    expect((await list())[0]?.properties).toMatchObject({ unsubscribed: true });
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
    await post("/v2/accounts/unmerge", { merge_id: body.merge_id });
    const values = (rows: Record<string, unknown>[]) => rows.map(({ updated_at: _, ...row }) => row);
    expect(values(await list())).toEqual(values(before));
    await merge({ email: "drop", works_at: "drop" });
    expect(await list()).toMatchObject([{ id: keep.id, email: "anna@umbra.io", company: "umbra.io" }]);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("of a property that does not differ is refused, before anything is merged", async () => {
    const { list, merge } = await two();
    expect(await merge({ fields: { phone: "keep" } })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter: "fields.phone" },
    });
    expect(await list()).toHaveLength(2);
  });

  test("is told what the two have in common", async () => {
    const { post, person } = await setUp();
    const keep = await person({ email: "anna@acme.com", first_name: "Anna", last_name: "Smith", phone: "+4930123456" });
    const drop = await person({ email: "as@gmail.com", first_name: "anna", last_name: "SMITH", phone: "+4930123456" });
    const { body } = await post("/v2/accounts/merge", { keep: keep.id, drop: drop.id, dry_run: true });
    expect(body.in_common).toEqual(["name", "phone"]);
  });
});
