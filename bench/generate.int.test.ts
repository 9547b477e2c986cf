import { expect, test } from "vitest";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { generateContacts } from "./generate.ts";

test("generated projections are what the rules derive from the generated evidence", async () => {
  const { id, caller } = await createTestWorkspace();
  const made = await generateContacts({
    url: database.adminUrl,
    workspaceId: id,
    people: 1_010,
    companies: 200,
    observationsPerPerson: 7,
    workspaces: 2,
  });
  expect(made.people).toHaveLength(1_010);
  expect(made.neighbours).toHaveLength(2);
  const [counts] = await inspect<Record<string, number>>(
    "SELECT count(*)::int AS all, count(*) FILTER (WHERE workspace_id = $1)::int AS mine FROM people",
    [id],
  );
  expect(counts).toEqual({ all: 1_110, mine: 1_010 });
  const { different, differences } = await rebuildWorkspace(caller);
  expect(differences.slice(0, 3)).toEqual([]);
  expect(different).toBe(0);
});
