import { expect, test } from "vitest";
import { tenantTables } from "#lib/domain/privacy/service.ts";
import { inspect } from "#lib/testing/database.ts";

test("the tables of an export come after those that their rows refer to", async () => {
  const keys = await inspect<{ table: string; refers_to: string }>(
    `SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS refers_to FROM pg_constraint c
     WHERE c.contype = 'f' AND NOT c.condeferrable AND c.conrelid <> c.confrelid`,
  );
  expect(keys).toContainEqual({ table: "score_changes", refers_to: "entities" });
  const exported = tenantTables.filter(({ left }) => !(left && "whole" in left)).map(({ name }) => name);
  expect(exported.length).toBeGreaterThan(20);
  const early = keys.filter(({ table, refers_to }) => {
    const [at, before] = [exported.indexOf(table), exported.indexOf(refers_to)];
    return at >= 0 && before >= 0 && at < before;
  });
  expect(early).toEqual([]);
});
