import { expect, test } from "vitest";
import { randomId } from "#components/random-id.ts";

test("every id is different", () => {
  const ids = Array.from({ length: 100 }, randomId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});
