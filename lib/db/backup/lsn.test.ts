import { expect, test } from "vitest";
import { bytesOf, segmentOf } from "./lsn.ts";
import { segmentsBetween } from "./wal.ts";

test.each([
  ["0/1000000", 1, 0],
  ["0/1000028", 1, 1],
  ["1/0", 256, 255],
  ["3/5A000028", 858, 858],
])("%s is in segment %i, and its last byte in %i", (lsn, first, last) => {
  expect([segmentOf.first(lsn), segmentOf.last(lsn)]).toEqual([first, last]);
});

test("the name of a segment is its timeline and number", () => {
  expect(segmentOf.number("00000002", 858)).toBe("00000002000000030000005A");
  expect(segmentOf.name("00000002000000030000005A")).toBe(858);
  expect(() => bytesOf("none")).toThrow("not a log position");
});

test("the log of a moment goes over the end of a file id, to the segment that it ends in", () => {
  expect(segmentsBetween("0000000100000000000000FE", { lsn: "1/1000000", until: "" })).toEqual([
    "0000000100000000000000FE",
    "0000000100000000000000FF",
    "000000010000000100000000",
  ]);
});
