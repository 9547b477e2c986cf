import { describe, expect, test } from "vitest";
import { filteredLists } from "#lib/testing/filtered-lists.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import type { Person } from "./contract.ts";

const { setUp } = filteredLists(useServer());

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
