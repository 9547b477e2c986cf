import { fold } from "#lib/text/fold.ts";

/** Words that titles and lists have or leave out without meaning anything else: "VP of Sales", "VP Sales". */
export const silentWords: readonly string[] = ["of", "the", "and", "for", "a", "an"];
const SILENT: ReadonlySet<string> = new Set(silentWords);

/** The words of a text, folded, each between spaces: a phrase occurs in a text when its words do. */
export function wordsOf(text: string): string {
  const words = fold(text)
    .replace(/[^\p{L}\p{N}+#.]+/gu, " ")
    .split(" ")
    .map((word) => word.replace(/\.+$/, ""))
    .filter((word) => word !== "" && !SILENT.has(word));
  return words.length === 0 ? " " : ` ${words.join(" ")} `;
}

/** Whether the words of a phrase occur one after the other; both given as `wordsOf` gives them. */
export const occursIn = (words: string, phrase: string): boolean => phrase !== " " && words.includes(phrase);

/** Names, and the phrases by which each is recognised. */
export type Terms<Name extends string = string> = Readonly<Record<Name, readonly string[]>>;

type Term<Name> = { name: Name; phrases: readonly string[] };

/** Prepares terms to be looked for: the names that occur in a text, in the order of the list. */
export function finderOf<Name extends string>(terms: Terms<Name>): (words: string) => Name[] {
  const prepared: Term<Name>[] = (Object.entries(terms) as [Name, readonly string[]][]).map(([name, phrases]) => ({
    name,
    phrases: phrases.map(wordsOf),
  }));
  return (words) =>
    prepared.flatMap(({ name, phrases }) => (phrases.some((phrase) => occursIn(words, phrase)) ? [name] : []));
}
