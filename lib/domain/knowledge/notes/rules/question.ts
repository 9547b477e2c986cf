import { sentencesOf } from "./sentences.ts";
import { formsOf } from "./word-forms.ts";

/** A word of a question. A compound gives several words, its parts and the whole; those are never corrected. */
export type AskedWord = { form: string; compound: boolean };

/** Terms a question is ranked by. Of a longer one the rarest are kept. */
export const MAX_TERMS = 48;

/** The words of a question in order, each once. */
export function readQuestion(question: string): AskedWord[] {
  const words = new Map<string, AskedWord>();
  for (const sentence of sentencesOf(question)) {
    for (const written of sentence.words) {
      const forms = formsOf(written);
      for (const form of forms) if (!words.has(form)) words.set(form, { form, compound: forms.length > 1 });
    }
  }
  return [...words.values()];
}

/** Shortest stem that is also searched as the beginning of longer words. */
const SHORTEST_PREFIX = 4;

/** True when words that begin with the term count for it, less than the term itself (`integr` and `integrity`). */
export const isPrefix = (term: string): boolean => term.length >= SHORTEST_PREFIX && !/^\d/.test(term);

/** The beginnings of a term that count for it when they are words themselves: at least half of it (`authentication`, `auth`). */
export function beginningsOf(term: string): string[] {
  const shortest = Math.max(SHORTEST_PREFIX, Math.ceil(term.length * 0.5));
  const beginnings: string[] = [];
  for (let length = term.length - 1; length >= shortest && isPrefix(term); length--)
    beginnings.push(term.slice(0, length));
  return beginnings;
}

/** The words that a question names as the one who spoke or acted: `what did Maria say to Erik about …`. */
export function speakersOf(question: string): ReadonlySet<string> {
  const [, first = "", second = ""] =
    /\b(?:did|does|has|had|will|would|was|is) ([\p{L}\p{M}'’-]+)(?: ([\p{L}\p{M}'’-]+))?/iu.exec(question) ?? [];
  return new Set([first, second].flatMap(formsOf));
}
