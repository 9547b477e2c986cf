/** Files of companies and notes, two tenants at once, and what erasing a person leaves of a file. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import {
  listCompanies,
  listPeople,
  patchCompany,
  upsertCompany,
  upsertPerson,
} from "#lib/domain/crm/people/service.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { mergeAccounts, suggestMerges, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { listNotes } from "#lib/domain/knowledge/notes/service.ts";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { imported, ran, rowsOf, undone, until, upload } from "#lib/testing/imports.fixture.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { patchImport, previewImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

test("companies are found by domain, LinkedIn page or name", async () => {
  const { caller } = await createTestWorkspace();
  await upsertCompany.execute(caller, { domain: "fernhill.eu", name: "Fernhill" });
  const file =
    'Name,Website,# Employees,Industry\nAcme,https://www.acme.com/about,"1,200",Payments\nFernhill,,51-200,Farming\nOak,,,Banks\nMail,gmail.com,,\nTwin,,,\nOAK,,7,\n';
  await upsertCompany.execute(caller, { domain: "twin.de", name: "Twin" });
  await upsertCompany.execute(caller, { domain: "twin.fr", name: "Twin" });
  const done = await imported(caller, file, { kind: "companies" });
  expect(done.run).toMatchObject({ created: 3, updated: 2, unchanged: 0, skipped: 1 });
  expect((await rowsOf(caller, done)).map(({ reasons }) => reasons.map(({ code }) => code))).toEqual([
    [],
    [],
    [],
    ["invalid_domain"],
    ["unknown_name"],
    ["repeats", "filled"],
  ]);
  expect((await imported(caller, file, { kind: "companies" })).run).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 5,
  });
  const { companies } = (await listCompanies.execute(caller, {})) as { companies: Record<string, unknown>[] };
  expect(
    companies.map(({ name, domain, employee_count, industry }) => [name, domain, employee_count, industry]).sort(),
  ).toEqual([
    ["Acme", "acme.com", 1200, "Payments"],
    ["Fernhill", "fernhill.eu", 51, "Farming"],
    ["Mail", null, null, null],
    ["Oak", null, 7, "Banks"],
    ["Twin", "twin.de", null, null],
    ["Twin", "twin.fr", null, null],
  ]);
});

const companiesIn = async (caller: Caller) =>
  ((await listCompanies.execute(caller, { sort: "created_asc" })) as { companies: Record<string, unknown>[] })
    .companies;

test("people without a business address work for the company of that name, which one import creates and another finds", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertCompany.execute(caller, { domain: "oak.com", name: "Oak" });
  await upsertCompany.execute(caller, { linkedin_url: "linkedin.com/company/elm", name: "Elm" });
  const before = await stateOf(workspace.id);
  const file =
    "Email,Company,Industry,Company size\nanna@gmail.com,Oak,Fintech,120\nben@gmail.com,OÁK,,\ncara@gmail.com,Elm,Retail,\n";
  const done = await imported(caller, file);
  expect(done.run).toMatchObject({ created: 3, skipped: 0 });
  const shown = async () =>
    (await companiesIn(caller)).map(({ name, domain, industry, employee_count, people_count }) => [
      ...[name, domain, industry, employee_count, people_count],
    ]);
  const after = [
    ["Oak", "oak.com", null, null, 0],
    ["Elm", null, "Retail", null, 1],
    ["Oak", null, "Fintech", 120, 2],
  ];
  expect(await shown()).toEqual(after);
  expect((await imported(caller, file)).run).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
  const { suggestions } = (await suggestMerges.execute(caller, {})) as { suggestions: { reason: string }[] };
  expect(suggestions).toMatchObject([{ reason: "same_company_name", detail: "Oak" }]);

  // The name is no identifier that callers see or send.
  const [, , { id } = { id: "" }] = (await companiesIn(caller)) as { id: string }[];
  expect(await getAccount.execute(caller, { focus: id })).toMatchObject({ name: "Oak", identifiers: [] });
  await expect(upsertCompany.execute(caller, { name: "Oak" })).rejects.toMatchObject({ code: "identifier_required" });

  await undone(caller, done);
  expect((await stateOf(workspace.id)).companies).toEqual(before.companies);
});

test("a company that was created by its name is found by it after it got a domain or was merged", async () => {
  const { caller } = await createTestWorkspace();
  const file = "LinkedIn,Company\nlinkedin.com/in/anna,Oak\nlinkedin.com/in/ben,Elm\n";
  await imported(caller, file);
  const [oak, elm] = (await companiesIn(caller)) as { id: string }[];
  await patchCompany.execute(caller, { focus: oak?.id, domain: "oak.com", name: "Oak Group" });
  await upsertCompany.execute(caller, { domain: "elm.com", name: "Elm" });
  const merge = { keep: "elm.com", drop: elm?.id };
  const { merge_id } = (await mergeAccounts.execute(caller, merge)) as { merge_id: string };
  const more = (name: string) => `LinkedIn,Company\nlinkedin.com/in/${name},Oak\nlinkedin.com/in/${name}-2,Elm\n`;
  await imported(caller, more("cara"));
  const counts = async () =>
    (await companiesIn(caller)).map(({ name, domain, people_count }) => [name, domain, people_count]);
  expect(await counts()).toEqual([
    ["Oak Group", "oak.com", 2],
    ["Elm", "elm.com", 2],
  ]);
  await unmergeAccounts.execute(caller, { merge_id });
  await imported(caller, more("dan"));
  expect(await counts()).toEqual([
    ["Oak Group", "oak.com", 3],
    ["Elm", null, 2],
    ["Elm", "elm.com", 1],
  ]);
});

test("who works elsewhere makes no company of a bare name in a file", async () => {
  const { caller } = await createTestWorkspace();
  await upsertPerson.execute(caller, { email: "anna@oak.com", linkedin_url: "linkedin.com/in/anna", company: "Oak" });
  const file = "LinkedIn,Company\nlinkedin.com/in/anna,";
  await imported(caller, `${file}Oak\n`);
  await imported(caller, `${file}Oak Ltd\n`);
  expect(await companiesIn(caller)).toMatchObject([{ domain: "oak.com", people_count: 1 }]);
});

test("two imports of one name at once make one company", async () => {
  const { caller } = await createTestWorkspace();
  const file = (name: string) => `LinkedIn,Company\nlinkedin.com/in/${name},Oak\n`;
  const uploads = [await upload(caller, file("anna")), await upload(caller, file("ben"))];
  await Promise.all(uploads.map((one) => ran(caller, one)));
  expect(await companiesIn(caller)).toMatchObject([{ name: "Oak", domain: null, people_count: 2 }]);
});

test("a column that no field has becomes a property of its type, which filters find", async () => {
  const { caller } = await createTestWorkspace();
  const { id } = await upload(
    caller,
    "E-Mail Adresse (geschäftl.);Firma;Branche;Renewal;Telefon;Note\nanna@acme.de;Acme;Fintech;01.06.2026;030 901820;a\nben@acme.de;;;31.05.2026;ask Bob;b\n",
  );
  await patchImport.execute(caller, { id, phone_country: "DE", mapping: [{ column: 6, to: null }] });
  const done = await ran(caller, { id });
  expect(done.run).toMatchObject({ created: 2, skipped: 0 });
  expect(done.run?.reasons).toMatchObject([
    { code: "left_out", rows: 2, cells: 2 },
    { code: "invalid_phone", rows: 1, cells: 0 },
  ]);
  const { people } = (await listPeople.execute(caller, { "property.renewal": "gte:2026-06-01" })) as {
    people: Record<string, unknown>[];
  };
  expect(people).toMatchObject([
    { email: "anna@acme.de", phone: "+4930901820", properties: { renewal: "2026-06-01" } },
  ]);
  const { companies } = (await listCompanies.execute(caller, {})) as { companies: Record<string, unknown>[] };
  expect(companies).toMatchObject([{ domain: "acme.de", name: "Acme", industry: "Fintech", people_count: 2 }]);
});

test("a file of companies that was sent as one of people can be changed into one", async () => {
  const { caller } = await createTestWorkspace();
  const { id } = await upload(caller, "Firma,Webseite\nAcme,acme.com\n");
  const sent = await until(caller, id, "ready");
  expect(sent.warnings).toMatchObject([
    { code: "looks_like_companies", message: expect.stringContaining("The file has Firma, Webseite") },
  ]);
  await patchImport.execute(caller, { id, kind: "companies" });
  expect(await until(caller, id, "ready")).toMatchObject({ kind: "companies", warnings: [] });
  expect((await ran(caller, { id })).run).toMatchObject({ created: 1 });
});

test("notes are kept once, found, and gone after an undoing", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertPerson.execute(caller, { email: "anna@acme.com" });
  const before = await stateOf(workspace.id);
  const file =
    'Email,Note,Date,Subject\nanna@acme.com,"Wants single sign-on\nbefore July",12 Mar 2024,Call\nanna@acme.com,,,\nvera@vault.example,Decides alone,,\n';
  const { id } = await upload(caller, file, { kind: "notes" });
  await previewImport.execute(caller, { id });
  expect((await until(caller, id, "ready")).check).toMatchObject({ created: 2, skipped: 1 });
  expect((await ran(caller, { id })).run).toMatchObject({ created: 2, skipped: 1 });
  const { notes } = (await listNotes.execute(caller, { focus: "anna@acme.com" })) as { notes: { metadata: object }[] };
  expect(notes.map(({ metadata }) => metadata)).toEqual([{ doc_type: "note", title: "Call", date: "2024-03-12" }]);
  const found = (await searchNotes.execute(caller, { question: "single sign-on" })) as { count: number };
  expect(found.count).toBe(1);
  expect((await imported(caller, file, { kind: "notes" })).run).toMatchObject({ created: 0, unchanged: 2, skipped: 1 });
  await undone(caller, { id });
  const after = await stateOf(workspace.id);
  for (const table of [
    "notes",
    "note_parts",
    "observations",
    "claims",
    "people",
    "companies",
    "entities",
    "identifiers",
  ])
    expect(after[table], table).toEqual(before[table]);
});

test("activities move what a capture moves, are kept once, and are gone after an undoing", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertPerson.execute(caller, { email: "anna@acme.com" });
  const before = await stateOf(workspace.id);
  const now = new Date().toISOString();
  const file = `Email,Type,Date,Subject,Id\nanna@acme.com,Email received,${now},Re: pilot,m1\nanna@acme.com,email reply,${now},Re: pilot,m1\nben@acme.com,Call,2024-03-12,Intro,\nanna@acme.com,,,Nothing,\n`;
  const { id } = await upload(caller, file, { kind: "activities" });
  await previewImport.execute(caller, { id });
  const counts = { created: 2, unchanged: 1, skipped: 1 };
  expect((await until(caller, id, "ready")).check).toMatchObject(counts);
  expect((await ran(caller, { id })).run).toMatchObject(counts);
  const stages = async () =>
    ((await listPeople.execute(caller, { sort: "created_asc" })) as { people: Record<string, unknown>[] }).people.map(
      ({ email, pipeline_stage, last_activity_at }) => [email, pipeline_stage, last_activity_at],
    );
  expect(await stages()).toEqual([
    ["anna@acme.com", "interested", now],
    ["ben@acme.com", "identified", "2024-03-12T00:00:00.000Z"],
  ]);
  expect((await imported(caller, file, { kind: "activities" })).run).toMatchObject({
    created: 0,
    unchanged: 3,
    skipped: 1,
  });
  expect((await undone(caller, { id })).undo).toMatchObject({ removed: 2, also: 1 });
  const after = await stateOf(workspace.id);
  for (const table of ["observations", "claims", "people", "companies", "entities", "identifiers"])
    expect(after[table], table).toEqual(before[table]);
});

test("two workspaces import the same file at once, each into its own", async () => {
  const both = [await createTestWorkspace(), await createTestWorkspace()];
  const file = [
    "Email,First Name",
    ...Array.from({ length: 600 }, (_, n) => `p${n}@company${n % 40}.com,First ${n}`),
  ].join("\n");
  const done = await Promise.all(both.map(({ caller }) => imported(caller, file)));
  for (const [place, { id }] of both.entries()) {
    expect(done[place]?.run).toMatchObject({ created: 600, skipped: 0 });
    const [row] = await inspect<{ n: number }>("SELECT count(*)::int AS n FROM people WHERE workspace_id = $1", [id]);
    expect(row?.n).toBe(600);
  }
});

test("erasing a person empties their rows of the files, and their results", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  const file = "Email,First Name\nAnna@Acme.com,Anna\nben@acme.com,Ben\n";
  const done = await imported(caller, file);
  await undone(caller, await imported(caller, "Email,Title\nanna@acme.com,Chief Anna Officer\n"));
  const waiting = await upload(caller, file);
  await erasePerson.execute(caller, { focus: "anna@acme.com" });
  const traces = await Promise.all(
    ["imports", "import_chunks", "import_batches", "retired_observations", "audit_log"].map(async (table) =>
      (
        await inspect<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE workspace_id = $1`, [
          workspace.id,
        ])
      ).map(({ row }) => row),
    ),
  );
  expect(traces.flat().filter((row) => /anna/i.test(row))).toEqual([]);
  expect((await rowsOf(caller, done)).map(({ row, label }) => [row, label])).toEqual([
    [2, null],
    [3, "ben@acme.com"],
  ]);
  expect((await ran(caller, waiting)).run).toMatchObject({ created: 0, unchanged: 1 });
});
