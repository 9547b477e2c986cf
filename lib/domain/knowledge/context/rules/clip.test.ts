import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clipAtWord as clip } from "#lib/text/clip.ts";
import { countJson } from "#lib/text/tokens.ts";
import { clipTokens, clipValue } from "./compose.ts";

describe("clipping", () => {
  test("never exceeds the length and never breaks a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, length) => {
        const clipped = clip(text, length);
        expect(clipped.length).toBeLessThanOrEqual(Math.max(length, 1));
        expect(clipped.isWellFormed()).toBe(true);
        if (text.length <= length) expect(clipped).toBe(text);
      }),
    );
  });

  test("by tokens holds for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        expect(countJson(JSON.stringify(clipTokens(text, 24)))).toBeLessThanOrEqual(24);
      }),
    );
  });

  test.each([
    ["Paris is large", 40, "Paris is large"],
    ["Paris is a very large city", 15, "Paris is a ver…"],
    [{ a: 1 }, 40, { a: 1 }],
    [{ a: "long enough to be cut" }, 12, '{"a":"long…'],
    [42, 1, 42],
    [null, 1, null],
  ])("of the value %j to %i is %j", (value, length, expected) => {
    expect(clipValue(value, length)).toEqual(expected);
  });
});
