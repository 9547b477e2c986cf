import { giveTurn } from "#lib/core/turns.ts";
import type { Db } from "#lib/db/handle.ts";
import { lookUps, rankedTerms, type StemmedWord, stemWords } from "../rules/asking.ts";
import { indexPart, readPart } from "../rules/parts.ts";
import { readQuestion, speakersOf } from "../rules/question.ts";
import { datingWords, readSpans } from "../rules/question-dates.ts";
import { prepare } from "../rules/ranking.ts";
import { EXCERPT, excerptPlace, snippetOf } from "../rules/snippets.ts";
import { findLexemes, findRelated } from "./lexemes.ts";
import { bestNotes } from "./rank.ts";
import { recogniser } from "./search.ts";

/** Texts that are no notes are found and ranked as notes are, by an index of their own: what of this is needed for it. */

/** Texts that are read before others get the event loop. */
const AT_ONCE = 4;

/** The stems of some texts, each with those of all of its parts. */
export async function stemsOf(db: Db, texts: readonly string[]): Promise<Set<string>[]> {
  const read: ReturnType<typeof readPart>["sentences"][] = [];
  for (const [place, text] of texts.entries()) {
    read.push(readPart(text, { position: 0, codePoints: 0 }, null).sentences);
    await giveTurn(place, AT_ONCE);
  }
  const lexemes = await findLexemes(db, new Set(read.flatMap((sentences) => sentences.flatMap(({ forms }) => forms))));
  return read.map(
    (sentences) => new Set(sentences.flatMap(({ forms }) => forms.flatMap((form) => lexemes.get(form)?.term ?? []))),
  );
}

/** A question by its stems. `near`: those that count for one of `stems`, themselves included. */
export type AskedStems = { question: string; words: readonly StemmedWord[]; stems: string[]; near: string[] };

/** At most so many words of a question are looked for. */
const MOST_WORDS = 24;

export async function askedStems(db: Db, question: string): Promise<AskedStems> {
  const asked = readQuestion(question);
  const lexemes = await findLexemes(db, new Set(asked.map(({ form }) => form)));
  const words = stemWords(asked, lexemes, await findRelated(db)).slice(0, MOST_WORDS);
  return { question, words, stems: words.map(({ term }) => term), near: lookUps(words).terms };
}

/** How rare a word is, is measured in the texts that are compared, as if there were so many at least. */
const LEAST_TEXTS = 1_000;

export type ComparedText = { id: string; title: string; text: string; date: Date };

/** The texts that answer a question by their words, the best first, with the best passage of each. */
export async function rankTexts(
  db: Db,
  { question, words }: AskedStems,
  texts: readonly ComparedText[],
  limit: number,
): Promise<{ id: string; similarity: number; snippet: string }[]> {
  const read = texts.map(({ title, text }) => readPart(text, { position: 0, codePoints: 0 }, title));
  const forms = read.flatMap(({ sentences }) => sentences.flatMap((sentence) => sentence.forms));
  const lexemes = await findLexemes(db, new Set(forms));
  const parts = read.map((part) => indexPart(part, lexemes));
  const counts = new Map<string, number>();
  for (const { terms } of parts) for (const term of terms.keys()) counts.set(term, (counts.get(term) ?? 0) + 1);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const statistics = {
    parts: Math.max(LEAST_TEXTS, parts.length),
    averageLength: parts.length === 0 ? 1 : length / parts.length,
  };
  const none = { named: new Map(), statistics, speakers: speakersOf(question) };
  const terms = rankedTerms(
    words,
    counts.keys(),
    (term) => counts.get(term) ?? 0,
    () => 0,
    statistics,
    datingWords(question),
  );
  const asked = prepare(terms);
  const compared = texts.map(({ id, date }, index) => {
    const { words: stream = Buffer.alloc(8), length: own = 0 } = parts[index] ?? {};
    return { noteId: id, part: 0, entityId: id, date, length: own, words: stream };
  });
  const best = bestNotes(compared, { ...none, terms }, asked, readSpans(question, new Date())).slice(0, limit);
  const byId = new Map(texts.map((text) => [text.id, text.text]));
  const excerpts = best.map(({ noteId, start }) => excerptOf(byId.get(noteId) ?? "", start));
  const isAsked = await recogniser(db, excerpts, asked);
  return best.map(({ noteId: id, similarity, start }, index) => ({
    ...{ id, similarity, snippet: snippetOf(excerpts[index] ?? "", start, isAsked) },
  }));
}

/** What a snippet is made of. `start` counts code points. */
const excerptOf = (text: string, start: number): string =>
  [...text].slice(excerptPlace(start), excerptPlace(start) + EXCERPT).join("");
