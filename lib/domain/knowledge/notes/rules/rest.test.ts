import fc from "fast-check";
import { expect, test } from "vitest";
import { backOffMs, noRest, type Rest, restAfter } from "./rest.ts";

test.each([
  [1, 5_000],
  [2, 10_000],
  [5, 80_000],
  [11, 3_600_000],
  [1_000, 3_600_000],
])("a note that failed %i times waits %i ms", (attempts, ms) => expect(backOffMs(attempts)).toBe(ms));

test("the endpoint rests longer after each failure, a minute at most, and as long as it asks for", () => {
  const rests = [...Array(6)].reduce<Rest[]>((all) => [...all, restAfter(all.at(-1) ?? noRest, 1_000, null)], []);
  expect(rests.map(({ until }) => until - 1_000)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  expect(restAfter(noRest, 0, 90_000).until).toBe(90_000);
});

test("no rest is shorter than what the endpoint asks for, nor than 5 s", () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(5_000), fc.option(fc.nat(3_600_000)), (failures, now, asked) => {
      const ms = restAfter({ until: 0, failures }, now, asked).until - now;
      expect(ms).toBeGreaterThanOrEqual(Math.max(5_000, asked ?? 0));
      expect(ms).toBeLessThanOrEqual(Math.max(60_000, asked ?? 0));
    }),
  );
});
