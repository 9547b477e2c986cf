import { occursIn, wordsOf } from "./text.ts";

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
