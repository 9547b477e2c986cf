import { expect, test } from "vitest";
import { inBatches } from "./in-batches.ts";

test("what is wanted together is asked for together, up to the most, for each workspace by itself", async () => {
  const asked: [string, string[]][] = [];
  const lengthOf = inBatches(3, async (workspaceId, ids) => {
    asked.push([workspaceId, ids]);
    return new Map(ids.filter((id) => id !== "gone").map((id) => [id, id.length]));
  });
  const wanted = ["a", "bb", "a", "gone", "dddd"].map((id) => lengthOf("w", id));
  expect(await Promise.all([...wanted, lengthOf("other", "a")])).toEqual([1, 2, 1, undefined, 4, 1]);
  expect(asked).toEqual([
    ["w", ["a", "bb", "gone"]],
    ["w", ["dddd"]],
    ["other", ["a"]],
  ]);
  await lengthOf("w", "later");
  expect(asked.at(-1)).toEqual(["w", ["later"]]);
});
