import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { record } from "#lib/domain/crm/recording/service.ts";
import { type EntityRow, findEntity } from "#lib/domain/records/entities/service.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { listPeople, patchPerson, upsertPerson } from "./service.ts";

test("a value that is recorded while someone archives the person does not bring them back", async () => {
  const { caller } = await createTestWorkspace();
  const { person } = await upsertPerson.execute(caller, { email: "anna@acme.com" });
  const before = await withWorkspace(caller.workspaceId, (db) => findEntity(db, person.id));
  await patchPerson.execute(caller, { focus: person.id, status: "archived" });
  const drafts = [
    { kind: "state", property: "job_title", value: "CTO", source: "api", method: "observed", observedAt: null },
  ] as const;
  await withWorkspace(caller.workspaceId, (db) =>
    record({ ...caller, db }, [{ about: { id: (before as EntityRow).id }, drafts }]),
  );
  const people = async (status: string) =>
    ((await listPeople.execute(caller, { status })) as { people: { job_title: string }[] }).people;
  expect(await people("active")).toEqual([]);
  expect(await people("archived")).toMatchObject([{ job_title: "CTO" }]);
});
