import { oneLine, shorten } from "#lib/text/clip.ts";
import { formsOf } from "./word-forms.ts";

/** Longest snippet, in characters. */
export const SNIPPET = 400;

/** What is read of a content to make a snippet of: some before the passage, and enough after its beginning. */
const LEAD = 200;
export const EXCERPT = LEAD + 900;

/** True for a text that a snippet cannot hold whole. */
export const isLong = (text: string): boolean => oneLine(text).length > SNIPPET;

/** Where an excerpt begins (in code points) for a passage that begins at `start`. */
export const excerptPlace = (start: number): number => Math.max(0, start - LEAD);

/**
 * The snippet of an excerpt whose passage begins at `start` of the content: from there on, or a little earlier when not
 * much follows, or later when more of the words asked for occur there. `isAsked` recognises the words by their forms.
 */
export function snippetOf(excerpt: string, start: number, isAsked: (form: string) => boolean): string {
  const lead = [...excerpt].slice(0, Math.min(LEAD, start)).join("").length;
  const passage = excerpt.slice(lead);
  if (passage.trim().length < SNIPPET / 2)
    return lead === 0 ? shorten(passage, SNIPPET) : `…${shorten(fromWord(excerpt), SNIPPET - 1)}`;
  const from = densest(passage, isAsked);
  return from === 0 ? shorten(passage, SNIPPET) : `…${shorten(passage.slice(from), SNIPPET - 1)}`;
}

const fromWord = (text: string): string => text.slice(text.search(/\s/) + 1);

const WRITTEN = /[\p{L}\p{N}\p{M}]+/gu;

/** Where a snippet holds most of the words asked for: at the beginning, or a few words before one of them. */
function densest(text: string, isAsked: (form: string) => boolean): number {
  const places = [...text.matchAll(WRITTEN)].filter(([word]) => formsOf(word).some(isAsked)).map(({ index }) => index);
  const within = (from: number) => places.filter((place) => place >= from && place < from + SNIPPET - 20).length;
  let best = { from: 0, held: within(0) };
  for (const place of places) {
    const from = text.lastIndexOf(" ", Math.max(0, place - 40)) + 1;
    const count = within(from);
    if (count > best.held) best = { from, held: count };
  }
  return best.from;
}
