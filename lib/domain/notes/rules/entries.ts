import { type NoteType, noteTypes } from "../contract.ts";

/**
 * One entry of a term's postings, 6 bytes: the part's number (32 bits), how often the term stands in it (5 bits, more
 * counts as 31) with the note's type (3 bits), and the part's length on a logarithmic scale (8 bits, steps of 4 %).
 */
export const ENTRY = 6;

const MOST_OFTEN = 31;

export type Entry = { number: number; count: number; type: NoteType; length: number };

export function packEntries(entries: readonly Entry[]): Buffer {
  const buffer = Buffer.alloc(entries.length * ENTRY);
  for (const [index, { number, count, type, length }] of entries.entries()) {
    buffer.writeUInt32LE(number, index * ENTRY);
    buffer[index * ENTRY + 4] = Math.min(count, MOST_OFTEN) | (typeCode(type) << 5);
    buffer[index * ENTRY + 5] = lengthCode(length);
  }
  return buffer;
}

/** Drops the entries of some parts. */
export function withoutNumbers(entries: Buffer, numbers: ReadonlySet<number>): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at < entries.length; at += ENTRY) {
    if (!numbers.has(entries.readUInt32LE(at))) kept.push(entries.subarray(at, at + ENTRY));
  }
  return Buffer.concat(kept);
}

export const typeCode = (type: NoteType): number => noteTypes.indexOf(type);

const lengthCode = (length: number): number => Math.min(255, Math.round(16 * Math.log2(1 + length)));

/** The length of every code. */
export const lengths: Float64Array = Float64Array.from({ length: 256 }, (_, code) => 2 ** (code / 16) - 1);
