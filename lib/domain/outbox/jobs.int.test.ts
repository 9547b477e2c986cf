import { expect, test } from "vitest";
import { DAY_MS } from "#lib/core/time.ts";
import { capture } from "#lib/domain/activities/service.ts";
import { inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sweepOutbox } from "./jobs.ts";

test("events older than three days go, in every workspace; the others stay", async () => {
  const workspaces = await Promise.all([createTestWorkspace(), createTestWorkspace()]);
  for (const { caller } of workspaces)
    for (const type of ["call", "note"]) await capture.execute(caller, { email: "anna@acme.com", type });
  const age = (days: number, type: string) =>
    inspect("UPDATE outbox SET at = now() - make_interval(days => $1) WHERE type = $2", [days, type]);
  await age(4, "contact.created");
  await age(2, "activity.call");
  expect(await sweepOutbox(new Date())).toBe(2);
  const left = async () =>
    (await inspect<{ type: string }>("SELECT type FROM outbox ORDER BY seq")).map(({ type }) => type);
  expect((await left()).sort()).toEqual(["activity.call", "activity.call", "activity.note", "activity.note"]);
  expect(await sweepOutbox(new Date(Date.now() + 10 * DAY_MS))).toBe(4);
  expect(await left()).toEqual([]);
});
