import { expect, test } from "vitest";
import { predecessorOf } from "./versions.ts";

const versions = [
  { id: "c", supersedes: "a", content: "c" },
  { id: "b", supersedes: null, content: "b" },
  { id: "a", supersedes: "z", content: "a, reworded" },
  { id: "a", supersedes: "z", content: "a" },
];

test.each([
  [0, "a, reworded"],
  [1, undefined],
  [2, "a"],
  [3, undefined],
  [9, undefined],
])("version %i follows %s", (index, content) => {
  expect(predecessorOf(versions, index)?.content).toBe(content);
});
