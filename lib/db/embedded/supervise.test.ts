import { expect, test } from "vitest";
import { pauseAfterDeath, pauseAfterFailure } from "./supervise.ts";

test("pauses grow from a moment to a few seconds after crashes, and to half a minute after failed starts", () => {
  const times = Array.from({ length: 40 }, (_, index) => index + 1);
  const deaths = times.map(pauseAfterDeath);
  const failures = times.map(pauseAfterFailure);
  expect(deaths.slice(0, 7)).toEqual([100, 200, 400, 800, 1_600, 3_000, 3_000]);
  expect(failures.slice(0, 7)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  for (const pauses of [deaths, failures])
    for (const [index, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(pauses[index - 1] ?? 0);
  expect([deaths.at(-1), failures.at(-1)]).toEqual([3_000, 30_000]);
});
