import { expect, test } from "vitest";
import { optionByLetters } from "./option-by-letters.ts";

const options = ["Apple", "Apricot", "Banana", "Blueberry"].map((label) => ({ value: label, label }));
const found = (current: string | undefined, letters: string) => optionByLetters(options, current, letters)?.value;

test.each([
  [undefined, "a", "Apple"],
  ["Apple", "a", "Apricot"],
  ["Apricot", "a", "Apple"],
  ["Apple", "aa", "Apricot"],
  ["Apple", "ap", "Apple"],
  ["Apple", "apr", "Apricot"],
  ["Banana", "BL", "Blueberry"],
  ["Banana", "x", undefined],
])("from %s, typing %s leads to %s", (current, letters, wanted) => {
  expect(found(current, letters)).toBe(wanted);
});

test("disabled options are passed by", () => {
  const some = options.map((option) => ({ ...option, disabled: option.value === "Apple" }));
  expect(optionByLetters(some, undefined, "a")?.value).toBe("Apricot");
  expect(optionByLetters([], undefined, "a")).toBeUndefined();
});
