import { describe, expect, test } from "vitest";
import { FactValueInput, factIdOf, factOf, factProperty, propertyOfFact } from "./fact-values.ts";

const ID = "0190a6e0-0000-7000-8000-000000000001";

describe("the value of a fact", () => {
  test.each([
    [{ content: "Fintechs" }, { category: "Notes", content: "Fintechs" }],
    [
      { category: "A", content: "x" },
      { category: "A", content: "x" },
    ],
    [
      { category: " ICP\n", content: " Fintechs " },
      { category: "ICP", content: " Fintechs " },
    ],
    [
      { category: "x".repeat(64), content: "x".repeat(10_000) },
      { category: "x".repeat(64), content: "x".repeat(10_000) },
    ],
  ])("%# is read as it is, its category trimmed", (given, expected) => {
    expect(FactValueInput.parse(given)).toEqual(expected);
  });

  test.each([
    ["no content", {}, "content"],
    ["blank content", { content: " \n" }, "content"],
    ["content that is too long", { content: "x".repeat(10_001) }, "content"],
    ["a blank category", { category: " ", content: "x" }, "category"],
    ["a category that is too long", { category: "x".repeat(65), content: "x" }, "category"],
    ["a comma in the category", { category: "a,b", content: "x" }, "category"],
    ["a comma before the category", { category: ",b", content: "x" }, "category"],
    ["a line break in the category", { category: "a\nb", content: "x" }, "category"],
    ["an unknown field", { content: "x", more: 1 }, ""],
  ])("with %s is refused", (_, given, field) => {
    expect(FactValueInput.safeParse(given).error?.issues[0]?.path.join(".")).toBe(field);
  });
});

test("who sends a comma is told what a category must not hold", () => {
  const [issue] = FactValueInput.safeParse({ category: "a,b", content: "x" }).error?.issues ?? [];
  expect(issue?.message).toBe("must not hold commas or control characters");
});

describe("the property of a fact", () => {
  test.each([
    [`note.${ID}`, `note.${ID}`],
    [`NOTE.${ID.toUpperCase()}`, `note.${ID}`],
    [`fact.${ID}`, null],
    ["note.", null],
    ["note.1", null],
    [`note.${ID}0`, null],
    [ID, null],
    ["job_title", null],
  ])("%s is %s", (property, expected) => {
    expect(factProperty(property)).toBe(expected);
  });

  test("names it by its id", () => {
    expect(factIdOf(propertyOfFact(ID))).toBe(ID);
  });

  test.each<[string, unknown, boolean]>([
    [`note.${ID}`, { category: "ICP", content: "Fintechs" }, true],
    [`note.${ID}`, { category: "ICP" }, false],
    [`note.${ID}`, "Fintechs", false],
    [`note.${ID}`, null, false],
    ["job_title", { category: "ICP", content: "Fintechs" }, false],
  ])("%s with %j holds a fact: %s", (property, value, holds) => {
    expect(factOf(property, value)).toEqual(holds ? value : null);
  });
});
