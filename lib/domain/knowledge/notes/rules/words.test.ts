import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCorrectable, neighboursOf } from "./edits.ts";
import { lexemeOf } from "./lexemes.ts";
import { indexPart, readPart, readTerms, writeTerms } from "./parts.ts";
import { beginningsOf, readQuestion } from "./question.ts";
import { sentencesOf } from "./sentences.ts";
import { formsOf, MAX_WORD } from "./word-forms.ts";
import { NOWHERE, unpackStream } from "./word-stream.ts";

describe("the forms of a written word", () => {
  test.each([
    ["Pricing", ["pricing"]],
    ["Müller", ["muller"]],
    ["Ångström’s", ["angstrom"]],
    ["We're", ["we"]],
    ["don't", []],
    ["O'Brien", ["o", "brien", "obrien"]],
    ["follow-up", ["follow", "up", "followup"]],
    ["e-mail", ["e", "mail", "email"]],
    ["SOC2", ["soc", "2", "soc2"]],
    ["B2B", ["b2b"]],
    ["Q3", ["q3"]],
    ["45k", ["45000"]],
    ["1.5k", ["1500"]],
    ["45,000", ["45000"]],
    ["3.5", ["3.5"]],
    ["2026-06-03", ["2026", "06", "03"]],
    ["acme.com", ["acme", "com", "acmecom"]],
    ["日本語", ["日本", "本語"]],
    ["予", ["予"]],
    ["AT&T", ["at", "t", "att"]],
  ])("%s: %j", (written, forms) => {
    expect(formsOf(written)).toEqual(forms);
  });

  test("a very long word is cut, never inside a character", () => {
    const [form = ""] = formsOf(`${"a".repeat(MAX_WORD - 1)}😀𝔸`);
    expect(form.length).toBeLessThanOrEqual(MAX_WORD);
    expect(form.isWellFormed()).toBe(true);
  });

  test("forms hold no white space, and what is asked has the forms of what was written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const sentence of sentencesOf(text)) {
          for (const form of sentence.words.flatMap(formsOf)) {
            expect(form).toMatch(/^\S+$/u);
            expect(form.isWellFormed()).toBe(true);
          }
        }
      }),
    );
  });
});

describe("sentences", () => {
  const read = (text: string) => [...sentencesOf(text)].map(({ words }) => words.join(" "));

  test.each([
    ["One two. Three four! Five?", ["One two", "Three four", "Five"]],
    ["Anna: yes\nBen: no\r\n\r\nAnna: ok", ["Anna yes", "Ben no", "Anna ok"]],
    ["It costs 3.5 or 45,000 at acme.com today. Fine.", ["It costs 3.5 or 45,000 at acme.com today", "Fine"]],
    ['He said "no." Then left.', ["He said no", "Then left"]],
    ["…", []],
    ["", []],
  ])("%j", (text, sentences) => {
    expect(read(text)).toEqual(sentences);
  });

  test("a run of words without an end is cut", () => {
    expect(read("word ".repeat(200)).length).toBeGreaterThan(3);
  });

  test("start counts code points as the database does, next counts UTF-16 units", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (noise) => {
        const text = `${noise}\n😀 Marker here.`;
        const last = [...sentencesOf(text)].at(-1);
        expect([...text].slice(last?.start).join("")).toBe("😀 Marker here.");
        expect(last?.next).toBe(text.length);
      }),
    );
  });

  test("reading on from where a sentence ended gives the same sentences", () => {
    const text = "One 😀 two. Three\nfour five. Six.";
    const all = [...sentencesOf(text)];
    const first = all[0]!;
    const rest = [...sentencesOf(text, first.next, [...text.slice(0, first.next)].length)];
    expect(rest).toEqual(all.slice(1));
  });
});

describe("a part", () => {
  const lexemes = new Map(["anna", "wants", "sso", "call"].map((form) => [form, lexemeOf(form, form)]));
  lexemes.set("the", lexemeOf("the", null));

  test("keeps its words in order, the title first and nowhere, stop words left out", () => {
    const part = indexPart(readPart("The. Anna wants the SSO. Anna!", { position: 0, codePoints: 0 }, "Call"), lexemes);
    const stream = unpackStream(part.words);
    const hash = (form: string) => lexemes.get(form)!.hash;
    expect([...stream.starts]).toEqual([NOWHERE, 5, 25]);
    expect([...stream.hashes]).toEqual([hash("call"), hash("anna"), hash("wants"), hash("sso"), hash("anna")]);
    expect([...stream.ends]).toEqual([1, 4, 5]);
    expect(part.length).toBe(5);
    expect(readTerms(writeTerms(part.terms))).toEqual([...part.terms]);
    expect(part.terms.get("anna")).toBe(2);
  });

  test("a long text is read in parts that together are the whole", () => {
    const text = "word next. ".repeat(10_000);
    let [count, position] = [0, 0];
    for (let next: number | null = 0; next !== null; ) {
      position = next;
      const part = readPart(text, { position, codePoints: position }, null);
      count += part.sentences.reduce((sum, { forms }) => sum + forms.length, 0);
      next = part.next;
    }
    expect(count).toBe(20_000);
    expect(position).toBeGreaterThan(0);
  });
});

describe("a question", () => {
  test("is its words in order, each once; those of a compound are marked", () => {
    expect(readQuestion("Follow-up with Anna, anna!")).toEqual([
      { form: "follow", compound: true },
      { form: "up", compound: true },
      { form: "followup", compound: true },
      { form: "with", compound: false },
      { form: "anna", compound: false },
    ]);
  });

  test("the beginnings of a term are at least half of it and four letters", () => {
    expect(beginningsOf("competit")).toEqual(["competi", "compet", "compe", "comp"]);
    expect(beginningsOf("auth")).toEqual([]);
    expect(beginningsOf("20260101")).toEqual([]);
  });

  test.each([
    ["procuremnt", "procurement", true],
    ["secuirty", "security", true],
    ["budgett", "budget", true],
    ["pricimg", "pricing", true],
    ["bricing", "pricing", false],
    ["prcng", "pricing", false],
  ])("%s is one typing error from %s: %s", (typed, meant, near) => {
    expect(neighboursOf(typed).includes(meant)).toBe(near);
  });

  test.each([
    ["abc", false],
    ["abcd", true],
    ["soc2", false],
    ["日本語文", false],
  ])("%s can be corrected: %s", (form, correctable) => {
    expect(isCorrectable(form)).toBe(correctable);
  });
});
