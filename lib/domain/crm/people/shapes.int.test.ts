import { expect, test } from "vitest";
import { sql } from "#lib/db/statement.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { personSorts } from "./contract.ts";
import { listPeople } from "./service.ts";

const kept = sql("test_kept", "SELECT count(*)::int FROM pg_prepared_statements WHERE name LIKE 'list\\_%'");

test("lists of every shape do not fill the connections with plans", async () => {
  const { id, caller } = await createTestWorkspace();
  for (const sort of personSorts)
    for (let limit = 1; limit <= 100; limit++) {
      const { people } = await listPeople.execute(caller, { limit, sort });
      expect(people).toEqual([]);
    }
  const [{ count } = { count: 0 }] = await withWorkspace(id, (db) => db.query<{ count: number }>(kept));
  expect(count).toBeGreaterThan(10);
  expect(count).toBeLessThanOrEqual(300);
});
