import { expect, test } from "vitest";
import { isUuid, newId } from "./ids.ts";

test("ids are unique UUIDs of version 7, in the order they were made", () => {
  const ids = Array.from({ length: 5_000 }, newId);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) {
    expect(isUuid(id)).toBe(true);
    expect(id).toMatch(/^.{14}7.{4}[89ab]/);
  }
  expect(Math.abs(Number.parseInt((ids[0] as string).replace("-", "").slice(0, 12), 16) - Date.now())).toBeLessThan(
    5_000,
  );
});
