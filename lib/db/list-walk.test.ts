import { expect, test } from "vitest";
import type { ListRequest } from "./list-request.ts";
import { walkedPage } from "./list-walk.ts";

const after = { value: 1, id: "an id" };

test.each<[true | undefined, boolean, Partial<ListRequest>, boolean]>([
  [true, false, {}, true],
  [true, false, { after }, true],
  [true, false, { offset: 1 }, true],
  [true, true, {}, false],
  [true, true, { after }, false],
  [true, true, { offset: 1 }, true],
  [undefined, false, {}, false],
  [undefined, false, { after }, false],
  [undefined, true, { offset: 1 }, true],
])("with keys first %s and a walk %s, %j reads rows only after their keys: %s", (keysFirst, isWalk, more, expected) => {
  const listed = { table: "things", row: "p.row", isWalk: () => isWalk, ...(keysFirst ? { keysFirst } : {}) };
  const sort = { column: "rank", type: "int" as const, nullable: false, descending: false };
  const { text } = walkedPage(listed, { conditions: [], sort, limit: 2, offset: 0, after: null, ...more });
  expect(text.includes("JOIN things p")).toBe(expected);
  expect(text.match(/p\.row/g)).toHaveLength(1);
});
