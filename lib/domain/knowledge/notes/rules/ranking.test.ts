import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shorten } from "#lib/text/clip.ts";
import { packEntries, withoutNumbers } from "./entries.ts";
import { lexemeOf } from "./lexemes.ts";
import { prepare, scorePart, WEIGHTS } from "./ranking.ts";
import { retrieve } from "./retrieval.ts";
import { SNIPPET, snippetOf } from "./snippets.ts";
import { idfOf } from "./statistics.ts";
import { NOWHERE, packStream, unpackStream, type WordStream } from "./word-stream.ts";

const statistics = { parts: 1000, averageLength: 10 };

/** A stream of sentences given as words; each word is its own stem. */
const streamOf = (...sentences: string[]) =>
  unpackStream(
    packStream(
      sentences.map((sentence, index) => ({
        start: index * 100,
        lexemes: sentence.split(" ").map((form) => lexemeOf(form, form)),
      })),
    ),
  );

const ask = (...forms: string[]) =>
  prepare(forms.map((form) => ({ ...lexemeOf(form, form), idf: idfOf(10, statistics), variants: [] })));

const score = (question: string, ...sentences: string[]) =>
  scorePart(ask(...question.split(" ")), streamOf(...sentences), sentences.join(" ").split(" ").length, statistics);

describe("ranking a part", () => {
  test("words together in one passage beat the same words far apart", () => {
    const together = score("budget security", "x x x x", "budget x security", "x x x x", "y y y y");
    const apart = score("budget security", "budget x x x", "x x x", "y y y y", "security y y y");
    expect(together.score).toBeGreaterThan(apart.score);
    expect(together.passage).toBe(1);
  });

  test("a turn and its answer are one passage", () => {
    expect(score("budget approved", "x x", "the budget", "yes approved", "x x").passage).toBe(1);
  });

  test("neighbours in the question's order beat the other order, and that beats strangers", () => {
    const [same, swapped, far] = ["steering group x x x", "group steering x x x", "steering x x x group"].map(
      (sentence) => score("steering group", sentence).score,
    );
    expect(same).toBeGreaterThan(swapped!);
    expect(swapped).toBeGreaterThan(far!);
  });

  test("the exact form beats another form of the stem", () => {
    const asked = ask("pricing");
    const other = unpackStream(packStream([{ start: 0, lexemes: [lexemeOf("price", "pricing")] }]));
    expect(score("pricing", "pricing").score).toBeGreaterThan(scorePart(asked, other, 1, statistics).score);
  });

  test("a variant counts less than the word itself", () => {
    const term = {
      ...lexemeOf("auth", "auth"),
      idf: 3,
      variants: [{ hash: lexemeOf("authent", "authent").hash, weight: 0.35 }],
    };
    const asked = prepare([term]);
    const itself = scorePart(asked, streamOf("auth x"), 2, statistics).score;
    const variant = scorePart(asked, streamOf("authent x"), 2, statistics).score;
    expect(variant).toBeGreaterThan(0);
    expect(itself).toBeGreaterThan(variant);
  });

  test("a word in the title beats the same word in the text", () => {
    const at = (...starts: number[]) =>
      unpackStream(
        packStream(
          ["budget x", "y z"].map((text, index) => ({
            start: starts[index] ?? 0,
            lexemes: text.split(" ").map((form) => lexemeOf(form, form)),
          })),
        ),
      );
    const worth = (stream: WordStream) => scorePart(ask("budget"), stream, 4, statistics).score;
    expect(worth(at(NOWHERE, 0))).toBeGreaterThan(worth(at(0, 20)));
  });

  test("a word that the note is known to be about need not be in the passage", () => {
    const asked = ask("anna", "budget");
    const stream = streamOf("x x x", "budget x");
    const worth = (given: ReadonlySet<number>) => scorePart(asked, stream, 5, statistics, WEIGHTS, given).score;
    expect(worth(new Set([0]))).toBeGreaterThan(worth(new Set()));
  });

  test("many synonyms do not add up to the word itself", () => {
    const synonyms = ["price", "fee"].map((form) => ({ hash: lexemeOf(form, form).hash, weight: 0.4 }));
    const asked = prepare([{ ...lexemeOf("cost", "cost"), idf: 3, variants: synonyms }]);
    const worth = (text: string) => scorePart(asked, streamOf(text), 8, statistics).score;
    expect(worth("cost x x x x x x x")).toBeGreaterThan(worth("price fee price fee price fee price fee"));
  });

  test("nothing found scores nothing", () => {
    expect(score("budget", "x y z")).toEqual({ score: 0, passage: -1, found: [0] });
  });
});

describe("retrieving from postings", () => {
  const entry = (number: number, more: object = {}) => ({
    number,
    date: new Date("2026-03-05"),
    count: 1,
    type: "note" as const,
    length: 10,
    ...more,
  });
  const base = { nextNumber: 100, statistics, bonuses: [], dated: null, only: null, types: null };
  const limits = { most: 10, words: 1e9 };

  test("more terms and more occurrences come first; filters apply before the limit", () => {
    const terms = [
      [{ worth: 2, entries: [packEntries([entry(1), entry(2, { type: "research" }), entry(3, { count: 5 })])] }],
      [{ worth: 1, entries: [packEntries([entry(2, { type: "research" })]), packEntries([entry(4)])] }],
    ];
    expect(retrieve({ ...base, terms }, limits)).toEqual([3, 2, 1, 4]);
    expect(retrieve({ ...base, terms, types: ["research"] }, limits)).toEqual([2]);
    expect(retrieve({ ...base, terms, only: new Set([1, 4]) }, { ...limits, most: 1 })).toEqual([1]);
    expect(retrieve({ ...base, terms, bonuses: [{ numbers: [9], worth: 100 }] }, limits)[0]).toBe(9);
    expect(retrieve({ ...base, terms }, { most: 10, words: 25 })).toEqual([3, 2]);
  });

  test("days that the question names add to what was found", () => {
    const terms = [[{ worth: 1, entries: [packEntries([entry(1), entry(2, { date: new Date("2026-04-01") })])] }]];
    const dated = { spans: [{ from: new Date("2026-04-01"), to: new Date("2026-05-01") }], worth: 1 };
    expect(retrieve({ ...base, terms, dated }, limits)).toEqual([2, 1]);
  });

  test("a part counts a term once: another synonym in it never makes it better than the best one does", () => {
    const worths = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(worths, worths, (few, more) => {
        const both = [...few, ...more];
        const best = Math.max(...both);
        const synonyms = both.map((worth) => ({ worth, entries: [packEntries([entry(1)])] }));
        const alone = (worth: number) => [{ worth, entries: [packEntries([entry(2)])] }];
        expect(retrieve({ ...base, terms: [synonyms, alone(best * 1.01)] }, limits)).toEqual([2, 1]);
        expect(retrieve({ ...base, terms: [synonyms, alone(best * 0.99)] }, limits)).toEqual([1, 2]);
      }),
    );
  });

  test("finds the highest scores in any order", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 499 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 20 }),
        (numbers, most) => {
          const bonuses = numbers.map((number, index) => ({ numbers: [number], worth: index + 1 }));
          const found = retrieve({ ...base, nextNumber: 500, terms: [], bonuses }, { most, words: 1e9 });
          expect(found).toEqual(numbers.toReversed().slice(0, most));
        },
      ),
    );
  });

  test("entries of erased parts are dropped", () => {
    const entries = packEntries([entry(1), entry(2), entry(3)]);
    expect(withoutNumbers(entries, new Set([2])).equals(packEntries([entry(1), entry(3)]))).toBe(true);
  });
});

describe("snippets", () => {
  const isAsked = (form: string) => form === "budget";

  test("begin with the passage and end between words", () => {
    const text = `Lead in. ${"The budget is approved by everyone. ".repeat(40)}`;
    const snippet = snippetOf(text, 9, isAsked);
    expect(snippet.startsWith("The budget")).toBe(true);
    expect(snippet.endsWith("…")).toBe(true);
  });

  test("reach back when the passage is the end", () => {
    expect(snippetOf(`${"word ".repeat(38)}The end: budget.`, 190, isAsked)).toMatch(/^…word .*budget\.$/);
  });

  test("move to where the words asked for are", () => {
    expect(snippetOf(`${"word ".repeat(120)} budget is here ${"word ".repeat(60)}`, 0, isAsked)).toContain("budget");
  });

  test("never exceed the limit nor split a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 900 }), fc.nat(900), (text, start) => {
        for (const snippet of [snippetOf(text, start, isAsked), shorten(text, SNIPPET)]) {
          expect(snippet.length).toBeLessThanOrEqual(SNIPPET);
          expect(snippet.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
