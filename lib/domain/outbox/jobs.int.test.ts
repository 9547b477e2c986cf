import { expect, test } from "vitest";
import { DAY_MS } from "#lib/core/time.ts";
import { capture } from "#lib/domain/activities/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sweepOutbox } from "./jobs.ts";

test("events of a workspace older than three days go; the others stay", async () => {
  const [mine, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
  for (const { caller } of [mine, theirs])
    for (const type of ["call", "note"]) await capture.execute(caller, { email: "anna@acme.com", type });
  const age = (days: number, type: string) =>
    inspect("UPDATE outbox SET at = now() - make_interval(days => $1) WHERE type = $2", [days, type]);
  await age(4, "contact.created");
  await age(2, "activity.call");
  const left = async ({ id }: { id: string }) =>
    (await inspect<{ type: string }>("SELECT type FROM outbox WHERE workspace_id = $1 ORDER BY seq", [id])).map(
      ({ type }) => type,
    );
  expect(await sweepOutbox(mine.id)).toBe(false);
  expect((await left(mine)).sort()).toEqual(["activity.call", "activity.note"]);
  expect(await left(theirs)).toHaveLength(3);
  expect(await sweepOutbox(theirs.id, new Date(Date.now() + 10 * DAY_MS))).toBe(false);
  expect(await left(theirs)).toEqual([]);
  expect(await left(mine)).toHaveLength(2);
});

test("a backlog goes in bounded steps", async () => {
  const { id, caller } = await createTestWorkspace();
  await capture.execute(caller, { email: "anna@acme.com", type: "call" });
  await inspect(
    `INSERT INTO outbox (workspace_id, type, entity_id, data, at) SELECT workspace_id, type, entity_id, data, now() - interval '5 days'
     FROM outbox, generate_series(1, 6000) WHERE workspace_id = $1 AND type = 'contact.created'`,
    [id],
  );
  await inspect("UPDATE outbox SET at = now() - interval '5 days' WHERE workspace_id = $1", [id]);
  expect(await sweepOutbox(id)).toBe(true);
  expect(await sweepOutbox(id)).toBe(false);
  expect(await inspect("SELECT 1 FROM outbox WHERE workspace_id = $1", [id])).toEqual([]);
});
