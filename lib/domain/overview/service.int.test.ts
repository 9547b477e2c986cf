import { expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { patchPerson, upsertCompany, upsertPerson } from "#lib/domain/people/service.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { getNames, getOverview } from "./service.ts";

test("counts active people at every stage, of this workspace only", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  expect((await getOverview.execute(caller, {})).people).toBe(0);
  const stages = ["aware", "aware", "client", "evaluating"];
  for (const [index, pipeline_stage] of stages.entries())
    await upsertPerson.execute(caller, { email: `p${index}@acme.com`, pipeline_stage });
  await upsertPerson.execute(other.caller, { email: "x@acme.com", pipeline_stage: "client" });
  await patchPerson.execute(caller, { focus: "p3@acme.com", status: "archived" });
  expect(await getOverview.execute(caller, {})).toEqual({
    stages: [
      { stage: "identified", people: 0 },
      { stage: "aware", people: 2 },
      { stage: "interested", people: 0 },
      { stage: "evaluating", people: 0 },
      { stage: "client", people: 1 },
    ],
    people: 3,
  });
});

test("names people and companies, and nothing of another workspace", async () => {
  const [{ caller }, other] = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  const { person } = await upsertPerson.execute(caller, { email: "anna@gmail.com", first_name: "Anna" });
  const { company } = await upsertCompany.execute(caller, { domain: "acme.com" });
  const foreign = await upsertPerson.execute(other.caller, { email: "x@gmail.com" });
  const { names } = await getNames.execute(caller, { ids: [person.id, company.id, foreign.person.id, newId()] });
  expect(names).toEqual([
    { id: person.id, type: "person", name: "Anna" },
    { id: company.id, type: "company", name: "acme.com" },
  ]);
});
