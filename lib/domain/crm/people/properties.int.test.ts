import { describe, expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import { filteredLists } from "#lib/testing/filtered-lists.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import type { Property } from "./contract.ts";

const { setUp, withPeople } = filteredLists(useServer());

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
