import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { clip, clipTokens, clipValue } from "./clip.ts";
import { countJson } from "./tokens.ts";

const real = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

describe("counting", () => {
  test("gives what the encoding gives for the whole text, ids and times apart", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.string({ unit: "binary" }),
            fc.uuid(),
            fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
          ),
        ),
        (parts) => {
          const json = JSON.stringify(parts.map(([text, id, when]) => ({ text, id, when, ids: [id, id], more: text })));
          expect(countJson(json)).toBe(real(json));
        },
      ),
      { numRuns: 100 },
    );
  }, 30_000);

  test.each(["", "<|endoftext|>", "a<|im_start|>b", '{"x":"<|endofprompt|>"}'])("takes %j as plain text", (text) => {
    expect(countJson(text)).toBe(real(text));
  });

  test("counts ids of every form", () => {
    for (let index = 0; index < 200; index++) {
      const json = JSON.stringify({ a: [newId(), crypto.randomUUID()], b: crypto.randomUUID() });
      expect(countJson(json)).toBe(real(json));
    }
  });
});

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
