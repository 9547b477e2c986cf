import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { abandonedTrials, keepTrial } from "./trial.ts";

const parent = mkdtempSync(path.join(tmpdir(), "rapport-trials-"));
afterEach(() => {
  vi.useRealTimers();
  rmSync(parent, { recursive: true, force: true });
});

test("a proof that takes hours is not taken for one whose process was killed, also where its process cannot be seen", () => {
  const folder = path.join(parent, "rapport-verify-999999999-abc");
  mkdirSync(folder);
  vi.useFakeTimers();
  const hours = (count: number) => vi.advanceTimersByTime(count * 3_600_000);
  utimesSync(folder, new Date(), new Date());
  const stop = keepTrial(folder);
  hours(5);
  expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(900_000);
  expect(abandonedTrials(parent)).toEqual([]);
  stop();
  hours(2);
  expect(abandonedTrials(parent)).toEqual([folder]);
});
