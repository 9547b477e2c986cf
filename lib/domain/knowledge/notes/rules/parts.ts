import type { Lexeme } from "./lexemes.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { formsOf } from "./word-forms.ts";
import { type IndexedSentence, NOWHERE, packStream } from "./word-stream.ts";

/** Written words of a part: some 45 minutes of talk. A longer note is ranked by its best part. */
const PART_WORDS = 7000;

/** A part as it was read, before its words are looked up. `next` is where the following part begins, null at the end. */
export type ReadPart = { sentences: readonly { start: number; forms: readonly string[] }[]; next: number | null };

/** A part as it is stored. `terms`: how often each stem occurs in it. */
export type IndexedPart = { words: Buffer; length: number; terms: Map<string, number> };

/** Reads one part of a content from a position on. The title is read with the first part, as a sentence of its own. */
export function readPart(
  content: string,
  from: { position: number; codePoints: number },
  title: string | null,
): ReadPart {
  const sentences: { start: number; forms: string[] }[] = [];
  for (const sentence of title === null ? [] : sentencesOf(title))
    sentences.push({ start: NOWHERE, forms: formsIn(sentence) });
  let count = 0;
  for (const sentence of sentencesOf(content, from.position, from.codePoints)) {
    sentences.push({ start: sentence.start, forms: formsIn(sentence) });
    count += sentence.words.length;
    if (count >= PART_WORDS) return { sentences, next: sentence.next < content.length ? sentence.next : null };
  }
  return { sentences, next: null };
}

const formsIn = (sentence: Sentence): string[] => sentence.words.flatMap(formsOf);

/** Packs a part once every form of it is known. */
export function indexPart(part: ReadPart, lexemes: ReadonlyMap<string, Lexeme>): IndexedPart {
  const terms = new Map<string, number>();
  const sentences: IndexedSentence[] = part.sentences.map(({ start, forms }) => {
    const kept: Lexeme[] = [];
    for (const form of forms) {
      const lexeme = lexemes.get(form);
      if (!lexeme || lexeme.term === null) continue;
      kept.push(lexeme);
      terms.set(lexeme.term, (terms.get(lexeme.term) ?? 0) + 1);
    }
    return { start, lexemes: kept };
  });
  const length = sentences.reduce((sum, sentence) => sum + sentence.lexemes.length, 0);
  return { words: packStream(sentences), length, terms };
}

/**
 * Terms and how often they occur there, as text in which a term is found by ` <term> `.
 */
export const writeTerms = (terms: ReadonlyMap<string, number>): string => {
  let text = "";
  for (const [term, count] of terms) text += `\n${term} ${count}`;
  return text;
};

export function readTerms(text: string): [term: string, count: number][] {
  const lines = text === "" ? [] : text.slice(1).split("\n");
  return lines.map((line) => {
    const space = line.lastIndexOf(" ");
    return [line.slice(0, space), Number(line.slice(space + 1))];
  });
}
