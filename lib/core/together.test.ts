import { describe, expect, test } from "vitest";
import { together } from "./together.ts";

const later = <T>(ms: number, answer: () => T) =>
  new Promise<T>((resolve, reject) =>
    setTimeout(() => {
      try {
        resolve(answer());
      } catch (error) {
        reject(error);
      }
    }, ms),
  );
const fail = (what: string) => () => {
  throw new Error(what);
};

describe("branches that run together", () => {
  test("give their results in order, values and promises alike", async () => {
    expect(await together([later(5, () => "a"), 2, Promise.resolve(null)])).toEqual(["a", 2, null]);
    expect(await together([])).toEqual([]);
  });

  test("have all ended when the first failure is thrown", async () => {
    const ended: string[] = [];
    const branches = [
      later(1, fail("first")),
      later(15, () => ended.push("slow")),
      later(5, fail("second")).finally(() => ended.push("second")),
    ];
    await expect(together(branches)).rejects.toThrow("first");
    expect(ended).toEqual(["second", "slow"]);
  });

  test("throw what was thrown, even undefined", async () => {
    await expect(together([Promise.reject(undefined)])).rejects.toBeUndefined();
  });
});
