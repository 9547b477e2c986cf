/** Filters by properties and times: what they find is what the same rule finds in plain code over all rows. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { allPages } from "#lib/testing/list-pages.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { fold } from "#lib/text/fold.ts";
import { DAY_MS, parseTime } from "#lib/text/time.ts";
import type { Company, Person, Property } from "./contract.ts";

const { call } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const get = (path: string) => call(path, { key });
  const post = (path: string, body: object) => call(path, { key, body });
  const people = (query = "") => allPages<Person>(get, "people", query);
  const companies = (query = "") => allPages<Company>(get, "companies", query);
  const emails = async (query: string) => (await people(query)).map(({ email }) => email?.split("@")[0]).sort();
  return { workspace, key, get, post, people, companies, emails };
}

const given = [
  {
    email: "anna@acme.com",
    first_name: "Anna",
    job_title: "CFO",
    region: "EMEA",
    employees: 50,
    renewal: "2026-06-03",
  },
  {
    email: "bob@acme.com",
    first_name: "Bob",
    job_title: "cfo",
    region: "dach",
    employees: "120",
    renewal: "2027-01-01",
  },
  {
    email: "carla@umbra.io",
    first_name: "Cárla",
    job_title: "Head of Sales",
    region: "APAC",
    employees: 7.5,
    vip: true,
  },
  { email: "dora@gmail.com", first_name: "Dora", tags: ["Gold", "vip: yes"], note: "gte:5", zip: "01234" },
];

async function withPeople() {
  const stage = await setUp();
  await stage.post("/v2/people/bulk", { people: given });
  return stage;
}

describe("people by a property", () => {
  test.each([
    // standard fields, by case-insensitive equality
    ["property.job_title=CFO", "anna bob"],
    ["property[job_title]=cfo", "anna bob"],
    ["property.job_title=CFO&property.job_title=Head of Sales", "anna bob carla"],
    ["property.email=ANNA@acme.com", "anna"],
    ["property.email=nna@acme.com", ""],
    ["property.email=contains:acme", "anna bob"],
    ["property.first_name=carla", "carla"],
    ["property.first_name=in:Anna, Dora", "anna dora"],
    ["property.company=acme.com", "anna bob"],
    ["property.company=contains:umb", "carla"],
    ["property.company=contains:anna", ""],
    ["property.company=exists:false", "dora"],
    ["property.source=API", "anna bob carla dora"],
    ["property.source=contains:mcp", ""],
    ["property.pipeline_stage=identified", "anna bob carla dora"],
    ["property.pipeline_stage=gte:aware", ""],
    ["property.pipeline_stage=contains:ident", "anna bob carla dora"],
    ["property.last_activity_at=exists:true", ""],
    ["property.icp_score=gte:1", ""],
    ["property.created_at=gte:2020-01-01", "anna bob carla dora"],
    ["property.updated_at=lte:2020-01-01", ""],
    ["property.linkedin_url=exists:true", ""],
    // custom properties
    ["property.region=in:EMEA,DACH", "anna bob"],
    ["property.region=eq:emea", "anna"],
    ["property.region=contains:a", "anna bob carla"],
    ["property.region=exists:true", "anna bob carla"],
    ["property.region=exists:false", "dora"],
    ["property.unheard=exists:true", ""],
    ["property.unheard=exists:false", "anna bob carla dora"],
    ["property.employees=50", "anna"],
    ["property.employees=50.0", "anna"],
    ["property.employees=gte:50", "anna bob"],
    ["property.employees=lte:50", "anna carla"],
    ["property.employees=gte:8&property.employees=lte:100", "anna"],
    ["property.employees=in:50,120", "anna bob"],
    ["property.renewal=gte:2026-12-31T22:00:00-02:00", "bob"],
    ["property.renewal=lte:2026-06-03", "anna"],
    ["property.vip=true", "carla"],
    ["property.tags=gold", "dora"],
    ["property.tags=gol", ""],
    ["property.tags=contains:gol", "dora"],
    ["property.tags=vip: yes", "dora"],
    ["property.zip=1234", ""],
    ["property.zip=01234", "dora"],
    // none of these, records without a value included
    ["property.region=not:EMEA", "bob carla dora"],
    ["property.region=not:EMEA,DACH", "carla dora"],
    ["property.region=not:EMEA&property.region=exists:true", "bob carla"],
    ["property.employees=not:50", "bob carla dora"],
    ["property.tags=not:gold", "anna bob carla"],
    ["property.company=not:acme.com", "carla dora"],
    ["property.email=not:anna@acme.com,bob@acme.com", "carla dora"],
    ["property.icp_score=not:5", "anna bob carla dora"],
    ["property.pipeline_stage=not:identified", ""],
    ["property.source=not:api", ""],
    ["property.source=not:mcp", "anna bob carla dora"],
    ["property.region=in:x\\,y,EMEA", "anna"],
    ["pipeline_stage=identified,client", "anna bob carla dora"],
    ["pipeline_stage=not:identified", ""],
    ["pipeline_stage=not:client,aware&source=in:api,mcp", "anna bob carla dora"],
    ["source=not:api", ""],
    ["source=not:mcp", "anna bob carla dora"],
    ["company_id=exists:false", "dora"],
    ["company_id=exists:true", "anna bob carla"],
    ["company_id=not:0190a6e0-0000-7000-8000-000000000001", "anna bob carla dora"],
    // text that looks like an operator
    ["property.note=eq:gte:5", "dora"],
    ["property.note=contains:gte:", "dora"],
    ["property.renewal=10:30", ""],
    ["property.region=https://acme.com", ""],
    // several names
    ["property.region=exists:true&property.job_title=contains:F", "anna bob carla"],
    ["property.region=EMEA&property.job_title=Head of Sales", ""],
    ["property.region=EMEA&property.company=Acme.com&property.employees=gte:1&search=ann&min_icp_score=0", ""],
    ["property.region=EMEA&property.company=Acme.com&property.employees=gte:1&search=ann", "anna"],
    ["property.job_title=50%25&property.region=_MEA", ""],
  ])("%s finds %s", async (query, expected) => {
    const { emails } = await withPeople();
    expect((await emails(query)).join(" ")).toBe(expected);
  });

  test.each([
    ["property.employees=gte:many", "employees", "a number, an ISO 8601 time, a date or days ago"],
    ["property.employees=gte:", "employees", "a number"],
    ["property.region=in:", "region", "in takes values separated by commas"],
    ["property.region=in:a,,b", "region", "in takes values separated by commas"],
    ["property.region=exists:maybe", "region", "exists takes true or false"],
    ["property.region=contains:", "region", "contains takes the text"],
    [
      "property.employees=gt:5",
      "employees",
      "gt is not an operator; there are eq, not, gte, lte, contains, in, exists",
    ],
    ["property.region=not:", "region", "not takes values separated by commas"],
    ["property.region=ne:EMEA", "region", "ne is not an operator"],
    ["property.icp_score=not:high", "icp_score", "is a number"],
    ["property.job_title=gte:5", "job_title", "is text"],
    ["property.icp_score=high", "icp_score", "is a number"],
    ["property.icp_score=contains:5", "icp_score", "is a number"],
    ["property.created_at=yesterday", "created_at", "is a time"],
    ["property.created_at=gte:5", "created_at", "an ISO 8601 time, a date or days ago"],
    ["property.pipeline_stage=won", "pipeline_stage", "is one of identified, aware"],
    ["property.status=archived", "status", "the parameter status"],
    ["property[company_id]=x", "company_id", "the parameter company_id"],
  ])("%s is refused with the name of the parameter and the operators", async (query, name, words) => {
    const { get } = await setUp();
    for (const list of ["people", "companies"]) {
      if (list === "companies" && ["job_title", "pipeline_stage", "employees"].includes(name)) continue;
      const { status, body } = await get(`/v2/${list}?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: "invalid_parameter", parameter: `property.${name}` });
      expect(body.allowed).toEqual(["eq", "not", "gte", "lte", "contains", "in", "exists"]);
      expect(body.message).toContain(words);
    }
  });

  test("a value that ended, changed or was merged away is not found any more", async () => {
    const { emails, post } = await withPeople();
    await post("/v2/people", { email: "anna@acme.com", region: null, job_title: "CEO" });
    expect(await emails("property.region=EMEA")).toEqual([]);
    expect(await emails("property.job_title=CFO")).toEqual(["bob"]);
    await post("/v2/accounts/merge", { keep: "anna@acme.com", drop: "bob@acme.com" });
    expect(await emails("property.region=dach")).toEqual([]);
    expect(await emails("property.employees=exists:true")).toHaveLength(2);
    expect(await emails("property.first_name=exists:true&property.email=exists:true")).toHaveLength(3);
  });

  test("archived people are found among the archived", async () => {
    const { emails, post } = await withPeople();
    await post("/v2/people", { email: "anna@acme.com", status: "archived" });
    expect(await emails("property.job_title=CFO")).toEqual(["bob"]);
    expect(await emails("property.job_title=CFO&status=archived")).toEqual(["anna"]);
  });

  test("no one of another workspace is found, and none of their properties or values shown", async () => {
    const [a, b] = [await withPeople(), await setUp()];
    await b.post("/v2/people", { email: "anna@acme.com", job_title: "CFO", secret_of_b: "only b" });
    expect(await b.emails("property.job_title=CFO")).toEqual(["anna"]);
    expect(await a.emails("property.secret_of_b=exists:true")).toEqual([]);
    expect(JSON.stringify((await a.get("/v2/properties")).body)).not.toContain("secret_of_b");
    expect(JSON.stringify((await b.get("/v2/properties")).body)).not.toContain("EMEA");
  });
});

test("companies by standard and custom properties", async () => {
  const { post, companies } = await setUp();
  const rows = [
    { domain: "acme.com", name: "Acme", industry: "Fintech", employee_count: 120, country: "DE", tier: "A" },
    { domain: "umbra.io", name: "Umbra", industry: "fintech", employee_count: 9, job_title: "odd" },
    { domain: "globex.com", linkedin_url: "linkedin.com/company/globex" },
  ];
  await post("/v2/companies/bulk", { companies: rows });
  await post("/v2/people", { email: "anna@acme.com" });
  const named = async (query: string) =>
    (await companies(query))
      .map(({ domain }) => domain?.split(".")[0])
      .sort()
      .join(" ");
  expect(await named("property.industry=Fintech")).toBe("acme umbra");
  expect(await named("property.employee_count=gte:9&property.employee_count=lte:100")).toBe("umbra");
  expect(await named("property.employee_count=120")).toBe("acme");
  expect(await named("property.people_count=gte:0.5")).toBe("acme");
  expect(await named("property.people_count=lte:0")).toBe("globex umbra");
  expect(await named("property.people_count=in:1,7")).toBe("acme");
  expect(await named("property.people_count=gte:99999999999")).toBe("");
  expect(await named("property.name=ACME")).toBe("acme");
  expect(await named("property.name=contains:m")).toBe("acme umbra");
  expect(await named("property.name=contains:.com")).toBe("");
  expect(await named("property.domain=contains:.com")).toBe("acme globex");
  expect(await named("property.domain=globex.com")).toBe("globex");
  expect(await named("property.country=exists:true")).toBe("acme");
  expect(await named("property.linkedin_url=contains:company/glob")).toBe("globex");
  expect(await named("property.tier=a")).toBe("acme");
  expect(await named("property.job_title=odd")).toBe("umbra");
  expect(await named("property.source=api")).toBe("acme globex umbra");
});

describe("people by their company, title and contact", () => {
  const everyone = [
    { email: "anna@acme.com", first_name: "Anna", job_title: "CFO" },
    { email: "bob@acme.com", first_name: "Bob", job_title: "Assistant to the CFO" },
    { email: "carla@umbra.io", first_name: "Carla", job_title: "Finanzvorstand" },
    { email: "dora@gmail.com", first_name: "Dora", job_title: "Chief of the Financial Officers" },
    { email: "eve@globex.com", first_name: "Eve", job_title: "Chief Financial Officer & Co-Founder" },
    { email: "finn@globex.com", first_name: "Finn", job_title: "Vice President of Sales" },
  ];
  const firms = [
    { domain: "acme.com", name: "Acme", industry: "Fintech", employee_count: 120, country: "Deutschland" },
    { domain: "umbra.io", name: "Umbra", industry: "fintech", employees: 9, country: "us", technologies: ["Stripe"] },
    { domain: "globex.com", name: "Globex", region: "EMEA" },
  ];
  async function withCompanies() {
    const stage = await setUp();
    await stage.post("/v2/companies/bulk", { companies: firms });
    await stage.post("/v2/people/bulk", { people: everyone });
    return stage;
  }

  test("each filter finds who it means, with a `not` also who has no company", async () => {
    const { emails, companies, get, post } = await withCompanies();
    const contact = (email: string, type: string, occurred_at: string) =>
      post("/api/v1/capture", { email, type, occurred_at });
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await contact("anna@acme.com", "email_sent", ago(40));
    await contact("anna@acme.com", "email_received", ago(1));
    await contact("bob@acme.com", "call", ago(3));
    await contact("carla@umbra.io", "website_visit", ago(3));
    await contact("dora@gmail.com", "meeting_scheduled", ago(-3));
    await contact("eve@globex.com", "linkedin_message", ago(20));
    for (const [query, expected] of [
      ["company.industry=fintech", "anna bob carla"],
      ["company[industry]=not:fintech", "dora eve finn"],
      ["company.industry=exists:false", "dora eve finn"],
      ["company.industry=contains:fin&company.country=DE", "anna bob"],
      ["company.country=Germany", "anna bob"],
      ["company.country=in:USA,Frankreich", "carla"],
      ["company.country=not:Germany", "carla dora eve finn"],
      ["company.region=Europe", "anna bob"],
      ["company.region=DACH", "anna bob"],
      ["company.region=emea", "anna bob eve finn"],
      ["company.region=in:North America,DACH", "anna bob carla"],
      ["company.region=not:Europe", "carla dora eve finn"],
      ["company.region=exists:false", "dora"],
      ["company.region=Ruhr", ""],
      ["company.size=gte:50", "anna bob"],
      ["company.employees=lte:9&company.employee_count=exists:true", "carla"],
      ["company.technologies=stripe", "carla"],
      ["company.name=Acme", "anna bob"],
      ["company.name=not:acme", "carla dora eve finn"],
      ["company.domain=contains:.com", "anna bob eve finn"],
      ["company.source=api", "anna bob carla eve finn"],
      ["company.source=not:api", "dora"],
      ["company.people_count=gte:2", "anna bob eve finn"],
      ["company.people_count=not:2", "carla dora"],
      ["company.last_activity_at=exists:false", "dora"],
      ["title=CFO", "anna carla eve"],
      ["title=Chief Financial Officer", "anna carla eve"],
      ["title=not:CFO", "bob dora finn"],
      ["title=in:Assistant CFO,VP Sales", "bob finn"],
      ["title=eq:of the", ""],
      ["not_contacted_for=10d", "anna carla eve finn"],
      ["not_contacted_for=30d", "anna carla finn"],
      ["not_contacted_for=60d", "carla finn"],
      ["title=CFO&company.region=Europe&company.industry=fintech&not_contacted_for=30d", "anna"],
      ["last_activity_before=2d", "bob carla eve finn"],
      ["last_activity_before=2020-01-01", "finn"],
      ["last_activity_after=2020-01-01", "anna bob carla dora eve"],
    ] as const) {
      expect((await emails(query)).join(" "), query).toBe(expected);
      const { body } = await get(`/v2/people?include=count&limit=1&${query}`);
      expect((body.total as { count: number }).count, query).toBe(expected.split(" ").filter(Boolean).length);
      const bySmallPages = await emails(`limit=1&sort=created_asc&${query}`);
      expect(bySmallPages.join(" "), query).toBe(expected);
    }
    const named = async (query: string) => (await companies(query)).map(({ name }) => name).sort();
    expect(await named("property.region=Europe")).toEqual(["Acme"]);
    expect(await named("property.country=DE&property.size=gte:100")).toEqual(["Acme"]);
    await post("/v2/accounts/merge", { keep: "finn@globex.com", drop: "bob@acme.com" });
    expect(await emails("not_contacted_for=10d")).toEqual(["anna", "carla", "eve"]);
    expect(await emails("not_contacted_for=10d&limit=1")).toEqual(["anna", "carla", "eve"]);
  });

  test.each([
    ["company=fintech", "company", "names a field after a dot, as in company.industry=fintech"],
    ["company.industry=gte:5", "company.industry", "is text"],
    ["company.size=many", "company.size", "is a number"],
    ["company.id=5", "company.id", "use the parameter company_id"],
    ["company.owner=me", "company.owner", "use the list of companies"],
    ["company.Bad%20name=5", "company.Bad name", "is not a property name"],
    ["not_contacted_for=2026-06-03", "not_contacted_for", "a number of days such as 7d"],
  ])("%s is refused", async (query, parameter, words) => {
    const { get } = await setUp();
    const { status, body } = await get(`/v2/people?${query}`);
    expect([status, body.parameter]).toEqual([400, parameter]);
    expect(body.message).toContain(words);
  });
});

// The rule in plain code, over rows as the API shows them.
type Row = { properties: Record<string, unknown> };
type FilterCase = {
  name: string;
  operator: "not" | "eq" | "gte" | "lte" | "contains" | "exists" | "in";
  value: string;
};

const itemsOf = (shown: unknown): string[] => [shown].flat().map((item) => fold(String(item)));
const numberOf = (text: string) => (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : null);

function holds(row: Row, { name, operator, value }: FilterCase): boolean {
  const shown = name in row ? (row as Record<string, unknown>)[name] : row.properties[name];
  const there = shown !== null && shown !== undefined;
  if (operator === "exists") return there === (value === "true");
  if (operator === "not") return !holds(row, { name, operator: "in", value });
  if (!there) return false;
  if (operator === "contains") return itemsOf(shown).some((item) => item.includes(fold(value)));
  if (operator === "eq" || operator === "in")
    return (operator === "in" ? value.split(",") : [value]).some((wanted) => {
      const number = Array.isArray(shown) ? null : numberOf(String(shown));
      return itemsOf(shown).includes(fold(wanted)) || (number !== null && number === numberOf(wanted.trim()));
    });
  if (Array.isArray(shown) || typeof shown === "boolean") return false;
  const [bound, moment] = [numberOf(value), parseTime(value)];
  const [actual, at] = [numberOf(String(shown)), parseTime(String(shown))];
  if (bound !== null) return actual !== null && (operator === "gte" ? actual >= bound : actual <= bound);
  if (moment === null || at === null) return false;
  return operator === "gte" ? at >= moment : at <= moment;
}

const text = fc.constantFrom("CFO", "cfo", "Head of Sales", "Ünïcode %", "a_b", "A\\B", "5", "x:y", "日本", "50%");
const anyValue = fc.oneof(
  text,
  fc.constantFrom<unknown>("2026-06-03", "2026-06-03T10:00:00Z", "2026-13-40", "007", "-3.5", "1e3", true, false),
  fc.integer({ min: -5, max: 60 }),
  fc.constantFrom<unknown>(0.1, 123456.75, -2.25),
  fc.array(text, { minLength: 1, maxLength: 3 }),
);
const someone = fc.record(
  { job_title: text, first_name: text, last_name: text, company: text, alpha: anyValue, beta: anyValue },
  { requiredKeys: [] },
);
const names = ["job_title", "first_name", "last_name", "company", "email", "alpha", "beta"] as const;
const custom = ["alpha", "beta"] as const;
const asked: fc.Arbitrary<FilterCase> = fc.oneof(
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constantFrom("eq", "contains"),
    value: fc.oneof(text, fc.constantFrom("f", "_", "%", "\\", "e", "ü", "2026", "1", "true")),
  }),
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constant("exists"),
    value: fc.constantFrom("true", "false"),
  }),
  fc.record({
    name: fc.constantFrom(...custom),
    operator: fc.constantFrom("gte", "lte", "eq"),
    value: fc.constantFrom("5", "0", "-2.25", "10", "1000", "2026-06-03", "2026-06-03T09:59:59Z"),
  }),
  fc.record({
    name: fc.constantFrom(...names),
    operator: fc.constantFrom("in", "not"),
    value: fc.constantFrom("CFO,5", "a_b , x:y", "true,7"),
  }),
);

/** Of companies, by a field and by custom properties. */
const aCompany = fc.record({ industry: text, alpha: anyValue, beta: anyValue }, { requiredKeys: [] });
const askedOfCompany = asked.map(({ name, ...rest }) => ({
  ...rest,
  name:
    (custom as readonly string[]).includes(name) || rest.operator === "gte" || rest.operator === "lte"
      ? name
      : "industry",
}));
/** People who work at one of three companies, or at none; `silent`: the days since they were contacted. */
const worker = fc.record({ firm: fc.constantFrom(0, 1, 2, null), silent: fc.constantFrom(null, 5, 20) });
const beyond = fc.record({
  company: fc.array(askedOfCompany, { maxLength: 2 }),
  silent: fc.constantFrom(null, null, "10d", "30d"),
  title: fc.constantFrom(null, null, "CFO", "not:CFO", "in:CFO,Head of Sales"),
});
const titleHolds = (filter: string, title: string | null) => {
  const [, not, words = ""] = /^(not:|in:)?(.*)$/.exec(filter) ?? [];
  return words.split(",").some((wanted) => fold(wanted) === fold(title ?? "")) !== (not === "not:");
};

test("a filter finds what its rule finds in all rows, whatever the values, and pages of any size are the whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(someone, worker), { minLength: 1, maxLength: 12 }),
      fc.tuple(aCompany, aCompany, aCompany),
      fc.array(fc.tuple(fc.array(asked, { maxLength: 2 }), beyond), { minLength: 12, maxLength: 12 }),
      async (everyone, firms, questions) => {
        const { post, people, companies } = await setUp();
        const addressOf = (index: number, firm: number | null) =>
          `p${index}@${firm === null ? "gmail" : `firm${firm}`}.com`;
        await post("/v2/companies/bulk", {
          companies: firms.map((fields, n) => ({ ...fields, domain: `firm${n}.com` })),
        });
        await post("/v2/people/bulk", {
          people: everyone.map(([{ company: _, ...fields }, { firm }], index) => ({
            ...fields,
            email: addressOf(index, firm),
          })),
        });
        const calls = everyone.flatMap(([, { firm, silent }], index) =>
          silent === null
            ? []
            : [
                {
                  email: addressOf(index, firm),
                  type: "call",
                  occurred_at: new Date(Date.now() - silent * DAY_MS).toISOString(),
                },
              ],
        );
        if (calls.length > 0) await post("/api/v1/capture/batch", calls);
        const [rows, employers] = [await people(), await companies()];
        expect(rows).toHaveLength(everyone.length);
        const silenceOf = ({ email }: Person) =>
          everyone[Number(/^p(\d+)/.exec(email ?? "")?.[1])]?.[1].silent ?? Infinity;
        for (const [own, { company, silent, title }] of questions) {
          const once = (all: readonly FilterCase[]) => [...new Map(all.map((each) => [each.name, each])).values()];
          const [mine, theirs] = [once(own), once(company)];
          const query = [
            ...mine.map((each) => ["property", each] as const),
            ...theirs.map((each) => ["company", each] as const),
          ].map(
            ([whose, { name, operator, value }]) => `${whose}.${name}=${encodeURIComponent(`${operator}:${value}`)}`,
          );
          if (silent !== null) query.push(`not_contacted_for=${silent}`);
          if (title !== null) query.push(`title=${title}`);
          const expected = rows.filter((row) => {
            const employer = employers.find(({ id }) => id === row.company_id) ?? { properties: {} };
            return (
              mine.every((each) => holds(row as unknown as Row, each)) &&
              theirs.every((each) => holds(employer as unknown as Row, each)) &&
              (silent === null || silenceOf(row) > Number.parseInt(silent, 10)) &&
              (title === null || titleHolds(title, row.job_title))
            );
          });
          const found = await people(`limit=2&sort=created_asc&${query.join("&")}`);
          expect(found.map(({ id }) => id).sort(), query.join("&")).toEqual(expected.map(({ id }) => id).sort());
        }
      },
    ),
    { numRuns: 12 },
  );
});

test("who has neither a standard field nor a custom property is found, in either order, on pages of any size", async () => {
  const { post, people } = await setUp();
  await post("/v2/people/bulk", {
    people: [{}, { beta: 0 }, { job_title: "CFO" }, {}].map((fields, index) => ({
      ...fields,
      email: `p${index}@gmail.com`,
    })),
  });
  const names = ["job_title", "beta"];
  for (const limit of [1, 2, 3, 100])
    for (const order of [names, names.toReversed()]) {
      const query = order.map((name) => `property.${name}=exists:false`).join("&");
      const found = await people(`limit=${limit}&sort=created_asc&${query}`);
      expect(found.map(({ email }) => email).sort(), `${limit} ${query}`).toEqual(["p0@gmail.com", "p3@gmail.com"]);
    }
});

test("a walk of small pages shows, in the list's order, all that the filter means, frequent or rare", async () => {
  const { post, people } = await setUp();
  await post("/v2/people/bulk", {
    people: Array.from({ length: 130 }, (_, index) => ({
      email: `p${index}@gmail.com`,
      ...(index % 2 === 0 ? { often: "yes" } : {}),
      ...(index % 60 === 59 ? { rare: "yes" } : {}),
    })),
  });
  const signals = Array.from({ length: 70 }, (_, index) => ({
    email: `p${index}@gmail.com`,
    type: "email_sent",
    occurred_at: new Date(Date.UTC(2026, 0, 1 + ((index * 7) % 70))).toISOString(),
  }));
  await post("/api/v1/capture/batch", signals);
  for (const sort of [
    "last_activity_desc",
    "last_activity_asc",
    "created_desc",
    "icp_score_asc",
    "name_asc",
    "stage_desc",
  ]) {
    const all = await people(`sort=${sort}`);
    for (const name of ["often", "rare"]) {
      for (const [filter, has] of [
        ["yes", true],
        ["exists:false", false],
      ] as const) {
        const expected = all.filter(({ properties }) => (properties[name] === "yes") === has);
        expect(expected.length).toBeGreaterThan(1);
        for (const limit of [1, 7]) {
          const found = await people(`sort=${sort}&limit=${limit}&property.${name}=${filter}`);
          expect(
            found.map(({ email }) => email),
            `${name}=${filter} by ${sort}, ${limit} at a time`,
          ).toEqual(expected.map(({ email }) => email));
        }
      }
    }
  }
  const updated = await people("sort=last_activity_desc&limit=1&updated_before=1d");
  expect(updated).toEqual([]);
});

test("who lacks a property is found where records have more different sets of properties than are looked through", async () => {
  const { post, people } = await setUp();
  const everyone = Array.from({ length: 1_040 }, (_, index) => ({
    email: `p${index}@gmail.com`,
    ...Object.fromEntries(
      Array.from({ length: 11 }, (_, bit) => bit).flatMap((bit) => ((index >> bit) & 1 ? [[`bit_${bit}`, true]] : [])),
    ),
  }));
  await post("/v2/people/bulk", { people: everyone.slice(0, 1_000) });
  const lacking = async () =>
    (await people("limit=1000&property.bit_3=exists:false&property.bit_7=exists:false")).length;
  const expected = (most: number) => everyone.slice(0, most).filter((_, index) => (index & 0b10001000) === 0).length;
  expect(await lacking()).toBe(expected(1_000));
  await post("/v2/people/bulk", { people: everyone.slice(1_000) });
  expect(await lacking()).toBe(expected(1_040));
});

describe("when a record was updated", () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

  /** The time of the update before and after a step, of the person and their company. */
  async function around(step: (stage: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>) {
    const stage = await setUp();
    await stage.post("/v2/people", { email: "anna@acme.com", first_name: "Anna", job_title: "CTO" });
    await stage.post("/v2/people", { email: "bob@acme.com" });
    const read = async () => ({
      anna:
        [
          ...(await stage.people("email=anna@acme.com")),
          ...(await stage.people("email=anna@acme.com&status=archived")),
        ][0]?.updated_at ?? "",
      bob: (await stage.people("email=bob@acme.com"))[0]?.updated_at ?? "",
      acme: (await stage.companies("domain=acme.com"))[0]?.updated_at ?? "",
    });
    const before = await read();
    await pause();
    await step(stage);
    const after = await read();
    return (["anna", "bob", "acme"] as const).filter((who) => after[who] > before[who]).join(" ");
  }

  type Step = (stage: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>;
  const observe =
    (focus: string, observation: object): Step =>
    ({ post }) =>
      post("/v2/observations", { focus, observations: [observation] });

  test.each<[string, string, Step]>([
    ["a value", "anna", observe("anna@acme.com", { kind: "state", property: "job_title", value: "CEO" })],
    [
      "the same value from elsewhere",
      "anna",
      observe("anna@acme.com", { kind: "state", property: "job_title", value: "CTO", source: "crm" }),
    ],
    [
      "an event of long ago",
      "anna acme",
      observe("anna@acme.com", { kind: "event", property: "page.visited", value: {}, observed_at: "2020-01-01" }),
    ],
    [
      "a captured activity",
      "anna acme",
      ({ post }) => post("/api/v1/capture", { email: "anna@acme.com", type: "email_received" }),
    ],
    [
      "an activity of a company, of long ago",
      "acme",
      observe("acme.com", {
        kind: "event",
        property: "interaction.email_sent",
        value: {},
        observed_at: "2020-01-01T00:00:00Z",
      }),
    ],
    [
      "a confirmation",
      "anna",
      ({ post }) => post("/v2/verify", { focus: "anna@acme.com", property: "job_title", confirm: true }),
    ],
    [
      "a look without confirming",
      "",
      ({ post }) => post("/v2/verify", { focus: "anna@acme.com", property: "job_title" }),
    ],
    ["a stage", "anna", ({ post }) => post("/v2/people", { email: "anna@acme.com", pipeline_stage: "client" })],
    [
      "an address",
      "anna",
      ({ post }) => post("/v2/people", { email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" }),
    ],
    ["archiving", "anna", ({ post }) => post("/v2/people", { email: "anna@acme.com", status: "archived" })],
    ["a note", "anna", ({ post }) => post("/v2/notes", { focus: "anna@acme.com", content: "Likes tea." })],
    [
      "a new name of the company",
      "anna bob acme",
      ({ post }) => post("/v2/companies", { domain: "acme.com", name: "Acme Ltd" }),
    ],
    ["a fact of the company", "acme", ({ post }) => post("/v2/companies", { domain: "acme.com", industry: "Fintech" })],
    ["a new colleague", "", ({ post }) => post("/v2/people", { email: "carla@acme.com" })],
    ["the same again", "", ({ post }) => post("/v2/people", { email: "anna@acme.com", job_title: "CTO" })],
    [
      "a colleague who becomes known by an activity",
      "acme",
      ({ post }) => post("/api/v1/capture", { email: "carla@acme.com", type: "email_received" }),
    ],
    [
      "a merge, after which both addresses are of one person",
      "anna bob",
      ({ post }) => post("/v2/accounts/merge", { keep: "anna@acme.com", drop: "bob@acme.com" }),
    ],
  ])("%s updates: %s", async (_, updated, step) => {
    const seen = await around(step);
    expect(seen === "" ? [] : seen.split(" ")).toEqual(updated === "" ? [] : updated.split(" "));
  });

  test("filters find what was created or updated since then, or before", async () => {
    const { post, emails, people } = await setUp();
    await post("/v2/people", { email: "anna@acme.com" });
    await pause();
    await post("/v2/people", { email: "bob@acme.com" });
    const [bob, anna] = (await people("sort=created_desc")) as [Person, Person];
    await pause();
    await post("/v2/people", { email: "anna@acme.com", job_title: "CTO" });
    const at = (time: string) => encodeURIComponent(time);
    expect(await emails(`created_after=${at(bob.created_at)}`)).toEqual(["bob"]);
    expect(await emails(`created_before=${at(bob.created_at)}`)).toEqual(["anna"]);
    expect(await emails(`updated_after=${at(bob.updated_at)}`)).toEqual(["anna", "bob"]);
    expect(await emails(`updated_before=${at(anna.updated_at)}`)).toEqual([]);
    expect(await emails(`updated_after=${at(new Date(Date.parse(bob.updated_at) + 1).toISOString())}`)).toEqual([
      "anna",
    ]);
    for (const name of ["created_after", "updated_after"]) expect(await emails(`${name}=1d`)).toEqual(["anna", "bob"]);
    for (const name of ["created_before", "updated_before"]) expect(await emails(`${name}=1d`)).toEqual([]);
    expect(await emails("updated_before=2999-01-01&sort=last_activity_desc&limit=1")).toEqual(["anna", "bob"]);
  });

  test.each(["created_after", "created_before", "updated_after", "updated_before"])(
    "%s refuses what is no time",
    async (name) => {
      const { get } = await setUp();
      for (const wrong of ["soon", "0d", "40000d", "2026-02-30", "7h"])
        for (const list of ["people", "companies"])
          expect(await get(`/v2/${list}?${name}=${wrong}`)).toMatchObject({
            status: 400,
            body: { error: "invalid_parameter", parameter: name },
          });
    },
  );
});

describe("the properties a workspace has", () => {
  const properties = async (stage: Awaited<ReturnType<typeof setUp>>, query = "") =>
    (await stage.get(`/v2/properties${query}`)).body.properties as Property[];
  const named = (all: Property[], name: string, subject = "person") =>
    all.find((property) => property.name === name && property.subject === subject);

  test("are the standard fields, then the custom properties, with types, counts and samples", async () => {
    const stage = await withPeople();
    await stage.post("/v2/companies", { domain: "acme.com", employee_count: 120, region: "World" });
    const all = await properties(stage);
    expect(named(all, "job_title")).toEqual({
      name: "job_title",
      subject: "person",
      standard: true,
      type: "text",
      records: 3,
      capped: false,
      samples: ["CFO", "cfo"],
    });
    expect(named(all, "icp_score")).toMatchObject({ type: "number", records: 0, samples: [] });
    expect(named(all, "created_at")).toMatchObject({ type: "date", records: 4 });
    expect(named(all, "region")).toMatchObject({ standard: false, type: "text", records: 3 });
    expect(named(all, "region", "company")).toMatchObject({ records: 1, samples: ["World"] });
    expect(named(all, "employees")).toMatchObject({ type: "text", records: 3 });
    expect(named(all, "renewal")).toMatchObject({ type: "date", records: 2 });
    expect(named(all, "vip")).toMatchObject({ type: "boolean", samples: [true] });
    expect(named(all, "tags")).toMatchObject({ type: "list", samples: [["Gold", "vip: yes"]] });
    expect(named(all, "employee_count", "company")).toMatchObject({ standard: true, type: "number", samples: [120] });
    expect((await properties(stage, "?subject=company")).every(({ subject }) => subject === "company")).toBe(true);
    for (const { name, subject, samples } of all)
      for (const sample of samples) {
        const query = new URLSearchParams({ [`property.${name}`]: `eq:${[sample].flat()[0]}` });
        const found = subject === "person" ? await stage.people(`${query}`) : await stage.companies(`${query}`);
        expect(found.length, `${subject} ${query}`).toBeGreaterThan(0);
      }
  });

  test("lose what was erased, ended or merged away", async () => {
    const stage = await withPeople();
    const [dora] = await stage.people("email=dora@gmail.com");
    await stage.post("/v2/people", { email: "carla@umbra.io", vip: null });
    expect(await stage.post("/v2/accounts/erase", { focus: dora?.id })).toMatchObject({ status: 200 });
    const all = await properties(stage);
    for (const gone of ["vip", "tags", "zip", "note"]) expect(named(all, gone), gone).toBeUndefined();
    expect(JSON.stringify(all)).not.toContain("Dora");
    expect(
      await inspect("SELECT 1 FROM property_values WHERE workspace_id = $1 AND property = 'vip'", [stage.workspace.id]),
    ).toEqual([]);
  });
});

test("records of a property set have the same properties, and those of different sets others", async () => {
  const rows = await inspect<{ sets: number; kinds: number; both: number }>(
    `SELECT count(DISTINCT (workspace_id, subject, property_set))::int AS sets, count(DISTINCT (workspace_id, subject, names))::int AS kinds,
       count(DISTINCT (workspace_id, subject, property_set, names))::int AS both
     FROM (
       SELECT p.workspace_id, p.subject, p.property_set, array(SELECT v.property FROM property_values v WHERE v.workspace_id = p.workspace_id AND v.entity_id = p.id ORDER BY 1) AS names
       FROM (SELECT workspace_id, id, 'person' AS subject, property_set FROM people UNION ALL SELECT workspace_id, id, 'company', property_set FROM companies) AS p
     ) AS each`,
  );
  const [{ sets, kinds, both } = { sets: 0, kinds: 0, both: 0 }] = rows;
  expect(sets).toBeGreaterThan(10);
  expect([kinds, both]).toEqual([sets, sets]);
});
