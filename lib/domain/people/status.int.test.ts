import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { type EntityRow, findEntity } from "#lib/domain/entities/service.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listPeople, patchPerson, recordEach, upsertPerson } from "./service.ts";

test("a value that is recorded while someone archives the person does not bring them back", async () => {
  const { caller } = await createTestWorkspace();
  const { person } = await upsertPerson.execute(caller, { email: "anna@acme.com" });
  const before = await withWorkspace(caller.workspaceId, (db) => findEntity(db, person.id));
  await patchPerson.execute(caller, { focus: person.id, status: "archived" });
  const drafts = [
    { kind: "state", property: "job_title", value: "CTO", source: "api", method: "observed", observedAt: null },
  ] as const;
  await withWorkspace(caller.workspaceId, (db) =>
    recordEach({ ...caller, db }, [{ entity: { ...(before as EntityRow), created: false, attached: [] }, drafts }]),
  );
  const people = async (status: string) =>
    ((await listPeople.execute(caller, { status })) as { people: { job_title: string }[] }).people;
  expect(await people("active")).toEqual([]);
  expect(await people("archived")).toMatchObject([{ job_title: "CTO" }]);
});
