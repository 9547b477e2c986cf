import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Company, Person } from "./contract.ts";

const { call } = useServer();
type Page = { people: Person[]; has_more: boolean; next_cursor: string | null; limit: number; offset: number };

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  const post = (body: object) => call("/v2/people", { key, body });
  const patch = (focus: string, body: object) =>
    call(`/v2/people/${encodeURIComponent(focus)}`, { key, method: "PATCH", body });
  const list = async (query = "") => (await call(`/v2/people${query}`, { key })).body as unknown as Page;
  const companies = async (query = "") =>
    (await call(`/v2/companies${query}`, { key })).body as unknown as { companies: Company[] };
  const observe = (focus: string, observations: object[]) =>
    call("/v2/observations", { key, body: { focus, observations } });
  const person = (answer: { body: Record<string, unknown> }) => answer.body.person as Person;
  return { workspace, key, post, patch, list, companies, observe, person };
}

const event = (observed_at: string) => ({ kind: "event", property: "page.visited", value: {}, observed_at });

describe("creating and changing a person", () => {
  test("an unknown e-mail makes a person with a linked company; the same e-mail in another case finds them", async () => {
    const { post, person, companies } = await setUp();
    const created = await post({ email: " Anna@Acme.com", first_name: "Anna", last_name: "Smith", region: "DACH" });
    expect(created.status).toBe(201);
    expect(person(created)).toMatchObject({
      email: "anna@acme.com",
      first_name: "Anna",
      company: "acme.com",
      pipeline_stage: "identified",
      source: "api",
      status: "active",
      last_activity_at: null,
      properties: { region: "DACH" },
    });
    const again = await post({ email: "ANNA@acme.com", job_title: "CTO" });
    expect(again).toMatchObject({ status: 200, body: { created: false, claims_written: 1 } });
    expect(person(again)).toMatchObject({ id: person(created).id, first_name: "Anna", job_title: "CTO" });
    expect((await companies()).companies).toMatchObject([
      { domain: "acme.com", people_count: 1, id: person(created).company_id },
    ]);
  });

  test("a free mailbox names no company; a company's name shows beside its people and follows a change", async () => {
    const { post, patch, person, key } = await setUp();
    expect(person(await post({ email: "bob@gmail.com" }))).toMatchObject({ company: null, company_id: null });
    const anna = person(await post({ email: "anna@mail.acme.co.uk" }));
    expect(anna.company).toBe("acme.co.uk");
    await call("/v2/companies", { key, body: { domain: "https://www.acme.co.uk/about", name: "Acme Ltd" } });
    expect(person(await patch(anna.id, {})).company).toBe("Acme Ltd");
    expect(person(await patch(anna.id, { company: "Acme Holding" })).company).toBe("Acme Holding");
    expect(person(await patch(anna.id, { company: null })).company).toBe("Acme Ltd");
  });

  test("null ends a value and a repeated value writes no new claim", async () => {
    const { post, patch, person } = await setUp();
    const anna = person(await post({ email: "anna@acme.com", job_title: "CTO" }));
    expect((await patch(anna.id, { job_title: "CTO" })).body.claims_written).toBe(0);
    expect(person(await patch(anna.id, { job_title: null })).job_title).toBeNull();
    expect((await patch(anna.id, { job_title: null })).body.claims_written).toBe(0);
    expect(person(await patch(anna.id, { job_title: "CEO" })).job_title).toBe("CEO");
  });

  test("identifiers are attached when free and refused when they belong to someone else", async () => {
    const { post, patch, person } = await setUp();
    const anna = person(await post({ email: "anna@acme.com" }));
    const linked = person(await patch(anna.id, { linkedin_url: "de.linkedin.com/in/Anna-Smith/?trk=x" }));
    expect(linked.linkedin_url).toBe("https://www.linkedin.com/in/anna-smith");
    const bob = person(await post({ email: "bob@acme.com" }));
    expect(await patch(bob.id, { linkedin_url: "https://linkedin.com/in/anna-smith" })).toMatchObject({
      status: 409,
      body: { error: "identifier_conflict", entity_id: anna.id },
    });
    expect(await post({ email: "bob@acme.com", linkedin_url: "https://linkedin.com/in/anna-smith" })).toMatchObject({
      status: 409,
    });
    expect(person(await patch("https://linkedin.com/in/anna-smith", { email: "anna@new.example.com" })).email).toBe(
      "anna@new.example.com",
    );
    expect(person(await patch("anna@acme.com", {})).id).toBe(anna.id);
    expect(person(await patch(anna.id, { email: null })).email).toBeNull();
    expect(await patch("anna@acme.com", {})).toMatchObject({ status: 404, body: { error: "entity_not_found" } });
  });

  test.each([
    [{}, "identifier_required"],
    [{ first_name: "Anna" }, "identifier_required"],
    [{ email: "anna" }, "invalid_email"],
    [{ linkedin_url: "https://www.linkedin.com/in/ACoAAB12345" }, "invalid_linkedin_url"],
    [{ linkedin_url: "https://www.linkedin.com/company/acme" }, "invalid_linkedin_url"],
    [{ email: "a@acme.com", phone: "12" }, "invalid_phone"],
    [{ email: "a@acme.com", pipeline_stage: "won" }, "invalid_parameter"],
    [{ email: "a@acme.com", "Region-Name": 1 }, "unknown_parameter"],
    [{ email: "a@acme.com", stage: "client" }, "unknown_parameter"],
    [{ email: "a@acme.com", company_id: newId() }, "unknown_parameter"],
    [{ email: "a@acme.com", tags: [1] }, "invalid_parameter"],
  ])("%j is 400 %s and writes nothing", async (body, error) => {
    const { post, workspace } = await setUp();
    expect(await post(body)).toMatchObject({ status: 400, body: { error } });
    expect(
      await inspect("SELECT 1 FROM entities WHERE workspace_id = $1 AND type <> 'workspace'", [workspace.id]),
    ).toEqual([]);
  });

  test("a hundred concurrent upserts of one e-mail make one person", async () => {
    const { post, list, companies } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post({ email: "race@acme.com", job_title: `t${index}` })),
    );
    expect(new Set(answers.map((answer) => (answer.body.person as Person).id)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect((await list()).people).toHaveLength(1);
    expect((await companies()).companies).toMatchObject([{ people_count: 1 }]);
  });

  test("the same person by e-mail and by LinkedIn URL at once ends in one entity or an explicit conflict", async () => {
    const { post, list } = await setUp();
    const both = { email: "anna@acme.com", linkedin_url: "linkedin.com/in/anna" };
    const answers = await Promise.all([
      post({ email: both.email }),
      post({ linkedin_url: both.linkedin_url }),
      post(both),
      post(both),
    ]);
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    const { people } = await list();
    expect(people.length).toBeLessThanOrEqual(2);
    expect(people.every((person) => person.email || person.linkedin_url)).toBe(true);
  });

  test("bulk answers per row and writes the good ones", async () => {
    const { key, list } = await setUp();
    const people = [
      { email: "b@acme.com", first_name: "B" },
      { email: "nope" },
      { email: "a@acme.com" },
      { email: "B@ACME.com", last_name: "Bee" },
    ];
    const answer = await call("/v2/people/bulk", { key, body: { people } });
    expect(answer.body).toMatchObject({ created: 2, updated: 1, failed: 1 });
    expect((answer.body.results as { status: string }[]).map(({ status }) => status)).toEqual([
      "created",
      "failed",
      "created",
      "updated",
    ]);
    expect((await list()).people).toHaveLength(2);
  });

  test("archived people leave the default list but still resolve", async () => {
    const { post, patch, list, person, companies } = await setUp();
    const anna = person(await post({ email: "anna@acme.com" }));
    expect(person(await patch(anna.id, { status: "archived" })).status).toBe("archived");
    expect((await list()).people).toHaveLength(0);
    expect((await list("?status=archived")).people).toHaveLength(1);
    expect((await companies()).companies).toMatchObject([{ people_count: 0 }]);
    expect(person(await post({ email: "anna@acme.com", status: "active" })).id).toBe(anna.id);
    expect((await companies()).companies).toMatchObject([{ people_count: 1 }]);
  });
});

describe("listing people", () => {
  test("sorts by last activity with nulls last, and asc is the exact reverse; every page by offset or cursor gives the full set", async () => {
    const { post, observe, list } = await setUp();
    for (let index = 0; index < 25; index++) {
      const email = `p${index}@acme.com`;
      await post({ email });
      if (index % 3 !== 0) await observe(email, [event(`2026-0${(index % 4) + 1}-01T00:00:00Z`)]);
    }
    const all = (await list()).people;
    const times = all.map((person) => person.last_activity_at);
    expect(times.filter((time) => time !== null)).toEqual([...times.filter((time) => time !== null)].sort().reverse());
    expect(times.slice(16)).toEqual(Array(9).fill(null));
    const ids = all.map((person) => person.id);
    expect((await list("?sort=last_activity_asc")).people.map((person) => person.id)).toEqual([...ids].reverse());
    for (const sort of [
      "last_activity_desc",
      "last_activity_asc",
      "created_desc",
      "created_asc",
      "icp_score_desc",
      "icp_score_asc",
    ]) {
      const whole = (await list(`?sort=${sort}`)).people.map((person) => person.id);
      for (const walk of ["cursor", "offset"]) {
        const seen: string[] = [];
        for (let page = await list(`?sort=${sort}&limit=4`); ; ) {
          seen.push(...page.people.map((person) => person.id));
          if (!page.has_more) break;
          page = await list(
            `?sort=${sort}&limit=4&${walk === "cursor" ? `cursor=${page.next_cursor}` : `offset=${seen.length}`}`,
          );
        }
        expect(seen, `${sort} by ${walk}`).toEqual(whole);
      }
    }
  });

  test("those not active of late are every page of all who are not, in either order", async () => {
    const { post, observe, list } = await setUp();
    for (let index = 0; index < 20; index++) {
      const email = `p${index}@acme.com`;
      await post({ email });
      if (index % 4 !== 0)
        await observe(email, [event(new Date(Date.now() - index * 86_400_000 + 3_600_000).toISOString())]);
    }
    const idle = (person: Person) =>
      person.last_activity_at === null || Date.parse(person.last_activity_at) < Date.now() - 10 * 86_400_000;
    for (const sort of ["last_activity_desc", "last_activity_asc", "created_desc"]) {
      const whole = (await list(`?sort=${sort}`)).people.filter(idle).map(({ id }) => id);
      expect(whole).toHaveLength(12);
      for (const walk of ["cursor", "offset"]) {
        const seen: string[] = [];
        let more = "";
        for (;;) {
          const page = await list(`?sort=${sort}&last_activity_before=10d&limit=5${more}`);
          seen.push(...page.people.map(({ id }) => id));
          if (!page.has_more) break;
          more = walk === "cursor" ? `&cursor=${page.next_cursor}` : `&offset=${seen.length}`;
        }
        expect(seen, `${sort} by ${walk}`).toEqual(whole);
      }
    }
  });

  test("a booked future event counts as activity now", async () => {
    const { observe, list } = await setUp();
    await observe("anna@acme.com", [event("2999-01-01T00:00:00Z")]);
    const at = Date.parse((await list()).people[0]?.last_activity_at ?? "");
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000);
  });

  test("each filter keeps what it says", async () => {
    const { post, patch, observe, list, person } = await setUp();
    const anna = person(
      await post({
        email: "anna@acme.com",
        first_name: "Änna",
        last_name: "Smith",
        source: "csv_import",
        region: "DACH",
        tags: ["a", "b"],
      }),
    );
    const lin = person(
      await post({ linkedin_url: "linkedin.com/in/lin", first_name: "Lin", pipeline_stage: "client", size: 5 }),
    );
    await observe(anna.id, [event(new Date(Date.now() - 10 * 86_400_000).toISOString())]);
    await patch(anna.id, { company: "50%_off" });
    const who = async (query: string) => (await list(query)).people.map((row) => row.first_name).sort();
    expect(await who("?search=anna%20sm")).toEqual(["Änna"]);
    expect(await who("?search=ÄNNA")).toEqual(["Änna"]);
    expect(await who("?search=50%25_")).toEqual(["Änna"]);
    expect(await who("?search=50x")).toEqual([]);
    expect(await who("?search=")).toEqual(["Lin", "Änna"]);
    expect(await who("?pipeline_stage=client")).toEqual(["Lin"]);
    expect(await who("?source=csv_import")).toEqual(["Änna"]);
    expect(await who("?has_email=false")).toEqual(["Lin"]);
    expect(await who("?has_linkedin=false")).toEqual(["Änna"]);
    expect(await who("?last_activity_before=2d")).toEqual(["Lin", "Änna"]);
    expect(await who("?last_activity_before=30d")).toEqual(["Lin"]);
    expect(await who("?last_activity_after=30d")).toEqual(["Änna"]);
    expect(await who("?email=ANNA@acme.com")).toEqual(["Änna"]);
    expect(await who("?linkedin_url=linkedin.com/in/lin")).toEqual(["Lin"]);
    expect(await who(`?company_id=${anna.company_id}`)).toEqual(["Änna"]);
    expect(await who("?property.region=DACH&property.tags=b")).toEqual(["Änna"]);
    expect(await who("?property.region=EU")).toEqual([]);
    expect(await who("?property.size=5")).toEqual(["Lin"]);
    expect(await who("?min_icp_score=1")).toEqual([]);
    expect(lin.pipeline_stage).toBe("client");
  });

  test.each([
    ["?pipeline_stage=won", "pipeline_stage"],
    ["?status=deleted", "status"],
    ["?sort=name", "sort"],
    ["?last_activity_before=7", "last_activity_before"],
    ["?last_activity_after=0d", "last_activity_after"],
    ["?last_activity_after=36501d", "last_activity_after"],
    ["?has_email=1", "has_email"],
    ["?offset=-1", "offset"],
    ["?cursor=abc", "cursor"],
    ["?company_id=x", "company_id"],
    ["?email=x", "email"],
    ["?min_icp_score=101", "min_icp_score"],
  ])("%s is 400 invalid_parameter naming %s", async (query, parameter) => {
    const { key } = await setUp();
    expect(await call(`/v2/people${query}`, { key })).toMatchObject({
      status: 400,
      body: { error: "invalid_parameter", parameter },
    });
  });

  test("an offset beyond 30,000 is refused with the way that goes on", async () => {
    const { key } = await setUp();
    expect((await call("/v2/people?offset=30000", { key })).body).toMatchObject({ people: [], offset: 30_000 });
    expect(await call("/v2/people?offset=30001", { key })).toMatchObject({
      status: 400,
      body: {
        parameter: "offset",
        message: "offset: goes up to 30000; for what comes after that, pass a page's next_cursor as cursor.",
      },
    });
  });

  test("a cursor of one sort is refused by another; a limit above the cap is clamped and echoed", async () => {
    const { post, list, key } = await setUp();
    for (const name of ["a", "b"]) await post({ email: `${name}@acme.com` });
    const { next_cursor } = await list("?limit=1");
    expect(await call(`/v2/people?sort=created_desc&cursor=${next_cursor}`, { key })).toMatchObject({
      status: 400,
      body: { parameter: "cursor" },
    });
    expect((await list("?limit=99999")).limit).toBe(1000);
  });

  test("two workspaces never see each other's people, and a foreign id is unknown", async () => {
    const [mine, other] = [await setUp(), await setUp()];
    const anna = mine.person(await mine.post({ email: "anna@acme.com" }));
    expect((await other.list()).people).toEqual([]);
    expect((await other.list(`?company_id=${anna.company_id}`)).people).toEqual([]);
    expect(await other.patch(anna.id, { first_name: "X" })).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
    expect(await other.post({ email: "anna@acme.com" })).toMatchObject({ status: 201 });
  });
});

describe("companies", () => {
  test("are created, changed, filtered and never confused with people", async () => {
    const { key, companies, post, person, patch } = await setUp();
    const made = await call("/v2/companies", {
      key,
      body: { domain: "acme.com", name: "Acme", employee_count: 120, country: "DE", funding: "A" },
    });
    expect(made).toMatchObject({
      status: 201,
      body: { company: { domain: "acme.com", name: "Acme", employee_count: 120, properties: { funding: "A" } } },
    });
    const anna = person(await post({ email: "anna@acme.com" }));
    expect((await companies("?search=ACM&domain=www.acme.com")).companies).toMatchObject([
      { people_count: 1, id: anna.company_id },
    ]);
    expect(await call("/v2/companies", { key, body: { domain: "gmail" } })).toMatchObject({
      status: 400,
      body: { error: "invalid_domain" },
    });
    expect(await call("/v2/companies/acme.com", { key, method: "PATCH", body: { industry: "Fintech" } })).toMatchObject(
      { status: 200, body: { company: { industry: "Fintech" } } },
    );
    expect(await patch("acme.com", { first_name: "x" })).toMatchObject({
      status: 404,
      body: { error: "entity_not_found" },
    });
  });
});
