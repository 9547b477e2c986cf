import { expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";

// What `unchanged` names must be what Postgres sees as a source of a generated column: another column would change nothing.
test.each([
  ["people", "search"],
  ["companies", "search"],
  ["leads", "sent_at"],
])("a generated column of %s follows from %s", async (table, column) => {
  const following = await inspect(
    `SELECT FROM pg_attrdef v
     JOIN pg_attribute g ON g.attrelid = v.adrelid AND g.attnum = v.adnum AND g.attgenerated = 's'
     JOIN pg_depend d ON d.classid = 'pg_attrdef'::regclass AND d.objid = v.oid AND d.refobjid = v.adrelid
     JOIN pg_attribute s ON s.attrelid = d.refobjid AND s.attnum = d.refobjsubid AND s.attnum <> g.attnum
     WHERE v.adrelid = to_regclass($1) AND s.attname = $2`,
    [table, column],
  );
  expect(following.length).toBeGreaterThan(0);
});
