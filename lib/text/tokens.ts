import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";
import { detached } from "./detached.ts";

/** Special tokens are plain text to us: a note that quotes `<|endoftext|>` is not an instruction. */
const asText = { disallowedSpecial: new Set<string>() };

const MOST_REMEMBERED = 20_000;
const LONGEST_REMEMBERED = 200;
const counts = new Map<string, number>();

/** Tokens of a text by the o200k encoding. Short ones are remembered: keys, names, sources and facts come again and again. */
export function countTokens(text: string): number {
  const before = counts.get(text);
  if (before !== undefined) return before;
  const tokens = count(text, asText);
  if (text.length <= LONGEST_REMEMBERED) {
    if (counts.size >= MOST_REMEMBERED) counts.clear();
    counts.set(detached(text), tokens);
  }
  return tokens;
}

/** Before a key or a text in a list: the quote is a real one, since inside a text it would be escaped. */
const MEMBERS = /(?<=[,{]")(?=[a-zA-Z])/;

/** Ids and times are different in every line, so they are counted apart from what repeats. */
const APART =
  /(?<=[:[,]")(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?="[,\]}])/g;

const TIME = count("2026-06-03T09:00:00.000Z");

/**
 * Tokens of JSON text by the o200k encoding, exactly what it gives for the whole. It splits text into words, numbers of
 * up to three digits and runs of punctuation before it merges bytes, and never merges across such a border: between the
 * two punctuation marks `,"` and a letter there is always one, and at both ends of an id between quotes.
 */
export function countJson(json: string): number {
  let tokens = 0;
  for (const member of json.split(MEMBERS)) tokens += counts.get(member) ?? countMember(member);
  return tokens;
}

function countMember(member: string): number {
  let tokens = 0;
  let from = 0;
  for (const match of member.matchAll(APART)) {
    tokens += countTokens(member.slice(from, match.index)) + (match[1] === undefined ? TIME : countId(match[1]));
    from = match.index + match[0].length;
  }
  return tokens + countTokens(member.slice(from));
}

const runs = new Map<string, number>();

const ZERO = 48;
const NINE = 57;

/**
 * Digits are split into groups of up to three, letters into runs that include a hyphen before them; a hyphen before a
 * digit is separate.
 */
function countId(id: string): number {
  let tokens = 0;
  for (let from = 0; from < id.length; ) {
    let to = from;
    while (to < id.length && to - from < 3 && isDigit(id.charCodeAt(to))) to += 1;
    if (to > from) {
      tokens += 1;
    } else {
      to += 1;
      while (to < id.length && id.charCodeAt(to) > NINE) to += 1;
      tokens += countRun(id.slice(from, to));
    }
    from = to;
  }
  return tokens;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

function countRun(run: string): number {
  let cost = runs.get(run);
  if (cost === undefined) {
    cost = count(run);
    if (runs.size < 20_000) runs.set(detached(run), cost);
  }
  return cost;
}
