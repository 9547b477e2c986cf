/** Files and the erasure of people who are in them. */
import { expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Export } from "./contract.ts";
import { appendPiece, beginRun, completeRun, findExportToChange, lockExports } from "./queries.ts";
import { runExport } from "./service/write.ts";

const { call, url } = useServer();

async function setUp() {
  const workspace = await createTestWorkspace();
  const key = await workspace.key();
  for (const email of ["anna@acme.com", "joanna@acme.com"]) await call("/v2/people", { key, body: { email } });
  const see = async (id: string) => (await call(`/v2/exports/${id}`, { key })).body.export as Export;
  const begin = async (body: object) => (await call("/v2/exports", { key, body })).body.export as Export;
  const text = async (id: string) =>
    (await fetch(`${url()}/v2/exports/${id}/file`, { headers: { authorization: `Bearer ${key}` } })).text();
  const ended = async (id: string) => {
    await expect.poll(async () => (await see(id)).state).not.toMatch(/queued|running/);
    return see(id);
  };
  return { workspace, key, see, begin, text, ended };
}

const job = (caller: Parameters<(typeof runExport)["run"]>[0]["caller"]) => ({
  caller,
  attempt: 1,
  last: false,
  signal: new AbortController().signal,
});

/** A row as a run in the middle of its file has it. */
async function underWay(workspaceId: string, filters = "{}"): Promise<string> {
  const id = crypto.randomUUID();
  await inspect(
    "INSERT INTO exports (workspace_id, id, what, format, filters, created_by) VALUES ($1, $2, 'people', 'csv', $3, 'user:x')",
    [workspaceId, id, filters],
  );
  return id;
}

test("no finished file outlives a person who is erased, and filters that name them are emptied", async () => {
  const { workspace, begin, see, ended, text } = await setUp();
  const plain = await ended((await begin({ what: "people" })).id);
  const named = await ended((await begin({ what: "people", filters: { email: "anna@acme.com" } })).id);
  const others = await ended((await begin({ what: "people", filters: { email: "joanna@acme.com" } })).id);
  expect(await text(plain.id)).toContain("anna@acme.com");
  await erasePerson.execute(workspace.caller, { focus: "anna@acme.com" });
  for (const { id } of [plain, named, others])
    expect(await see(id)).toMatchObject({ state: "expired", bytes: 0, message: expect.stringContaining("erased") });
  expect((await see(named.id)).filters).toEqual({});
  expect((await see(others.id)).filters).toEqual({ email: "joanna@acme.com" });
  expect(await inspect("SELECT 1 FROM export_chunks WHERE workspace_id = $1", [workspace.id])).toEqual([]);
});

test("a file that is being written loses its run, and is written again without the person", async () => {
  const { workspace, ended, text, see } = await setUp();
  const id = await underWay(workspace.id);
  const run = crypto.randomUUID();
  const inside = <T>(work: Parameters<typeof withWorkspace<T>>[1]) => withWorkspace<T>(workspace.id, work);
  await inside((db) => beginRun(db, id, run));
  const piece = { start: 0, content: Buffer.from("anna@acme.com"), rows: 1 };
  expect(await inside((db) => appendPiece(db, id, run, piece))).toBe(true);
  await erasePerson.execute(workspace.caller, { focus: "anna@acme.com" });
  expect(await inside((db) => appendPiece(db, id, run, { ...piece, start: 13 }))).toBe(false);
  expect(await inside((db) => completeRun(db, id, run, 1, 7))).toBe(false);
  expect(await ended(id)).toMatchObject({ state: "done", rows: 1 });
  expect(await text(id)).not.toMatch(/[^o]anna@acme/);
  expect((await see(id)).bytes).toBe(Buffer.byteLength(`${await text(id)}`) + 3); // the byte order mark is not text
});

test("a file that waits and is only about the person is not written", async () => {
  const { workspace, see } = await setUp();
  const id = await underWay(workspace.id, '{"email":"Anna@acme.com"}');
  await erasePerson.execute(workspace.caller, { focus: "anna@acme.com" });
  expect(await see(id)).toMatchObject({ state: "cancelled", filters: {} });
});

test("a run does not begin to read between an erasure's deletion and its commit", async () => {
  const { workspace, ended, text } = await setUp();
  const id = await underWay(workspace.id);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let took = () => {};
  const taken = new Promise<void>((resolve) => (took = resolve));
  const holding = withWorkspace(workspace.id, async (db) => {
    await lockExports(db);
    took();
    await held;
  });
  await taken;
  const writing = runExport.run(job(workspace.caller), { export_id: id });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await withWorkspace(workspace.id, (db) => findExportToChange(db, id))).toMatchObject({ state: "queued" });
  release();
  await Promise.all([holding, writing]);
  expect(await ended(id)).toMatchObject({ state: "done", rows: 2 });
  expect(await text(id)).toContain("anna@acme.com");
});

test("two runs of one export leave one whole file", async () => {
  const { workspace, ended, text } = await setUp();
  const id = await underWay(workspace.id);
  await Promise.all([1, 2, 3].map(() => runExport.run(job(workspace.caller), { export_id: id })));
  expect(await ended(id)).toMatchObject({ state: "done", rows: 2 });
  expect((await text(id)).trimEnd().split("\r\n")).toHaveLength(3);
});

test("an export that is cancelled or deleted while it is written ends there", async () => {
  const { workspace, key, see } = await setUp();
  const id = await underWay(workspace.id);
  const run = crypto.randomUUID();
  await withWorkspace(workspace.id, (db) => beginRun(db, id, run));
  const piece = { start: 0, content: Buffer.from("x"), rows: 1 };
  await call(`/v2/exports/${id}/cancel`, { key, method: "POST" });
  expect(await see(id)).toMatchObject({ state: "cancelled" });
  expect(await withWorkspace(workspace.id, (db) => appendPiece(db, id, run, piece))).toBe(false);
  expect(await inspect("SELECT 1 FROM export_chunks WHERE export_id = $1", [id])).toEqual([]);
});

test("a job that is told to stop leaves the file to the next run", async () => {
  const { workspace, ended } = await setUp();
  const id = await underWay(workspace.id);
  await runExport.run({ ...job(workspace.caller), signal: AbortSignal.abort() }, { export_id: id });
  expect(await ended(id)).toMatchObject({ state: "done", rows: 2 });
});
