import { describe, expect, test } from "vitest";
import { irregular, relate, thesaurus } from "./thesaurus.ts";
import { formsOf } from "./word-forms.ts";

describe("the thesaurus", () => {
  const words = thesaurus.flat();

  test("has no word twice, and every group leads somewhere", () => {
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    expect(thesaurus.filter((group) => group.length < 2)).toEqual([]);
  });

  test("holds words as a question has them: lower case, without accents, in one piece", () => {
    const all = [...words, ...irregular.flat()];
    expect(all.filter((word) => !/^[a-z]+\d?$/.test(word))).toEqual([]);
    expect(all.filter((word) => !formsOf(word).includes(word))).toEqual([]);
  });

  test("lists the irregular forms of each word once", () => {
    const forms = irregular.flat();
    expect(forms.filter((form, index) => forms.indexOf(form) !== index)).toEqual([]);
  });
});

describe("what is related to a word", () => {
  const termOf = (form: string) => (form === "the" ? null : form.replace(/s$/, ""));
  const related = relate(
    [
      ["prices", "cost", "the"],
      ["leave", "quit"],
    ],
    [
      ["leave", "left"],
      ["meet", "met"],
    ],
    termOf,
  );

  test("the others of its group, by their stems", () => {
    expect(related.get("price")).toEqual({ forms: [], synonyms: ["cost"] });
    expect(related.get("the")).toBeUndefined();
  });

  test("its irregular forms, which mean what it means", () => {
    expect(related.get("met")).toEqual({ forms: ["meet"], synonyms: [] });
    expect(related.get("left")).toEqual({ forms: ["leave"], synonyms: ["quit"] });
    expect(related.get("quit")).toEqual({ forms: [], synonyms: ["leave", "left"] });
  });
});
