import fc from "fast-check";
import { expect, test } from "vitest";
import { formatMinute } from "#lib/text/time.ts";
import { piecesOf } from "./stamps.ts";

test.each([
  ["Nothing here.", []],
  ["Meeting in 4 hours, at 2026-11-21 16:48 UTC: Pilot review.", ["2026-11-21T16:48Z"]],
  ["2026-11-21 16:48 UTC", ["2026-11-21T16:48Z"]],
  ["From 2026-11-21 16:48 UTC to 2026-11-21 17:18 UTC.", ["2026-11-21T16:48Z", "2026-11-21T17:18Z"]],
  ["The latest on 2026-10-21. From 2026-10-21T10:00Z, number 12026-10-21.", ["2026-10-21"]],
  ["The 2026-99-99 99:99 UTC of a title.", []],
])("%s", (text, times) => {
  const pieces = piecesOf(text);
  expect(pieces.flatMap(({ iso }) => iso ?? [])).toEqual(times);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});

test("the server's times are found between any words, and no text is lost", () => {
  const minutes = fc.date({ min: new Date("1970-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(minutes, fc.string(), fc.string(), (time, before, after) => {
      const pieces = piecesOf(`${before} ${formatMinute(time)} ${after}`);
      expect(pieces.map((piece) => piece.text).join("")).toBe(`${before} ${formatMinute(time)} ${after}`);
      expect(pieces.map(({ iso }) => iso && Date.parse(iso))).toContain(Math.floor(time.getTime() / 60_000) * 60_000);
    }),
  );
});
