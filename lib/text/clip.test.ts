import fc from "fast-check";
import { expect, test } from "vitest";
import { clip, clipAtWord } from "./clip.ts";

test("never exceeds the length and never breaks a character", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(clip, clipAtWord),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.integer({ min: 2, max: 40 }),
      (cut, text, most) => {
        const clipped = cut(text, most);
        expect(clipped.length).toBeLessThanOrEqual(most);
        expect(clipped.isWellFormed()).toBe(true);
        if (text.length <= most) expect(clipped).toBe(text);
        else expect(clipped.endsWith("…")).toBe(true);
      },
    ),
  );
});

test.each([
  ["Paris is large", 40, "Paris is large", "Paris is large"],
  ["Paris is a very large city", 15, "Paris is a ver…", "Paris is a ver…"],
  ["Paris is a very large city", 20, "Paris is a very lar…", "Paris is a very…"],
  ["Paris is a very large city", 17, "Paris is a very…", "Paris is a very…"],
  ["aaaa🙂🙂", 6, "aaaa…", "aaaa…"],
])("%j to %i is %j, and %j at a word", (text, most, plain, atWord) => {
  expect([clip(text, most), clipAtWord(text, most)]).toEqual([plain, atWord]);
});
