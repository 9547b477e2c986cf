import { DAY_MS } from "#lib/text/time.ts";
import { type NoteType, noteTypes } from "../contract.ts";

/**
 * One entry of a term's postings, 8 bytes: the part's number (32 bits), the note's day (16 bits), how often the term
 * occurs in it (5 bits, more counts as 31) with the note's type (3 bits), and the part's length on a logarithmic scale
 * (8 bits, steps of 4 %).
 */
export const ENTRY = 8;

const MOST_OFTEN = 31;

export type Entry = { number: number; date: Date; count: number; type: NoteType; length: number };

export function packEntries(entries: readonly Entry[]): Buffer {
  const buffer = Buffer.alloc(entries.length * ENTRY);
  for (const [index, { number, date, count, type, length }] of entries.entries()) {
    buffer.writeUInt32LE(number, index * ENTRY);
    buffer.writeUInt16LE(dayOf(date), index * ENTRY + 4);
    buffer[index * ENTRY + 6] = Math.min(count, MOST_OFTEN) | (typeCode(type) << 5);
    buffer[index * ENTRY + 7] = lengthCode(length);
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

const LAST_DAY = 0xffff;

/** Days since 1970, UTC, kept between 1970 and 2149. */
export const dayOf = (date: Date): number => Math.min(LAST_DAY, Math.max(0, Math.floor(date.getTime() / DAY_MS)));

export const typeCode = (type: NoteType): number => noteTypes.indexOf(type);

const lengthCode = (length: number): number => Math.min(255, Math.round(16 * Math.log2(1 + length)));

/** The length that each code means. */
export const lengths: Float64Array = Float64Array.from({ length: 256 }, (_, code) => 2 ** (code / 16) - 1);
