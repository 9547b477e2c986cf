import { mentionPattern } from "#lib/text/mentions.ts";

/**
 * SQL that is true when the text mentions one of some identifiers as a whole; `texts` and `patterns` are the numbers of the
 * parameters that `mentionValues` gives. The search for the text is fast and leaves few rows to the pattern.
 */
export const mentionsAny = (text: string, texts: string, patterns: string): string =>
  `EXISTS (SELECT FROM unnest(${texts}::text[], ${patterns}::text[]) AS named(text, pattern)
     WHERE strpos(lower(${text}), named.text) > 0 AND lower(${text}) ~ named.pattern)`;

/** The identifiers as the two parameters of `mentionsAny`. */
export function mentionValues(identifiers: readonly string[]): [texts: string[], patterns: string[]] {
  const texts = identifiers.map(asWritten);
  return [texts, texts.map(mentionPattern)];
}

/** As it is written in any form of the address. */
const asWritten = (text: string): string => text.toLowerCase().replace(/^https:\/\/www\./, "");
