import { fold } from "#lib/text/fold.ts";

/** What a row must match; `rare` is a part of it that finds the rows with less reading, when the whole is long. */
export type SearchPatterns = { whole: string; rare: string | null };

/** Letters as names, addresses and domains hold them, the commonest first. */
const COMMONEST = "eaoinrstlcmdhugpybkwvfjzxq";
/** Letters of a piece: three trigrams. */
const PIECE = 5;
/** From this many letters on, two pieces hold far fewer trigrams than the whole. */
const LONG = 11;

/**
 * Patterns for a substring search over folded text; null when nothing is left to look for. An index of trigrams reads a
 * list for each trigram of a pattern, the common ones being long, so a long text is looked up by its two rarest pieces.
 */
export function searchPatterns(search: string): SearchPatterns | null {
  const text = fold(search);
  if (text === "") return null;
  return { whole: `%${literal(text)}%`, rare: rarePattern(text) };
}

/** Text as a pattern that LIKE matches with that text alone. */
export const literal = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

function rarePattern(text: string): string | null {
  if (text.length < LONG) return null;
  const pieces = [...text].flatMap((_, start) => {
    const piece = text.slice(start, start + PIECE);
    return /^[a-z0-9]{5}$/.test(piece) ? [{ start, piece, rarity: rarityOf(piece) }] : [];
  });
  pieces.sort((a, b) => b.rarity - a.rarity || a.start - b.start);
  const [first] = pieces;
  if (!first) return null;
  const second = pieces.find(({ start }) => Math.abs(start - first.start) >= PIECE);
  const chosen = [first, ...(second ? [second] : [])].sort((a, b) => a.start - b.start);
  return `%${chosen.map(({ piece }) => piece).join("%")}%`;
}

/** Digits are rarer than any letter. */
const rarityOf = (piece: string): number =>
  [...piece].reduce(
    (sum, letter) => sum + (COMMONEST.includes(letter) ? COMMONEST.indexOf(letter) : COMMONEST.length),
    0,
  );
