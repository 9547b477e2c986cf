import { expect, test } from "vitest";
import { database, inspect } from "#lib/testing/database.ts";
import { trustOperators, untrustedOperators } from "./trusted-operators.ts";

const ENUMS = "ALTER FUNCTION pg_catalog.enum_eq(anyenum, anyenum)";

test("says what a superuser has yet to run, until it was run", async () => {
  expect(await untrustedOperators(database.url)).toEqual([]);
  await inspect(`${ENUMS} NOT LEAKPROOF`);
  expect(await untrustedOperators(database.url)).toEqual([`${ENUMS} LEAKPROOF;`]);
  await expect(trustOperators(database.url)).rejects.toThrow(/superuser|owner/);
  await trustOperators(database.adminUrl);
  expect(await untrustedOperators(database.url)).toEqual([]);
});
