import { expect, test } from "vitest";
import { nextRowKeys } from "./row-keys.ts";

const entry = (id: string, supersedes: string | null = null) => ({ id, supersedes });
const start = nextRowKeys([entry("a"), entry("b")], new Map());

test.each([
  ["its own id at first", [entry("a"), entry("b")], ["a", "b"]],
  ["the key of what it supersedes", [entry("c", "a"), entry("b")], ["a", "b"]],
  ["its own id when the key is taken", [entry("a"), entry("c", "a")], ["a", "c"]],
  ["one of the two when two supersede one", [entry("c", "a"), entry("d", "a")], ["a", "d"]],
])("an entry has %s", (_, entries, expected) => {
  expect([...nextRowKeys(entries, start).values()]).toEqual(expected);
});

test("a key lasts through many versions, and keys never repeat", () => {
  const second = nextRowKeys([entry("c", "a"), entry("b")], start);
  const third = nextRowKeys([entry("d", "c"), entry("a"), entry("b")], second);
  expect(third.get("d")).toBe("a");
  expect(new Set(third.values()).size).toBe(3);
});
