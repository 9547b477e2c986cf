import { beforeEach, expect, test, vi } from "vitest";
import { type StepResult, Turn } from "./resumable.ts";

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});

const running = new AbortController().signal;

/** A step that takes a second, and what it leaves each time. */
const stepOf = (lefts: readonly StepResult[]) => {
  const took: number[] = [];
  const step = async (): Promise<StepResult> => {
    took.push(now);
    now += 1_000;
    return lefts[took.length - 1] ?? "more";
  };
  return { took, step };
};

test.each<[what: string, lefts: StepResult[], steps: number, left: StepResult]>([
  ["nothing is left", ["more", "done"], 2, "done"],
  ["what is left has to wait", ["more", { waitMs: 300 }], 2, { waitMs: 300 }],
  ["the turn is over", [], 6, "more"],
])("repeats the step until %s", async (_what, lefts, steps, left) => {
  const { took, step } = stepOf(lefts);
  expect(await new Turn({ ms: 5_000, signal: running }).take(step)).toEqual(left);
  expect(took).toHaveLength(steps);
});

test("does one step when the process stops", async () => {
  const { took, step } = stepOf([]);
  expect(await new Turn({ ms: 5_000, signal: AbortSignal.abort() }).take(step)).toBe("more");
  expect(took).toHaveLength(1);
});

test("gets one turn after another while it is alone, for a minute", async () => {
  const { took, step } = stepOf([]);
  expect(await new Turn({ ms: 10_000, signal: running }).takeWhile(async () => true, step)).toBe("more");
  expect(took.length).toBeGreaterThanOrEqual(60);
  expect(took.length).toBeLessThanOrEqual(71);
});

test("ends after the turn when another waits", async () => {
  const { took, step } = stepOf([]);
  const answers = [true, false];
  await new Turn({ ms: 10_000, signal: running }).takeWhile(async () => answers.shift() === true, step);
  expect(took).toHaveLength(22);
});

test("asks nobody whether it is alone when nothing is left", async () => {
  const isAlone = vi.fn(async () => true);
  await new Turn({ ms: 10_000, signal: running }).takeWhile(isAlone, stepOf(["done"]).step);
  expect(isAlone).not.toHaveBeenCalled();
});

test("tells about progress at most three times a second", async () => {
  const tell = vi.fn();
  const turn = new Turn({ ms: 1_000, signal: running, tell });
  for (now = 0; now < 1_000; now += 50) turn.tell();
  expect(tell.mock.calls.length).toBe(4);
});
