/** Files of people from upload to undo, as a caller of the API sees them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { lock } from "#lib/db/locks.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { listCompanies, listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { listChanges } from "#lib/domain/knowledge/changes/service.ts";
import { getAccount } from "#lib/domain/knowledge/contacts/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { ran, rowsOf, undone, until, upload } from "#lib/testing/imports.fixture.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { Import, ImportRow } from "./contract.ts";
import { runUndo } from "./service/undo.ts";
import { patchImport, previewImport, runImport, undoImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

const checked = async (caller: Caller, { id }: Import): Promise<Import> => {
  await previewImport.execute(caller, { id });
  return until(caller, id, "ready");
};

const idsOf = async (workspaceId: string): Promise<string[]> =>
  (
    await inspect<{ id: string }>("SELECT id FROM entities WHERE workspace_id = $1 AND type = 'person'", [workspaceId])
  ).map(({ id }) => id);

const people = async ({ caller }: TestWorkspace) =>
  ((await listPeople.execute(caller, { limit: 1000, sort: "created_asc" })) as { people: Record<string, unknown>[] })
    .people;

const FILE = [
  "Email,First Name,Last Name,Title,Company,Stage",
  "anna@acme.com,Anna,Smith,CEO,Acme,Customer",
  "ben@acme.com,Ben,,CTO,,Lead",
  ",Carla,,,,",
  "dora@gmail.com; dora@fernhill.eu,Dora,n/a,-,Fernhill,Someday",
  "not an address,Eve,,,,",
].join("\n");

test("a file is read, mapped, checked, imported and undone", async () => {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertPerson.execute(caller, { email: "ben@acme.com", first_name: "Benjamin", region: "DACH" });
  const before = await stateOf(workspace.id);

  const uploaded = await upload(caller, FILE, { file_name: "people.csv" });
  expect(uploaded).toMatchObject({
    state: "ready",
    name: "people",
    format: { encoding: "utf-8", delimiter: ",", header_row: 1, rows: 5 },
    warnings: [],
  });
  expect(uploaded.columns.map(({ to }) => to)).toEqual([
    "email",
    "first_name",
    "last_name",
    "job_title",
    "company",
    "stage",
  ]);
  expect(uploaded.stages_seen).toEqual([
    { value: "Customer", proposed: "client", stage: null },
    { value: "Lead", proposed: "identified", stage: null },
    { value: "Someday", proposed: null, stage: null },
  ]);
  await patchImport.execute(caller, { id: uploaded.id, stage_values: { customer: "client", Lead: null } });

  const dry = await checked(caller, uploaded);
  expect(dry.check).toMatchObject({ rows_done: 5, created: 2, updated: 1, unchanged: 0, skipped: 2 });
  expect(await stateOf(workspace.id)).toEqual(before);
  const planned = await rowsOf(caller, uploaded);

  const done = await ran(caller, uploaded);
  expect(done.run).toMatchObject({ rows_done: 5, created: 2, updated: 1, unchanged: 0, skipped: 2 });
  const rows = await rowsOf(caller, uploaded);
  const plain = (all: ImportRow[]) => all.map(({ entity_id: _, ...row }) => row);
  expect(plain(rows)).toEqual(plain(planned));
  expect(rows.map(({ row, outcome, reasons }) => [row, outcome, reasons.map(({ code }) => code)])).toEqual([
    [2, "created", []],
    [3, "updated", ["no_stage", "filled"]],
    [4, "skipped", ["no_identifier"]],
    [5, "created", ["unknown_stage"]],
    [6, "skipped", ["no_identifier", "invalid_email"]],
  ]);
  const shown = (await people(workspace)).map(
    ({ email, first_name, last_name, job_title, company, pipeline_stage, source }) => ({
      email,
      first_name,
      last_name,
      job_title,
      company,
      pipeline_stage,
      source,
    }),
  );
  expect(shown).toEqual(
    expect.arrayContaining([
      {
        email: "anna@acme.com",
        first_name: "Anna",
        last_name: "Smith",
        job_title: "CEO",
        company: "Acme",
        pipeline_stage: "client",
        source: "csv_import",
      },
      {
        email: "ben@acme.com",
        first_name: "Benjamin",
        last_name: null,
        job_title: "CTO",
        company: "Acme",
        pipeline_stage: "identified",
        source: "api",
      },
      expect.objectContaining({ first_name: "Dora", last_name: null, job_title: null, company: "Fernhill" }),
    ]),
  );
  const { companies } = (await listCompanies.execute(caller, {})) as {
    companies: { domain: string; people_count: number }[];
  };
  expect(companies.map(({ domain, people_count }) => [domain, people_count]).sort()).toEqual([
    ["acme.com", 2],
    ["fernhill.eu", 1],
  ]);
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);

  const sameFile = await upload(caller, FILE);
  await patchImport.execute(caller, { id: sameFile.id, stage_values: { customer: "client", Lead: null } });
  const again = await ran(caller, sameFile);
  expect(again.run).toMatchObject({ created: 0, updated: 0, unchanged: 3, skipped: 2 });

  const back = await undone(caller, done);
  expect(back.undo).toMatchObject({ removed: 2, restored: 1, kept: 0, also: 1 });
  expect(await stateOf(workspace.id)).toEqual(before);
  expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  const [kept] = await inspect<{ n: number }>(
    "SELECT count(*)::int AS n FROM retired_observations WHERE workspace_id = $1",
    [workspace.id],
  );
  expect(kept?.n).toBeGreaterThan(5);
});

describe("a value that is there", () => {
  const person = { email: "anna@acme.com", job_title: "CTO" };
  const titleOf = async (caller: Caller) =>
    ((await getAccount.execute(caller, { focus: "anna@acme.com" })) as { claims: Record<string, { value: unknown }> })
      .claims.job_title?.value;

  test.each([
    ["fill_blanks", "CTO", "unchanged"],
    ["overwrite", "CEO", "updated"],
  ] as const)("with %s is then %s", async (policy, title, outcome) => {
    const { caller } = await createTestWorkspace();
    await upsertPerson.execute(caller, person);
    const uploaded = await upload(caller, "Email,Title\nanna@acme.com,CEO\n");
    await patchImport.execute(caller, { id: uploaded.id, policy });
    await ran(caller, uploaded);
    expect(await titleOf(caller)).toBe(title);
    expect((await rowsOf(caller, uploaded))[0]?.outcome).toBe(outcome);
    await undone(caller, uploaded);
    expect(await titleOf(caller)).toBe("CTO");
  });

  test("is undone with nothing held that an erasure writes to, while it waits for a record", async () => {
    const { caller, id: workspaceId } = await createTestWorkspace();
    await upsertPerson.execute(caller, person);
    const uploaded = await upload(caller, "Email,Title\nanna@acme.com,CEO\n");
    await patchImport.execute(caller, { id: uploaded.id, policy: "overwrite" });
    await ran(caller, uploaded);
    const waiting = () =>
      inspect("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
    await withWorkspace(workspaceId, async (db) => {
      await lock(db, "entity", await idsOf(workspaceId));
      await undoImport.execute(caller, { id: uploaded.id });
      await expect.poll(async () => (await waiting()).length).toBe(1);
      await inspect("SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE NOWAIT", [uploaded.id]);
    });
    await until(caller, uploaded.id, "undone");
    expect(await titleOf(caller)).toBe("CTO");
  });

  test("says that its undo was given up, which then goes on; it is not run again in between", async () => {
    const { caller } = await createTestWorkspace();
    await upsertPerson.execute(caller, person);
    const uploaded = await upload(caller, "Email,Title\nanna@acme.com,CEO\n");
    const { id } = uploaded;
    await patchImport.execute(caller, { id, policy: "overwrite" });
    await ran(caller, uploaded);
    const begun = { batches: 0, done: 0, removed: 2, restored: 0, kept: 0, keptIds: [], finishedAt: null };
    await inspect("UPDATE imports SET state = 'undoing', undo = $2 WHERE id = $1", [
      id,
      { ...begun, startedAt: new Date().toISOString() },
    ]);
    const giveUp = () => runUndo.giveUp?.({ caller }, { import_id: id });
    await giveUp();
    const stopped = await until(caller, id, "failed");
    expect(stopped).toMatchObject({
      problem: expect.stringContaining("undo it again"),
      undo: { removed: 2, finished_at: null },
    });
    await expect(runImport.execute(caller, { id })).rejects.toMatchObject({ status: 409 });
    const back = await undone(caller, uploaded);
    expect(back).toMatchObject({ problem: null, undo: { removed: 2, restored: 1 } }); // what was counted before is still counted
    expect(await titleOf(caller)).toBe("CTO");
    await giveUp();
    expect((await until(caller, id, "undone")).problem).toBeNull();
  });

  test("is told to readers of the feed of changes when it is back", async () => {
    const { caller } = await createTestWorkspace();
    await upsertPerson.execute(caller, person);
    const uploaded = await upload(caller, "Email,Title,Phone\nanna@acme.com,CEO,+49 30 123456\n");
    await patchImport.execute(caller, { id: uploaded.id, policy: "overwrite" });
    await ran(caller, uploaded);
    const told = async (cursor?: string) =>
      (await listChanges.execute(caller, {
        types: ["state", "stage"],
        limit: 1000,
        ...(cursor ? { cursor } : {}),
      })) as {
        changes: { property?: string; value?: unknown; id?: string; previous?: unknown; source: string }[];
        next_cursor: string;
      };
    await expect.poll(async () => (await told()).changes.some(({ value }) => value === "CEO")).toBe(true);
    const { next_cursor } = await told();
    await undone(caller, uploaded);
    await expect.poll(async () => (await told(next_cursor)).changes.length).toBeGreaterThan(0);
    const { changes } = await told(next_cursor);
    const said = new Map(changes.map((change) => [change.property, change]));
    expect(said.get("job_title")).toMatchObject({ type: "state", value: "CTO", source: "csv_import" });
    expect(said.get("phone")).toMatchObject({ type: "state", value: null });
    expect(said.size).toBe(changes.length);
    for (const { id, previous } of changes) expect([id, previous]).toEqual([undefined, undefined]);
    expect((await told((await told(next_cursor)).next_cursor)).changes).toEqual([]);
  });

  test("stays when a person wrote it, and the file does not say it twice", async () => {
    const { caller } = await createTestWorkspace();
    await upsertPerson.execute({ ...caller, actor: { type: "user", id: caller.actor.id } }, person);
    for (const outcome of ["unchanged", "unchanged"]) {
      const uploaded = await upload(caller, "Email,Title\nanna@acme.com,CEO\n");
      await patchImport.execute(caller, { id: uploaded.id, policy: "overwrite" });
      await ran(caller, uploaded);
      expect((await rowsOf(caller, uploaded))[0]?.outcome).toBe(outcome);
    }
    const said = await inspect("SELECT 1 FROM observations WHERE workspace_id = $1 AND value = '\"CEO\"'", [
      caller.workspaceId,
    ]);
    expect(said).toHaveLength(1);
  });
});

test("a record that someone has worked with since stays, and the undoing says so", async () => {
  const { caller } = await createTestWorkspace();
  const uploaded = await upload(caller, "Email,First Name\nanna@acme.com,Anna\nben@acme.com,Ben\n");
  await ran(caller, uploaded);
  await upsertPerson.execute(caller, { email: "anna@acme.com", job_title: "CEO" });
  const { undo } = await undone(caller, uploaded);
  expect(undo).toMatchObject({ removed: 1, kept: 1, also: 0, kept_ids: { length: 2 } }); // Anna, and Acme where she works
  const account = (await getAccount.execute(caller, { focus: "anna@acme.com" })) as { name: string };
  expect(account.name).toBe("Anna");
});

test("identifiers of two records are an error of the row that names both", async () => {
  const { caller } = await createTestWorkspace();
  const create = async (fields: object) =>
    ((await upsertPerson.execute(caller, fields)) as { person: { id: string } }).person.id;
  const one = await create({ email: "anna@acme.com" });
  const two = await create({ linkedin_url: "linkedin.com/in/anna" });
  const uploaded = await upload(caller, "Email,LinkedIn\nanna@acme.com,linkedin.com/in/anna\nben@acme.com,\n");
  await ran(caller, uploaded);
  const [row, next] = await rowsOf(caller, uploaded);
  expect(row).toMatchObject({ outcome: "skipped", reasons: [{ code: "identifier_conflict" }] });
  expect(row?.reasons[0]?.message).toContain(one);
  expect(row?.reasons[0]?.message).toContain(two);
  expect(next?.outcome).toBe("created");
});
