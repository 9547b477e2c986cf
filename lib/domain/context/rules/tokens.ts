import { countTokens as count } from "gpt-tokenizer/encoding/o200k_base";
import { LRUCache } from "lru-cache";

/** Special tokens are plain text to us: a note that quotes `<|endoftext|>` is not an instruction. */
const asText = { disallowedSpecial: new Set<string>() };

const known = new LRUCache<string, number>({ max: 5_000 });

/** Tokens of a text, by the o200k encoding. Remembered: names, stages, sources and facts come again and again. */
export function countText(text: string): number {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens = count(text, asText);
  if (text.length <= 1_000) known.set(text, tokens);
  return tokens;
}

/** Ids and times differ in every line, so they are counted apart from the text that repeats. */
const APART =
  /(?<=[:[,]")(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(?="[,\]}])/g;

const TIME = count("2026-06-03T09:00:00.000Z");

/**
 * Tokens of JSON text, exactly what the encoding gives for the whole. The encoding splits text into words, numbers of up
 * to three digits and runs of punctuation before it merges bytes, so it never merges across the quotes around an id.
 */
export function countJson(json: string): number {
  let tokens = 0;
  let from = 0;
  for (const match of json.matchAll(APART)) {
    tokens += countText(json.slice(from, match.index)) + (match[1] === undefined ? TIME : countId(match[1]));
    from = match.index + match[0].length;
  }
  return tokens + countText(json.slice(from));
}

const runs = new Map<string, number>();

/** Digits go by up to three, letters by runs that take a hyphen before them along. */
function countId(id: string): number {
  let tokens = 0;
  for (const [run] of id.matchAll(/-?[a-f]+|[0-9]{1,3}|-/g)) {
    let cost = runs.get(run);
    if (cost === undefined) {
      cost = count(run);
      if (runs.size < 20_000) runs.set(run, cost);
    }
    tokens += cost;
  }
  return tokens;
}
