import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { BoundedCounter } from "./bounded-counter.ts";

test("counts each id on its own, until its window ends", async () => {
  const counter = new BoundedCounter(1_000);
  expect([counter.add("a").count, counter.add("a").count, counter.add("b").count]).toEqual([1, 2, 1]);
  expect(counter.get("a")).toMatchObject({ count: 2 });
  expect(counter.get("a").endsIn).toBeGreaterThan(0);
  expect(counter.get("c")).toEqual({ count: 0, endsIn: 0 });
  await sleep(1_050);
  expect(counter.get("a").count).toBe(0);
  expect(counter.add("a").count).toBe(1);
});

test("a window does not move while it is counted in", async () => {
  const counter = new BoundedCounter(60_000);
  const { endsIn } = counter.add("a");
  await sleep(50);
  expect(counter.add("a").endsIn).toBeLessThan(endsIn);
});

test("a million ids do not exceed the limit, and the latest ones stay counted", () => {
  const counter = new BoundedCounter(60_000, 1_000);
  for (let id = 0; id < 1_000_000; id++) {
    counter.add(`id ${id}`);
    if (id % 500 === 0) counter.add("busy");
  }
  expect(counter.size).toBe(1_000);
  expect(counter.get("busy").count).toBe(2_000);
});
