import { afterEach, expect, test } from "vitest";
import { searchNotes } from "#lib/domain/knowledge/search/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { maintenance } from "./jobs.ts";
import { saveNote } from "./service.ts";

afterEach(() => stopWorker());

const LONG = Array.from({ length: 40_000 }, (_, index) => `word${index % 997} met${index % 499}`).join(". ");

async function withLongNote() {
  const { caller, id } = await createTestWorkspace();
  await saveNote.execute(caller, { focus: "anna@acme.com", content: `${LONG} zebra` });
  const unread = async () => (await inspect("SELECT 1 FROM note_remainders WHERE workspace_id = $1", [id])).length > 0;
  const jobs = () =>
    inspect<{ task: string }>(
      `SELECT t.identifier AS task FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE j.payload ->> 'workspace_id' = $1`,
      [id],
    );
  return { caller, id, unread, jobs };
}

test("a note too long to read at once is read to its end by a job", async () => {
  const { caller, unread, jobs } = await withLongNote();
  expect(await unread()).toBe(true);
  expect(await jobs()).toEqual([{ task: "notes:index" }]);
  await startWorker();
  await expect.poll(unread, { timeout: 30_000 }).toBe(false);
  await expect.poll(jobs).toEqual([]);
  expect((await searchNotes.execute(caller, { question: "zebra" })).count).toBe(1);
});

test("the maintenance queues what no job is queued for, and nothing where nothing waits", async () => {
  const [long, short] = [await withLongNote(), await createTestWorkspace()];
  await inspect("DELETE FROM graphile_worker._private_jobs");
  for (const { id } of [long, short]) for (const { step } of maintenance) expect(await step(id)).toBe(false);
  expect(await inspect("SELECT payload ->> 'workspace_id' AS id FROM graphile_worker._private_jobs")).toEqual([
    { id: long.id },
  ]);
});
