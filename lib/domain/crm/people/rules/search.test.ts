import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "#lib/text/fold.ts";
import { searchPatterns } from "./search.ts";

/** LIKE, as Postgres reads it. */
const like = (text: string, pattern: string): boolean => {
  const source = pattern.replaceAll(/\\(.)|%|_|[^\\%_]+/gsu, (part, escaped?: string) => {
    if (part === "%") return "[\\s\\S]*";
    return (escaped ?? part).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, "u").test(text);
};

describe("search patterns", () => {
  test.each([
    [" ", null],
    ["Ann", { whole: "%ann%", rare: null }],
    ["50%_\\", { whole: "%50\\%\\_\\\\%", rare: null }],
    ["Müller-Ost", { whole: "%muller-ost%", rare: null }],
    ["Featherstonehaugh", { whole: "%featherstonehaugh%", rare: "%feath%haugh%" }],
    ["日本語日本語日本語日本語", { whole: "%日本語日本語日本語日本語%", rare: null }],
    ["info@a.b.c.de", { whole: "%info@a.b.c.de%", rare: null }],
    ["anna.schmidt@acme.com", { whole: "%anna.schmidt@acme.com%", rare: "%chmid%" }],
  ])("%j", (search, expected) => {
    expect(searchPatterns(search)).toEqual(expected);
  });

  test("what holds the whole holds its rare pieces", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."abehqxz019.-_%@ é") });
    fc.assert(
      fc.property(letters, letters, letters, (before, search, after) => {
        const patterns = searchPatterns(search);
        if (!patterns) return;
        const text = `${fold(before)}${fold(search)}${fold(after)}`;
        expect(like(text, patterns.whole)).toBe(true);
        if (patterns.rare) expect(like(text, patterns.rare)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
