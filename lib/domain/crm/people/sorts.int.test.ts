/** Sorts, several values in one filter, and counts: each is what the same rule makes of all rows in plain code. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortKeys, stages } from "#lib/domain/crm/recording/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { allPages } from "#lib/testing/list-pages.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { fold } from "#lib/text/fold.ts";
import { type Person, personSorts } from "./contract.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const get = (path: string) => call(path, { key });
  const post = (path: string, body: object) => call(path, { key, body });
  const walk = <Row = Person>(query: string, list = "people") => allPages<Row>(get, list, query);
  return { workspace, get, post, walk };
}

type Stage = Awaited<ReturnType<typeof setUp>>;

const names = ["Anna", "anna", "Änne", "Bob", "李", "Zoë", "O'Neil", "a_b", "x".repeat(150), `${"x".repeat(150)}y`];
const someone = fc.record(
  {
    first_name: fc.constantFrom(...names),
    last_name: fc.constantFrom("Smith", "smith", "Ártico", "z"),
    company: fc.constantFrom("Acme", "acme", "Ümbra", "Zeta"),
    pipeline_stage: fc.constantFrom(...stages),
    source: fc.constantFrom("crm", "api", "list, old"),
    active: fc.integer({ min: 1, max: 25 }),
  },
  { requiredKeys: [] },
);

/** People as given, with an activity on the day `active`. */
async function fill({ post }: Stage, people: readonly Readonly<Record<string, unknown>>[]) {
  const rows = people.map(({ active: _, ...fields }, index) => ({ ...fields, email: `p${index}@gmail.com` }));
  expect((await post("/v2/people/bulk", { people: rows })).body).toMatchObject({ failed: 0 });
  const signals = people.flatMap(({ active }, index) =>
    active === undefined
      ? []
      : [
          {
            email: `p${index}@gmail.com`,
            type: "email_sent",
            occurred_at: new Date(Date.UTC(2026, 0, active as number)).toISOString(),
          },
        ],
  );
  if (signals.length > 0) await post("/api/v1/capture/batch", signals);
}

type Key = string | number | null;

/** What a list is sorted by, each key descending with nothing last; ascending is the reverse. */
const keysOf: Readonly<Record<string, (person: Person) => Key[]>> = {
  last_activity: ({ last_activity_at, id }) => [last_activity_at, id],
  icp_score: ({ icp_score, id }) => [icp_score, id],
  created: ({ created_at, id }) => [created_at, id],
  name: (person) => [sortKeys(person).name, person.id],
  company: (person) => [sortKeys(person).company, person.id],
  stage: ({ pipeline_stage, last_activity_at, id }) => [stages.indexOf(pipeline_stage), last_activity_at, id],
};

function compare(a: readonly Key[], b: readonly Key[]): number {
  for (const [index, one] of a.entries()) {
    const other = b[index] ?? null;
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    if (typeof one === "number") return (other as number) - one;
    return Buffer.compare(Buffer.from(other as string), Buffer.from(one));
  }
  return 0;
}

function sorted(people: readonly Person[], sort: string): string[] {
  const keys = keysOf[sort.replace(/_(asc|desc)$/, "")] as (person: Person) => Key[];
  const down = [...people].sort((a, b) => compare(keys(a), keys(b))).map(({ email }) => String(email));
  return sort.endsWith("_desc") ? down : down.reverse();
}

const choice = (values: readonly string[]) =>
  fc
    .tuple(fc.boolean(), fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }))
    .map(([not, some]) => ({ not, some }));
/** The value of a filter; `oneOf`: what comes before several of which one must be there. */
function written({ not, some }: { not: boolean; some: string[] }, oneOf = ""): string {
  const values = some.map((each) => each.replaceAll(",", "\\,")).join(",");
  return not ? `not:${values}` : `${oneOf}${values}`;
}
const holds = ({ not, some }: { not: boolean; some: string[] }, value: string) => some.includes(value) !== not;

test("pages of any size are the whole list in the order of the sort, with several values in a filter, and its count", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someone, { minLength: 1, maxLength: 14 }),
      fc.array(
        fc.record(
          {
            sort: fc.constantFrom(...personSorts),
            limit: fc.constantFrom(1, 2, 5, 201),
            stage: choice(stages),
            source: choice(["crm", "api", "list, old", "mcp"]),
          },
          { requiredKeys: ["sort", "limit"] },
        ),
        { minLength: 10, maxLength: 10 },
      ),
      async (people, questions) => {
        const stage = await setUp();
        await fill(stage, people);
        const all = await stage.walk("");
        expect(all).toHaveLength(people.length);
        for (const { sort, limit, stage: wanted, source } of questions) {
          const query = new URLSearchParams({ sort, limit: String(limit) });
          if (wanted) query.set("pipeline_stage", written(wanted));
          if (source) query.set("source", written(source, "in:"));
          const expected = sorted(
            all.filter(
              (person) =>
                (!wanted || holds(wanted, person.pipeline_stage)) && (!source || holds(source, person.source)),
            ),
            sort,
          );
          const found = await stage.walk(`${query}`);
          expect(
            found.map(({ email }) => email),
            `${query}`,
          ).toEqual(expected);
          const { body } = await stage.get(`/v2/people?${query}&include=count&offset=2`);
          expect(body.total).toEqual({ count: expected.length, capped: false });
          expect(
            (body.people as Person[]).map(({ email }) => email),
            `${query} from the third`,
          ).toEqual(expected.slice(2, 2 + limit));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test("the columns that lists are sorted by are what the rules make of the rows", async () => {
  const stage = await setUp();
  await fill(
    stage,
    names.map((first_name) => ({ first_name, company: first_name })),
  );
  await stage.post("/v2/people", { email: "nameless@acme.com" });
  await stage.post("/v2/companies", { domain: "acme.com", name: "Ácme  Ltd" });
  await stage.post("/v2/companies", { domain: "umbra.io" });
  const kept = await inspect<{ id: string; name: string; company: string | null }>(
    "SELECT id, sort_name AS name, sort_company AS company FROM people WHERE workspace_id = $1 UNION ALL SELECT id, sort_name, NULL FROM companies WHERE workspace_id = $1",
    [stage.workspace.id],
  );
  const shown = [...(await stage.walk("")), ...(await stage.walk<{ id: string }>("", "companies"))];
  expect(kept).toHaveLength(shown.length);
  for (const row of shown) expect(kept.find(({ id }) => id === row.id)).toMatchObject(sortKeys(row));
  expect(kept.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["anne", "nameless@acme.com", "acme ltd", "umbra.io"]),
  );
  expect(fold("Ácme  Ltd")).toBe("acme ltd");
  const byName = await stage.walk<{ domain: string }>("sort=name_asc&limit=1", "companies");
  expect(byName.map(({ domain }) => domain)).toEqual(["acme.com", "umbra.io"]);
});

describe("refusals", () => {
  test.each([
    ["pipeline_stage=won", "pipeline_stage", "one of identified"],
    ["pipeline_stage=aware,", "pipeline_stage", "one of identified"],
    ["pipeline_stage=not:", "pipeline_stage", "`not:` before them"],
    ["pipeline_stage=exists:false", "pipeline_stage", "one of identified"],
    ["company_id=acme", "company_id", "the id of a company"],
    ["company_id=exists:maybe", "company_id", "exists:true and exists:false"],
    ["source=in:", "source", "values separated by commas"],
    ["max_icp_score=101", "max_icp_score", ""],
    ["sort=name", "sort", ""],
    ["include=total", "include", ""],
  ])("%s is 400 and names the parameter", async (query, parameter, words) => {
    const { status, body } = await (await setUp()).get(`/v2/people?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "invalid_parameter", parameter });
    expect(body.message).toContain(words);
    if (parameter === "pipeline_stage") expect(body.allowed).toEqual(stages);
  });

  test("companies have no stage and no company to be sorted by, and cursors belong to their sort", async () => {
    const stage = await setUp();
    for (const sort of ["stage_asc", "company_desc"])
      expect(await stage.get(`/v2/companies?sort=${sort}`)).toMatchObject({ status: 400, body: { parameter: "sort" } });
    await fill(stage, [{ pipeline_stage: "client" }, { pipeline_stage: "aware" }]);
    const byStage = await stage.get("/v2/people?sort=stage_desc&limit=1");
    const after = encodeURIComponent(byStage.body.next_cursor as string);
    // The stage in which the page before ended may be left out of the next.
    const rest = await stage.walk(`sort=stage_desc&pipeline_stage=not:client&cursor=${after}`);
    expect(rest.map(({ pipeline_stage }) => pipeline_stage)).toEqual(["aware"]);
    const { body } = await stage.get("/v2/people?sort=name_asc&limit=1");
    const cursor = encodeURIComponent(body.next_cursor as string);
    for (const sort of ["name_desc", "company_asc", "stage_asc", "created_desc"])
      expect(await stage.get(`/v2/people?sort=${sort}&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { parameter: "cursor" },
      });
  });
});

test("scores have a range, and counting stops at what is counted", async () => {
  const stage = await setUp();
  await fill(stage, [{}, {}, {}, {}]);
  await inspect(
    "UPDATE people SET icp_score = split_part(substr(email, 2), '@', 1)::int * 30 WHERE workspace_id = $1 AND email <> 'p3@gmail.com'",
    [stage.workspace.id],
  );
  const scores = async (query: string) => (await stage.walk(`sort=icp_score_asc&${query}`)).map((row) => row.icp_score);
  expect(await scores("max_icp_score=30")).toEqual([0, 30]);
  expect(await scores("min_icp_score=30&max_icp_score=59")).toEqual([30]);
  expect(await scores("min_icp_score=30")).toEqual([30, 60]);
  await inspect(
    `INSERT INTO entities (workspace_id, id, type) SELECT $1, uuidv7(), 'company' FROM generate_series(1, 10001)`,
    [stage.workspace.id],
  );
  await inspect(
    `INSERT INTO companies (workspace_id, id, source, created_at, updated_at, search)
     SELECT $1, id, 'api', now(), now(), '' FROM entities WHERE workspace_id = $1 AND type = 'company'`,
    [stage.workspace.id],
  );
  const { body } = await stage.get("/v2/companies?include=count&limit=1");
  expect(body.total).toEqual({ count: 10_000, capped: true });
  expect((await stage.get("/v2/companies?limit=1")).body).not.toHaveProperty("total");
});
