import { expect, test } from "vitest";
import { roomClasses } from "./column-room.ts";

const of = (...weights: number[]) => roomClasses(weights.map((weight) => ({ weight })));

test("the columns after what has room are left out, the last first", () => {
  expect(of(20, 15, 15, 12, 10, 15)).toEqual(["", "", "", "", "", "@max-[48rem]:hidden"]);
});

test("the first column is never left out, and a very wide one only where nothing is wider", () => {
  expect(of(400, 10)).toEqual(["", "@max-[120rem]:hidden"]);
});
