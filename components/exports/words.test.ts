import { expect, test } from "vitest";
import { countOf, labelOf, sizeOf } from "./words.ts";

test("counts and sizes are written as people read them", () => {
  expect([countOf("people", 1), countOf("companies", 1204), labelOf("activities")]).toEqual([
    "1 person",
    "1,204 companies",
    "Activities",
  ]);
  expect([0, 812, 4_200, 123_456, 4_200_000, 7e12].map(sizeOf)).toEqual([
    "0 bytes",
    "812 bytes",
    "4.2 KB",
    "123 KB",
    "4.2 MB",
    "7000 GB",
  ]);
});
