/** A bulk action while a person in its filters is erased: no deadlock. */
import { describe, expect, test } from "vitest";
import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { upsertPeople } from "#lib/domain/crm/people/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { lockEntities } from "#lib/domain/records/evidence/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import type { JobHandler } from "#lib/jobs/handler.ts";
import { deadlocks, waiting } from "#lib/testing/waits.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { runBulkAction } from "./service/run.ts";
import { runUndo } from "./service/undo.ts";
import { createBulkAction, getBulkAction, undoBulkAction } from "./service.ts";

const holdCompany = sql(
  "test_hold_companies",
  "SELECT FROM companies WHERE workspace_id = $workspace ORDER BY id FOR UPDATE",
);

/** Anna, whose referrer is Ben; both work at Acme. */
async function setUp() {
  const { id, caller } = await createTestWorkspace();
  const people = [{ email: "anna@acme.com", referrer: "ben@acme.com" }, { email: "ben@acme.com" }];
  const { results } = await upsertPeople.execute(caller, { people });
  const [anna, ben] = results.map(({ entity_id }) => entity_id as string) as [string, string];
  const begun = async (input: object): Promise<string> =>
    (await createBulkAction.execute(caller, { what: "people", ...input } as never)).bulk_action.id;
  const job = { caller, attempt: 1, last: false, signal: new AbortController().signal };
  const run = (handler: JobHandler, action: string) => handler.run(job, { bulk_action_id: action });
  const erase = (focus: string) => erasePerson.execute(caller, { focus });
  const stateOf = async (action: string) => (await getBulkAction.execute(caller, { id: action })).bulk_action;
  /** Erases someone and runs a job, in this order, which both wait for what `hold` takes. */
  async function collide(hold: (db: Db) => Promise<unknown>, focus: string, work: () => Promise<void>): Promise<void> {
    const before = await deadlocks();
    const both: Promise<unknown>[] = [];
    await withWorkspace(id, async (db) => {
      await hold(db);
      both.push(erase(focus));
      await waiting(1);
      both.push(work());
      await waiting(2);
    });
    await Promise.all(both);
    expect(await deadlocks()).toBe(before);
    expect((await rebuildWorkspace(caller)).differences).toEqual([]);
  }
  return { caller, anna, ben, begun, run, stateOf, collide };
}

describe("someone the filters match is erased", () => {
  const named = { filters: { search: "ben@acme.com" }, action: "set_stage", pipeline_stage: "evaluating" };

  test("while their stage is set", async () => {
    const { ben, begun, run, stateOf, collide } = await setUp();
    const action = await begun(named);
    await collide(
      (db) => lockEntities(db, [ben]),
      ben,
      () => run(runBulkAction, action),
    );
    expect(await stateOf(action)).toMatchObject({ state: "done", changed: 0, filters: {} });
  });

  test("while their stage is put back", async () => {
    const { caller, ben, begun, run, stateOf, collide } = await setUp();
    const action = await begun(named);
    await run(runBulkAction, action);
    await undoBulkAction.execute(caller, { id: action });
    await collide(
      (db) => lockEntities(db, [ben]),
      ben,
      () => run(runUndo, action),
    );
    expect(await stateOf(action)).toMatchObject({ state: "undone", changed: 1, undo: { restored: 0, kept: 0 } });
  });

  test("while a colleague is archived, who is counted for the same company", async () => {
    const { ben, begun, run, stateOf, collide } = await setUp();
    const action = await begun({ filters: { properties: { referrer: ["ben@acme.com"] } }, action: "archive" });
    await collide(
      (db) => db.query(holdCompany),
      ben,
      () => run(runBulkAction, action),
    );
    expect(await stateOf(action)).toMatchObject({ state: "cancelled", changed: 0, filters: {} });
  });
});
