/** Importing people into a lead list, people who were erased, and what undoing does with leads. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { withErasure } from "#lib/db/transaction.ts";
import { changeLead, createLead, createLeadList, deleteLeadList, listLeads } from "#lib/domain/crm/leads/service.ts";
import { listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { ran, rowsOf, undone, until, upload } from "#lib/testing/imports.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { patchImport, runImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

const leadsOf = async (caller: Caller, list_id: string): Promise<string[]> =>
  ((await listLeads.execute(caller, { list_id })) as { leads: { email: string }[] }).leads
    .map(({ email }) => email)
    .sort();

const newList = async (caller: Caller): Promise<string> =>
  (await createLeadList.execute(caller, { name: "Spring fair" })).lead_list.id;

test("people are added to the list, once; undoing takes out those without activity since", async () => {
  const { caller } = await createTestWorkspace();
  const list_id = await newList(caller);
  await upsertPerson.execute(caller, { email: "known@acme.com" });
  await createLead.execute(caller, { list_id, email: "there@acme.com" });
  const file = "Email,First Name\nknown@acme.com,Kim\nthere@acme.com,Tia\nnew@acme.com,Noa\nsent@acme.com,Sia\n";
  const { id } = await upload(caller, file);
  await patchImport.execute(caller, { id, list_id });
  expect((await ran(caller, { id })).list_id).toBe(list_id);
  expect(await leadsOf(caller, list_id)).toEqual(["known@acme.com", "new@acme.com", "sent@acme.com", "there@acme.com"]);

  const { leads } = (await listLeads.execute(caller, { list_id })) as { leads: { id: string; email: string }[] };
  const sent = leads.find(({ email }) => email === "sent@acme.com");
  await changeLead.execute(caller, { id: sent?.id, status: "sent" });
  const { undo } = await undone(caller, { id });
  expect(await leadsOf(caller, list_id)).toEqual(["sent@acme.com", "there@acme.com"]);
  const { people } = (await listPeople.execute(caller, {})) as { people: { email: string }[] };
  expect(people.map(({ email }) => email).sort()).toEqual(["known@acme.com", "sent@acme.com", "there@acme.com"]);
  expect(undo).toMatchObject({ removed: 1 });
});

test("a list that is unknown, foreign or not in the plan is refused, and one that was deleted meanwhile is left out", async () => {
  const { caller } = await createTestWorkspace();
  const theirs = await createTestWorkspace();
  const { id } = await upload(caller, "Email\nanna@acme.com\n");
  const foreign = await newList(theirs.caller);
  await expect(patchImport.execute(caller, { id, list_id: foreign })).rejects.toMatchObject({
    code: "lead_list_not_found",
  });
  const list_id = await newList(caller);
  await expect(patchImport.execute({ ...caller, plan: "growth" }, { id, list_id })).rejects.toMatchObject({
    code: "feature_not_in_plan",
  });
  await patchImport.execute(caller, { id, list_id });
  await deleteLeadList.execute(caller, { id: list_id });
  expect((await ran(caller, { id })).run).toMatchObject({ created: 1, skipped: 0 });
});

test("people who were erased are skipped, until someone creates them again on purpose", async () => {
  const { caller } = await createTestWorkspace();
  await upsertPerson.execute(caller, { email: "gone@acme.com" });
  await erasePerson.execute(caller, { focus: "gone@acme.com" });
  const run = async () => {
    const { id } = await upload(caller, "Email,Title\ngone@acme.com,CFO\nanna@acme.com,CEO\n");
    const { run: counts } = await ran(caller, { id });
    const rows = await rowsOf(caller, { id });
    return { counts, codes: rows.flatMap(({ reasons }) => reasons.map(({ code }) => code)) };
  };
  expect(await run()).toMatchObject({ counts: { created: 1, skipped: 1 }, codes: ["erased"] });
  await upsertPerson.execute(caller, { email: "gone@acme.com" });
  expect(await run()).toMatchObject({ counts: { created: 0, skipped: 0, updated: 1 }, codes: [] });
});

test.each([
  ["people", "Email,LinkedIn,Title\nknown@acme.com,linkedin.com/in/gone,CFO\n"],
  ["people", "Email,LinkedIn,Title\nnew@acme.com,linkedin.com/in/gone,CFO\n"],
  ["notes", "LinkedIn,Content\nlinkedin.com/in/gone,Call Gina back\n"],
  ["activities", "LinkedIn,Type,Date,Summary\nlinkedin.com/in/gone,call,2026-11-01,Gina called\n"],
])(
  "a row of %s that names someone erased beside others is skipped whole, and keeps nothing of them",
  async (kind, content) => {
    const { caller, id: workspaceId } = await createTestWorkspace();
    await upsertPerson.execute(caller, { email: "gone@acme.com", linkedin_url: "linkedin.com/in/gone" });
    await upsertPerson.execute(caller, { email: "known@acme.com" });
    await erasePerson.execute(caller, { focus: "gone@acme.com" });
    const { id } = await upload(caller, content, { kind });
    await until(caller, id, "ready");
    expect((await ran(caller, { id })).run).toMatchObject({ created: 0, updated: 0, skipped: 1 });
    expect(await rowsOf(caller, { id })).toMatchObject([
      { outcome: "skipped", label: null, entity_id: null, reasons: [{ code: "erased" }] },
    ]);
    const { people } = (await listPeople.execute(caller, {})) as {
      people: { email: string; job_title: string | null }[];
    };
    expect(people).toMatchObject([{ email: "known@acme.com", linkedin_url: null, job_title: null }]);
    expect(await inspect("SELECT 1 FROM notes WHERE workspace_id = $1", [workspaceId])).toEqual([]);
  },
);

test.each([
  ["people", "Email\ngone@acme.com\n", { created: 0, skipped: 1 }],
  ["notes", "Email,Content\ngone@acme.com,Call back\n", { created: 0, skipped: 1 }],
])("an erasure that ends while a row of %s waits for it is seen", async (kind, content, counts) => {
  const { caller } = await createTestWorkspace();
  await upsertPerson.execute(caller, { email: "gone@acme.com" });
  const erasure = await erasePerson.prepare(caller, { focus: "gone@acme.com" });
  let id = "";
  await withErasure(caller.workspaceId, async (db) => {
    await erasure.run(db);
    ({ id } = await upload(caller, content, { kind }));
    await runImport.execute(caller, { id });
    const waiting = () => inspect("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    await expect.poll(async () => (await waiting()).length, { interval: 20 }).toBeGreaterThan(0);
  });
  expect((await until(caller, id, "done")).run).toMatchObject(counts);
  expect(((await listPeople.execute(caller, {})) as { people: unknown[] }).people).toEqual([]);
});
