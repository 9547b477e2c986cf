import { expect, test } from "vitest";
import { tenantTables } from "#lib/domain/workspace/privacy/service.ts";
import { REFERENCES } from "#lib/testing/catalog.fixture.ts";
import { inspect } from "#lib/testing/database.ts";

test("the tables of an export come after those that their rows refer to", async () => {
  const keys = await inspect<{ table: string; refers_to: string }>(
    `SELECT oid::regclass::text AS table, target::regclass::text AS refers_to FROM (${REFERENCES}) r WHERE oid <> target`,
  );
  expect(keys).toContainEqual({ table: "observations", refers_to: "entities" });
  expect(keys).toContainEqual({ table: "score_changes", refers_to: "entities" });
  const exported = tenantTables.filter(({ left }) => !(left && "whole" in left)).map(({ name }) => name);
  expect(exported.length).toBeGreaterThan(20);
  const early = keys.filter(({ table, refers_to }) => {
    const [at, before] = [exported.indexOf(table), exported.indexOf(refers_to)];
    return at >= 0 && before >= 0 && at < before;
  });
  expect(early).toEqual([]);
});
