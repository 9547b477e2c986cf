import { describe, expect, test } from "vitest";
import { familyOf, isDerived } from "./word-families.ts";

describe("the family of a word, by stems", () => {
  test.each([
    ["decid", "decis"],
    ["extend", "extens"],
    ["reduc", "reduct"],
    ["subscrib", "subscript"],
    ["permit", "permiss"],
    ["receiv", "recept"],
    ["deliv", "deliveri"],
    ["notifi", "notif"],
    ["appli", "applic"],
    ["maintain", "mainten"],
    ["agre", "agreement"],
    ["pay", "payment"],
  ])("%s and %s lead to each other", (one, other) => {
    expect(familyOf(one)).toContain(other);
    expect(familyOf(other)).toContain(one);
  });

  test("a word is not in its own family, and most words have none", () => {
    for (const term of ["pay", "decid", "budget", "pilot", "id", "is", "and"])
      expect(familyOf(term)).not.toContain(term);
    expect([familyOf("budget"), familyOf("id"), familyOf("is")]).toEqual([[], [], []]);
  });

  test("an ending of another kind of word derives, any other does not", () => {
    expect([isDerived("invest", "investor"), isDerived("departur", "depart")]).toEqual([true, true]);
    expect([isDerived("integr", "integrated"), isDerived("port", "portland"), isDerived("pilot", "pilot")]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
