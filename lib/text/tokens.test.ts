import fc from "fast-check";
import { countTokens as countWith } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { countJson, countTokens } from "./tokens.ts";

const real = (text: string) => countWith(text, { disallowedSpecial: new Set() });

describe("counting", () => {
  test("gives the same as the encoding for the whole text, although ids and times are counted separately", () => {
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
  });

  test.each(["", "<|endoftext|>", "a<|im_start|>b", '{"x":"<|endofprompt|>"}'])("takes %j as plain text", (text) => {
    expect(countJson(text)).toBe(real(text));
    expect(countTokens(text)).toBe(real(text));
  });

  test("counts ids of every form", () => {
    for (let index = 0; index < 200; index++) {
      const json = JSON.stringify({ a: [newId(), crypto.randomUUID()], b: crypto.randomUUID() });
      expect(countJson(json)).toBe(real(json));
    }
  });
});
