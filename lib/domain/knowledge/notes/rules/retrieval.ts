import type { NoteType } from "../contract.ts";
import { dayOf, ENTRY, lengths, typeCode } from "./entries.ts";
import type { Span } from "./question-dates.ts";
import { type Statistics, saturationTable } from "./statistics.ts";

/** Entries of one term of the question and of what else counts for it, with what each is worth. */
export type TermEntries = readonly { worth: number; entries: readonly Buffer[] }[];

/** Added to the score of some parts: those of a named person. */
export type Bonus = { numbers: readonly number[]; worth: number };

/**
 * The parts that a question's terms find, best first, at most `most` and until they have `words` words: BM25 over all postings in one pass, a
 * term as its best word there. `only` keeps
 * the parts of a focus, `types` those of some kinds, before anything is left out.
 */
export function retrieve(
  {
    nextNumber,
    statistics,
    terms,
    bonuses,
    dated,
    only,
    types,
  }: {
    nextNumber: number;
    statistics: Statistics;
    terms: readonly TermEntries[];
    bonuses: readonly Bonus[];
    /** added to what was found and is dated within the days that the question names */
    dated: { spans: readonly Span[]; worth: number } | null;
    only: ReadonlySet<number> | null;
    types: readonly NoteType[] | null;
  },
  { most, words }: { most: number; words: number },
): number[] {
  const scores = new Float32Array(nextNumber);
  const sizes = new Uint8Array(nextNumber);
  const days = new Uint16Array(nextNumber);
  const counted = new Float32Array(nextNumber);
  const countedFor = new Uint8Array(nextNumber);
  const table = saturationTable(statistics);
  const wanted = types && new Set(types.map(typeCode));
  for (const [index, sources] of terms.entries()) {
    for (const { worth, entries } of sources) {
      for (const block of entries) {
        for (let at = 0; at + ENTRY <= block.length; at += ENTRY) {
          const packed = block[at + 6] as number;
          if (wanted && !wanted.has(packed >>> 5)) continue;
          const number = block.readUInt32LE(at);
          const size = block[at + 7] as number;
          sizes[number] = size;
          days[number] = block.readUInt16LE(at + 4);
          const value = worth * (table[(packed & 31) * 256 + size] as number);
          const countSoFar = countedFor[number] === index + 1 ? (counted[number] as number) : 0;
          if (value <= countSoFar) continue;
          scores[number] = (scores[number] as number) + value - countSoFar;
          counted[number] = value;
          countedFor[number] = index + 1;
        }
      }
    }
  }
  for (const { numbers, worth } of bonuses) {
    for (const number of numbers) if (number < nextNumber) scores[number] = (scores[number] as number) + worth;
  }
  if (only) for (let number = 0; number < nextNumber; number++) if (!only.has(number)) scores[number] = 0;
  if (dated) {
    const spans = dated.spans.map(({ from, to }) => ({ first: dayOf(from), last: dayOf(new Date(to.getTime() - 1)) }));
    for (let number = 0; number < nextNumber; number++) {
      if (scores[number] === 0) continue;
      const day = days[number] as number;
      if (spans.some(({ first, last }) => day >= first && day <= last))
        scores[number] = (scores[number] as number) + dated.worth;
    }
  }
  let read = 0;
  return best(scores, most).filter((number) => {
    const size = sizes[number] as number;
    read += size === 0 ? statistics.averageLength : (lengths[size] as number);
    return read <= words;
  });
}

/** Indexes of the highest positive scores, highest first: a bounded heap over one pass. */
function best(scores: Float32Array, most: number): number[] {
  const heap: number[] = [];
  const less = (a: number, b: number) =>
    (scores[a] as number) < (scores[b] as number) || (scores[a] === scores[b] && a < b);
  const sink = (from: number) => {
    let at = from;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && less(heap[left] as number, heap[least] as number)) least = left;
      if (right < heap.length && less(heap[right] as number, heap[least] as number)) least = right;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
      at = least;
    }
  };
  for (let number = 0; number < scores.length; number++) {
    if (scores[number] === 0) continue;
    if (heap.length < most) {
      heap.push(number);
      if (heap.length === most) for (let at = (most >> 1) - 1; at >= 0; at--) sink(at);
    } else if (less(heap[0] as number, number)) {
      heap[0] = number;
      sink(0);
    }
  }
  return heap.sort((a, b) => (less(a, b) ? 1 : -1));
}
