/** Undoing a file of several batches, two of which are undone at once. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { upsertCompanies } from "#lib/domain/crm/people/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { ran, undone, until, upload } from "#lib/testing/imports.fixture.ts";
import { stateOf } from "#lib/testing/state.fixture.ts";
import { deadlocks, waiting } from "#lib/testing/waits.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { runUndo } from "./service/undo.ts";
import { undoImport } from "./service.ts";

beforeAll(() => startWorker());
afterAll(() => stopWorker());

const ROWS = 430;

/** Each batch has people of the same companies: two that are known, three that the first batch creates. */
const domains = ["known0.com", "known1.com", "fresh0.com", "fresh1.com", "fresh2.com"];
const FILE = [
  "Email,First Name,Company",
  ...Array.from({ length: ROWS }, (_, n) => `p${n}@${domains[n % 5]},First${n},Company ${n % 5}`),
].join("\n");

async function importedInto() {
  const workspace = await createTestWorkspace();
  const { caller } = workspace;
  await upsertCompanies.execute(caller, {
    companies: [0, 1].map((n) => ({ domain: `known${n}.com`, name: `Known ${n}` })),
  });
  const state = await stateOf(workspace.id);
  return { ...workspace, state, done: await ran(caller, await upload(caller, FILE)) };
}

test("several batches about the same companies leave what was there before", async () => {
  const { caller, id, state, done } = await importedInto();
  const { undo } = await undone(caller, done);
  expect(undo).toMatchObject({ removed: ROWS, restored: 0, kept: 0, also: 3, rows_done: ROWS });
  expect(await stateOf(id)).toEqual(state);
  expect(await deadlocks()).toBe(0);
});

test("two runs at once do each batch once", async () => {
  const { caller, id, state, done } = await importedInto();
  await undoImport.execute(caller, { id: done.id });
  const job = () => ({ caller, attempt: 1, last: false, signal: new AbortController().signal });
  await Promise.all([1, 2].map(() => runUndo.run(job(), { import_id: done.id })));
  expect((await until(caller, done.id, "undone")).undo).toMatchObject({ removed: ROWS, also: 3, rows_done: ROWS });
  expect(await stateOf(id)).toEqual(state);
});

test("a batch that waits is not overtaken by the one after it", async () => {
  const { caller, id, state, done } = await importedInto();
  const batches = async () =>
    (
      await inspect<{ batches: number }>("SELECT (undo ->> 'batches')::int AS batches FROM imports WHERE id = $1", [
        done.id,
      ])
    )[0]?.batches;
  await withWorkspace(id, async (db) => {
    await db.query(sql("", "SELECT FROM companies WHERE workspace_id = $workspace FOR UPDATE"));
    await undoImport.execute(caller, { id: done.id });
    await waiting(2); // the last batch for a company, the one before it for its turn
    expect(await batches()).toBe(0);
  });
  expect((await until(caller, done.id, "undone")).undo).toMatchObject({ removed: ROWS, also: 3 });
  expect(await stateOf(id)).toEqual(state);
});
