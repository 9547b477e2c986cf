import type { Company, Person } from "#lib/domain/crm/people/contract.ts";
import { allPages } from "./list-pages.fixture.ts";
import type { useServer } from "./server.fixture.ts";
import { createTestWorkspace } from "./workspace.fixture.ts";

/** Lists of a workspace, and four people with properties to filter them by. */
export function filteredLists({ call }: Pick<ReturnType<typeof useServer>, "call">) {
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
  return { setUp, withPeople };
}
