import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { gatherer } from "./gatherer.ts";

/** A gatherer whose groups end when the test ends them. */
function held({ lanes, most }: { lanes: number; most: number }) {
  const groups: { items: readonly number[]; end(results: (string | Error)[]): void; fail(error: Error): void }[] = [];
  const ask = gatherer<number, string>({
    lanes,
    most,
    run: (items) => new Promise((end, fail) => groups.push({ items, end, fail })),
  });
  const end = async (group: number) => {
    const { items, end: answer } = groups[group] as (typeof groups)[number];
    answer(items.map(String));
    await turn();
  };
  return { groups, ask, end };
}

describe("a gatherer", () => {
  test("starts the items of one turn at once, and later ones together", async () => {
    const { groups, ask, end } = held({ lanes: 1, most: 10 });
    const first = [ask("a", 1), ask("a", 2)];
    await turn();
    const later = [ask("a", 3), ask("a", 4)];
    await turn();
    expect(groups.map(({ items }) => items)).toEqual([[1, 2]]);
    await end(0);
    expect(groups.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await end(1);
    expect(await Promise.all([...first, ...later])).toEqual(["1", "2", "3", "4"]);
  });

  test("keeps to its lanes and to the size of a group, in order", async () => {
    const { groups, ask, end } = held({ lanes: 2, most: 2 });
    const answers = [1, 2, 3, 4, 5, 6, 7].map((item) => ask("a", item));
    await turn();
    expect(groups.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    await end(1);
    expect(groups.at(-1)?.items).toEqual([5, 6]);
    await end(2);
    await end(0);
    await end(3);
    expect(await Promise.all(answers)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  });

  test("does not let one key wait for another", async () => {
    const { groups, ask } = held({ lanes: 1, most: 10 });
    void ask("a", 1);
    void ask("b", 2);
    await turn();
    expect(groups.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  test("gives each item its own error, and all of them that of the group", async () => {
    const { groups, ask } = held({ lanes: 1, most: 10 });
    const answers = Promise.allSettled([ask("a", 1), ask("a", 2)]);
    await turn();
    groups[0]?.end(["one", new Error("not you")]);
    expect(await answers).toMatchObject([{ value: "one" }, { reason: { message: "not you" } }]);
    const failed = Promise.allSettled([ask("a", 3), ask("a", 4)]);
    await turn();
    groups[1]?.fail(new Error("nobody"));
    expect(await failed).toMatchObject([{ reason: { message: "nobody" } }, { reason: { message: "nobody" } }]);
    const next = ask("a", 5);
    await turn();
    groups[2]?.end(["five"]);
    expect(await next).toBe("five");
  });
});
