import { describe, expect, test } from "vitest";
import { lookUps, NEARNESS, rankedTerms, stemWords } from "./asking.ts";
import { lexemeOf } from "./lexemes.ts";
import { speakersOf } from "./question.ts";
import { idfOf } from "./statistics.ts";
import type { RelatedStems } from "./thesaurus.ts";

const statistics = { parts: 1000, averageLength: 100 };
const related = new Map<string, RelatedStems>([
  ["cost", { forms: [], synonyms: ["price", "fee"] }],
  ["met", { forms: ["meet"], synonyms: [] }],
]);

/** The terms of a question, when the notes have the given stems in so many parts. */
function rank(question: string, counts: Record<string, number>) {
  const forms = question.split(" ");
  const words = stemWords(
    forms.map((form) => ({ form, compound: false })),
    new Map(forms.map((form) => [form, lexemeOf(form, form)])),
    related,
  );
  const countOf = (term: string) => counts[term] ?? 0;
  return { words, terms: rankedTerms(words, Object.keys(counts), countOf, () => 0, statistics) };
}

describe("what a question's words are worth", () => {
  test("synonyms and irregular forms are looked up with the word", () => {
    expect(lookUps(rank("cost met", {}).words).terms).toEqual(["cost", "price", "fee", "met", "meet"]);
  });

  test("a synonym counts less than the word, and less still when it is frequent", () => {
    const [term] = rank("cost", { cost: 5, price: 5, fee: 400 }).terms;
    expect(term?.variantTerms[0]).toEqual({ term: "price", weight: NEARNESS.synonym });
    expect(term?.variantTerms[1]?.weight).toBeLessThan(NEARNESS.synonym / 2);
  });

  test("a synonym of a word that is in no note counts more, by its own rarity", () => {
    const [term] = rank("cost", { price: 5 }).terms;
    expect(term?.variantTerms).toEqual([{ term: "price", weight: NEARNESS.synonymOfUnknown }]);
    expect(term?.idf).toBe(idfOf(5, statistics));
  });

  test("an irregular form counts nearly as much as the form that was asked", () => {
    expect(rank("met", { meet: 5 }).terms[0]?.variantTerms).toEqual([{ term: "meet", weight: NEARNESS.form }]);
  });

  test("words that only ask count less", () => {
    const [many, seats] = rank("many seats", { many: 5, seats: 5 }).terms;
    expect(many?.idf).toBeLessThan(seats?.idf ?? 0);
  });

  test("words of its family count more than other words with the same beginning", () => {
    const [term] = rank("invest", { invest: 5, investor: 5, investig: 5 }).terms;
    expect(term?.variantTerms).toEqual([
      { term: "investor", weight: NEARNESS.family },
      { term: "investig", weight: NEARNESS.variant },
    ]);
  });
});

describe("who is asked about", () => {
  test.each([
    ["what did Maria say to Erik about prices", ["maria", "say"]],
    ["why does Tom van Dijk not answer", ["tom", "van"]],
    ["Maria on prices", []],
  ])("%s", (question, expected) => {
    expect([...speakersOf(question)]).toEqual(expected);
  });
});
