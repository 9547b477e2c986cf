import { lengths } from "./entries.ts";

/** What BM25 needs to know about a workspace. */
export type Statistics = { parts: number; averageLength: number };

// The textbook values; tuning them gained nothing on questions that were held out.
const K1 = 1.2;
const B = 0.75;

/** How distinctive a term is that occurs in `parts` of all parts: rarer is more. Never negative. */
export const idfOf = (parts: number, statistics: Statistics): number =>
  Math.log(1 + (Math.max(statistics.parts, parts) - parts + 0.5) / (parts + 0.5));

/** The weight of a term's count in a part of that length, before its idf. */
export const saturate = (count: number, length: number, { averageLength }: Statistics): number =>
  (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / Math.max(1, averageLength)));

/** `saturate` for every count (5 bits) and length code (8 bits) that an entry can hold. */
export function saturationTable(statistics: Statistics): Float64Array {
  const table = new Float64Array(32 * 256);
  for (let count = 0; count < 32; count++) {
    for (let code = 0; code < 256; code++) table[count * 256 + code] = saturate(count, lengths[code] ?? 0, statistics);
  }
  return table;
}
