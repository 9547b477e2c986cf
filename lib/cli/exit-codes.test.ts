import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exitCodes, exitOf } from "./exit-codes.ts";

test.each([
  [400, 2],
  [401, 3],
  [402, 5],
  [403, 5],
  [404, 4],
  [409, 1],
  [413, 2],
  [429, 1],
  [500, 1],
  [503, 6],
])("an answer of %i ends with %i", (status, exit) => {
  expect(exitOf(status)).toBe(exit);
});

test("the guide has the same table", () => {
  const guide = readFileSync("docs/guide/cli.md", "utf8");
  for (const [code, meaning] of Object.values(exitCodes)) expect(guide).toContain(`| ${code} | ${meaning} |`);
});
