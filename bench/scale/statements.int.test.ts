/** The part of the exercise that needs no second machine: every statement is sent once, and rolled back. */
import { expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { everyStatement } from "#lib/testing/statements.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { sendStatements } from "./statements.ts";

const ground = { directUrl: database.url };

test("every declared statement is planned and run with harmless values, and leaves nothing", async () => {
  const { id } = await createTestWorkspace();
  const count = "SELECT count(*)::int AS entities FROM entities";
  const before = await inspect(count);
  const { ran, failures } = await sendStatements(ground, id);
  expect(failures).toEqual([]);
  expect(ran).toBe((await everyStatement()).length);
  expect(await inspect(count)).toEqual(before);
});

test("one that the database refuses is named, and one that ends its connection too", async () => {
  const { id } = await createTestWorkspace();
  const statements = [
    { name: "refused", text: "SELECT no_such_column FROM people WHERE workspace_id = $workspace" },
    { name: "ends", text: "SELECT pg_terminate_backend(pg_backend_pid()) WHERE $1::text IS NOT NULL" },
    { name: "works", text: "SELECT id FROM people WHERE workspace_id = $workspace AND pipeline_stage = $1" },
  ];
  const { ran, failures } = await sendStatements(ground, id, statements);
  expect(ran).toBe(3);
  expect(failures.map(({ what }) => what)).toEqual(["statement refused", "statement ends"]);
});
