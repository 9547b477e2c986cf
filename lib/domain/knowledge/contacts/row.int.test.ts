/** One row of a list, by whatever names it, and what is said when nothing is found. */
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const { call } = useServer();

type Row = { id: string; email?: string; domain?: string; status: string };
type Body = {
  person: Row;
  company: Row;
  people: Row[];
  companies: Row[];
  status?: string;
  candidates: { entity_id: string }[];
};

async function setUp() {
  const key = await (await createTestWorkspace()).key();
  const get = async (path: string) => {
    const answer = await call(path, { key });
    return { ...answer, body: answer.body as unknown as Body & { message: string } };
  };
  const add = async (list: "people" | "companies", body: object) =>
    (await call(`/v2/${list}`, { key, body })).body as unknown as Body;
  const anna = {
    email: "anna@acme.com",
    linkedin_url: "linkedin.com/in/anna-smith",
    first_name: "Anna",
    last_name: "Smith",
  };
  const { person } = await add("people", anna);
  return { key, get, add, person, company: (await get("/v2/companies/acme.com")).body.company };
}

const path = (list: string, focus: string) => `/v2/${list}/${encodeURIComponent(focus)}`;

describe("GET /v2/people/:focus and /v2/companies/:focus", () => {
  test("are the row of the list, by id, address, LinkedIn URL, domain or name", async () => {
    const { get, add, person, company } = await setUp();
    await add("companies", { domain: "acme.com", name: "Acme" });
    const [listed] = (await get("/v2/people")).body.people;
    for (const focus of [person.id, " ANNA@acme.com", "https://www.linkedin.com/in/Anna-Smith/", "anna smith", "Smith"])
      expect((await get(path("people", focus))).body, focus).toEqual({ person: listed });
    const [firm] = (await get("/v2/companies")).body.companies;
    for (const focus of [company.id, "https://www.acme.com/about", "ACME"])
      expect((await get(path("companies", focus))).body, focus).toEqual({ company: firm });
  });

  test("are there for archived records, which the list leaves out, and for merged ones", async () => {
    const { key, get, add, person } = await setUp();
    const double = (await add("people", { email: "anna.smith@gmail.com" })).person;
    await call("/v2/accounts/merge", { key, body: { keep: person.id, drop: double.id } });
    expect((await get(path("people", double.id))).body.person.id).toBe(person.id);
    await call(path("people", person.id), { key, method: "PATCH", body: { status: "archived" } });
    expect((await get("/v2/people")).body.people).toEqual([]);
    expect((await get(path("people", "anna@acme.com"))).body.person).toMatchObject({
      id: person.id,
      status: "archived",
    });
  });

  test("give the candidates of a name that several have, of their own type only", async () => {
    const { get, add, person, company } = await setUp();
    const other = (await add("people", { email: "a@other.com", first_name: "Anna", last_name: "Smith" })).person;
    const firm = (await add("companies", { domain: "annasmith.com", name: "Anna Smith" })).company;
    const { status, body } = await get(path("people", "Anna Smith"));
    expect([status, body.status]).toEqual([200, "ambiguous"]);
    expect(body.candidates.map(({ entity_id }) => entity_id).sort()).toEqual([person.id, other.id].sort());
    expect((await get(path("companies", "Anna Smith"))).body.company.id).toBe(firm.id);
    expect((await get(path("companies", company.id))).body.company.domain).toBe("acme.com");
  });

  test("answer 404 for one of the other type, and say so", async () => {
    const { get, person, company } = await setUp();
    for (const [list, focus, message] of [
      ["people", company.id, "This names a company; give one that names a person."],
      ["people", "acme.com", "This names a company; give one that names a person."],
      ["people", "workspace", "This names the workspace; give one that names a person."],
      ["companies", person.id, "This names a person; give one that names a company."],
      ["companies", "anna@acme.com", "This names a person; give one that names a company."],
      ["companies", "Anna Smith", "No company in this workspace has that name or domain."],
    ] as const)
      expect(await get(path(list, focus)), `${list} ${focus}`).toMatchObject({
        status: 404,
        body: { error: "entity_not_found", message },
      });
  });
});

describe("what was not found is named", () => {
  const places: [string, (focus: string) => [string, object?]][] = [
    ["an account", (focus) => [path("accounts", focus)]],
    ["a note", (focus) => [`/v2/notes?focus=${encodeURIComponent(focus)}`]],
    ["a merge", (focus) => ["/v2/accounts/merge", { keep: focus, drop: newId() }]],
  ];

  test.each(places)("of %s", async (_what, request) => {
    const { key } = await setUp();
    const messageOf = async (focus: string) => {
      const [address, body] = request(focus);
      const answer = await call(address, { key, body });
      expect([answer.status, answer.body.error], focus).toEqual([404, "entity_not_found"]);
      return answer.body.message;
    };
    expect(await messageOf(newId())).toBe("No person or company in this workspace has that id.");
    expect(await messageOf("who@acme.com")).toBe("No person in this workspace has that e-mail address.");
    expect(await messageOf("linkedin.com/in/nobody")).toBe("No person in this workspace has that LinkedIn URL.");
    expect(await messageOf("linkedin.com/company/nobody")).toBe("No company in this workspace has that LinkedIn URL.");
    expect(await messageOf("nowhere.com")).toMatch(
      /^No (company|person or company) in this workspace has that (name or )?domain\.$/,
    );
  });

  test("of a name, and of an address that is none", async () => {
    const { get } = await setUp();
    expect((await get(path("accounts", "Zoe Zest"))).body.message).toBe(
      "No person or company in this workspace has that name or domain.",
    );
    expect((await get(path("accounts", "zoe@"))).body.message).toBe(
      "No person in this workspace has that e-mail address.",
    );
  });
});

test("a property filter may be written with a dot or in brackets, or both", async () => {
  const { key, get, add } = await setUp();
  await add("people", { email: "b@acme.com", seniority: "vp", region: "DACH" });
  await add("people", { email: "c@acme.com", seniority: "ic", region: "DACH" });
  const found = async (query: string) =>
    (await get(`/v2/people?${query}`)).body.people.map(({ email }) => email).sort();
  for (const query of [
    "property.seniority=vp",
    "property[seniority]=vp",
    "property%5Bseniority%5D=vp",
    "property[seniority]=vp&property.region=DACH",
  ])
    expect(await found(query), query).toEqual(["b@acme.com"]);
  for (const query of ["property[seniority]=vp&property[seniority]=ic", "property.seniority=vp&property[seniority]=ic"])
    expect(await found(query), query).toEqual(["b@acme.com", "c@acme.com"]);
  await add("companies", { domain: "acme.com", tier: "one" });
  expect((await get("/v2/companies?property[tier]=one")).body.companies).toHaveLength(1);
  for (const [query, code] of [
    ["property[seniority=vp", "unknown_parameter"],
    ["property=vp", "unknown_parameter"],
    ["propertyseniority=vp", "unknown_parameter"],
    ["property[]=vp", "invalid_parameter"],
    ["property[Not a name]=vp", "invalid_parameter"],
    ["property[seniority]=%00", "invalid_parameter"],
    ["property[%00]=vp", "invalid_parameter"],
  ] as const) {
    const refused = await call(`/v2/people?${query}`, { key });
    expect([refused.status, refused.body.error], query).toEqual([400, code]);
  }
  expect((await call("/v2/attention?property[a]=b", { key })).body.error).toBe("unknown_parameter");
  const { supported } = (await call("/v2/people?colour=red", { key })).body;
  expect(supported).toEqual(expect.arrayContaining(["sort", "property.<name>"]));
  expect(supported).not.toContain("properties");
});
