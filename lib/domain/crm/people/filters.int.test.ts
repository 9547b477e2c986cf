/** Filters by properties: which records each finds, and what it refuses. */
import { describe, expect, test } from "vitest";
import { filteredLists } from "#lib/testing/filtered-lists.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";

const { setUp, withPeople } = filteredLists(useServer());

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
