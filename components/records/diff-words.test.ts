import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffWords, type Part } from "./diff-words.ts";

const changed = (before: string, after: string) =>
  diffWords(before, after)
    .filter((part) => part.kind !== "same")
    .map(({ kind, text }) => `${kind === "added" ? "+" : "-"}${text}`);

describe("a word diff", () => {
  test.each([
    ["From €1,000 a month.", "From €1,500 a month.", ["-€1,000", "+€1,500"]],
    ["set-up in 12% less", "set-up in 15% less", ["-12%", "+15%"]],
    ["don't call", "do call", ["-don't", "+do"]],
    ["one two", "one two three", ["+ three"]],
    ["Élan", "Elan", ["-Élan", "+Elan"]],
    ["same", "same", []],
    ["", "new", ["+new"]],
    ["Fintechs in Europe", "Series A firms in Europe", ["-Fintechs ", "+Series A firms "]],
    ["one two, three", "uno due, three", ["-one two", "+uno due"]],
  ])("of %j and %j is %j", (before, after, expected) => {
    expect(changed(before, after)).toEqual(expected);
  });

  test("contains both texts completely", () => {
    const side = (parts: Part[], other: Part["kind"]) =>
      parts.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join("");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (before, after) => {
        const parts = diffWords(before, after);
        expect([side(parts, "added"), side(parts, "removed")]).toEqual([before, after]);
      }),
    );
  });
});
