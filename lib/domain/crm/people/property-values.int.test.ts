/** The values that properties have, counted, for filters to be picked from. */
import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();
type Value = { value: string | number | boolean; records: number };

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const post = (path: string, body: object) => call(path, { key, body });
  const values = async (name: string, query = "") => {
    const { status, body } = await call(`/v2/properties/${name}/values?${query}`, { key });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { values: Value[]; capped: boolean };
  };
  const shown = async (name: string, query = "") =>
    (await values(name, query)).values.map(({ value, records }) => `${value} ${records}`).join(", ");
  return { workspace, key, post, values, shown };
}

const people = [
  { email: "a@acme.com", job_title: "CFO", region: "DACH", employees: 50, tags: ["Gold", "VIP"], vip: true },
  { email: "b@acme.com", job_title: "cfo", region: "dach", employees: "50", tags: ["gold"] },
  { email: "c@umbra.io", job_title: "Head of Sales", region: "EMEA, West", employees: 7, pipeline_stage: "client" },
  { email: "d@gmail.com", first_name: "Dora", region: "Süd_100%", source: "crm" },
];

async function filled() {
  const stage = await setUp();
  expect((await stage.post("/v2/people/bulk", { people })).body).toMatchObject({ created: 4 });
  return stage;
}

test.each([
  ["region", "", "DACH 2, EMEA, West 1, Süd_100% 1"],
  ["region", "limit=1", "DACH 2"],
  ["region", "search=ACH", "DACH 2"],
  ["region", "search=sud", "Süd_100% 1"],
  ["region", "search=_", "Süd_100% 1"],
  ["region", "search=nothing", ""],
  ["job_title", "", "CFO 2, Head of Sales 1"],
  ["employees", "", "50 2, 7 1"],
  ["vip", "", "true 1"],
  ["tags", "", "Gold 2, VIP 1"],
  ["tags", "search=vi", "VIP 1"],
  ["company", "", "acme.com 2, umbra.io 1"],
  ["company", "search=umb", "umbra.io 1"],
  ["company", "search=b@acme", ""],
  ["source", "", "api 3, crm 1"],
  ["source", "search=cr", "crm 1"],
  ["pipeline_stage", "", "identified 3, client 1"],
  ["created_at", "", ""],
  ["icp_score", "", ""],
  ["unheard", "", ""],
  ["name", "subject=company", "Acme 1"],
])("of %s with %j are %s", async (name, query, expected) => {
  const { post, shown } = await filled();
  await post("/v2/companies", { domain: "acme.com", name: "Acme" });
  const rest = name === "company" ? expected.replace("acme.com", "Acme") : expected;
  expect(await shown(name, query)).toBe(rest);
});

test("each can be filtered by, and finds as many as were counted", async () => {
  const { key, values } = await filled();
  for (const name of [
    "region",
    "job_title",
    "employees",
    "tags",
    "vip",
    "company",
    "source",
    "pipeline_stage",
    "email",
  ])
    for (const { value, records } of (await values(name)).values) {
      const query = new URLSearchParams({ [`property.${name}`]: `eq:${value}`, include: "count" });
      expect((await call(`/v2/people?${query}`, { key })).body.total, `${query}`).toEqual({
        count: records,
        capped: false,
      });
    }
});

test("are those of the caller's workspace, and go when a person is erased", async () => {
  const [a, b] = [await filled(), await setUp()];
  expect(await b.shown("region")).toBe("");
  await a.post("/v2/accounts/erase", { focus: "d@gmail.com" });
  expect(await a.shown("region", "search=100")).toBe("");
});

test("a name that no property can have is refused", async () => {
  const { key } = await setUp();
  for (const name of ["Region", "a-b", "x".repeat(64)])
    expect(await call(`/v2/properties/${name}/values`, { key })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter: "name" },
    });
});

test("no more than ten thousand are looked at", async () => {
  const { workspace, values } = await setUp();
  await inspect(
    "INSERT INTO entities (workspace_id, id, type) SELECT $1, uuidv7(), 'person' FROM generate_series(1, 10001)",
    [workspace.id],
  );
  await inspect(
    `INSERT INTO people (workspace_id, id, source, created_at, updated_at, search, wire, custom)
     SELECT $1, id, 'api', now(), now(), '', '{', '{"region":"A"}' FROM entities WHERE workspace_id = $1 AND type = 'person'`,
    [workspace.id],
  );
  await inspect(
    `INSERT INTO property_values (workspace_id, entity_id, property, subject, folded)
     SELECT $1, id, 'region', 'person', E'\\na\\n' FROM entities WHERE workspace_id = $1 AND type = 'person'`,
    [workspace.id],
  );
  for (const [name, value] of [
    ["region", "A"],
    ["source", "api"],
  ] as const)
    expect(await values(name)).toEqual({ values: [{ value, records: 10_000 }], capped: true });
});
