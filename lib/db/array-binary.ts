import { isoText } from "./array-text.ts";

/** Writes the elements of an array behind its head into `work`, and returns where they end. */
type WriteAll = (values: readonly unknown[]) => number;

/** Writes an element at this place of `work` and returns its bytes. */
type Write = (value: unknown, at: number) => number;

/** What both return for what only the array's text can say. */
const UNSAID = -1;

const isNull = (value: unknown): value is null | undefined => value === null || value === undefined;

/** An array's head: dimensions, a flag for nulls, the type, the length and the first place, 4 bytes each. */
const HEAD = 20;
const FLAG = 7;

const ROOM = 65_536;

/** `utf8Write` is what `write` calls once it has looked at its arguments, which for short texts takes as long as writing. */
type Work = Buffer & { utf8Write(text: string, at: number, most?: number): number };

const newWork = (bytes: number): Work => Buffer.allocUnsafeSlow(bytes) as Work;

/** Where arrays are written, for as long as the call lasts; an array gets a buffer of its size, because it waits to be sent. */
let work = newWork(ROOM);

/** Makes `work` reach this far. */
function reach(end: number): void {
  if (end <= work.length) return;
  const longer = newWork(Math.max(end, 2 * work.length));
  work.copy(longer);
  work = longer;
}

function writeInt32(value: number, at: number): number {
  work[at] = value >>> 24;
  work[at + 1] = value >>> 16;
  work[at + 2] = value >>> 8;
  work[at + 3] = value;
  return 4;
}

/** Of a whole number that is exact. */
function writeInt64(value: number, at: number): number {
  const high = Math.floor(value / 2 ** 32);
  writeInt32(high, at);
  writeInt32(value - high * 2 ** 32, at + 4);
  return 8;
}

/** In the place of an element's length; the head says that there are nulls. */
function writeNull(at: number): number {
  work[FLAG] = 1;
  return writeInt32(-1, at);
}

/** Writes each element behind its length. */
const each =
  (write: Write): WriteAll =>
  (values) => {
    let end = HEAD;
    for (let place = 0; place < values.length; place++) {
      const value = values[place];
      reach(end + 4);
      if (isNull(value)) {
        end += writeNull(end);
      } else {
        const bytes = write(value, end + 4);
        if (bytes === UNSAID) return UNSAID;
        end += writeInt32(bytes, end) + bytes;
      }
    }
    return end;
  };

function writeString(text: string, at: number): number {
  reach(at + 3 * text.length);
  return work.utf8Write(text, at);
}

function writeText(value: unknown, at: number): number {
  switch (typeof value) {
    case "string":
      return writeString(value, at);
    case "number":
    case "boolean":
    case "bigint":
      return writeString(String(value), at);
    default: {
      const time = value instanceof Date ? isoText(value) : null;
      return time === null ? UNSAID : writeString(time, at);
    }
  }
}

const JSONB_VERSION = 1;

function writeJsonb(value: unknown, at: number): number {
  if (typeof value !== "string") return UNSAID;
  const bytes = 1 + writeString(value, at + 1);
  work[at] = JSONB_VERSION;
  return bytes;
}

const UUID_TEXT = 36;
const UUID_BYTES = 16;
const DASH = 45;

/** More than a byte: marks what is no hexadecimal digit. */
const NO_DIGIT = 256;

/** A digit's value by its character, as the first and as the second one of a byte. */
const first = new Uint16Array(256).fill(NO_DIGIT);
const second = new Uint16Array(256).fill(NO_DIGIT);
for (const digits of ["0123456789abcdef", "0123456789ABCDEF"])
  for (const [value, digit] of [...digits].entries()) {
    first[digit.charCodeAt(0)] = value << 4;
    second[digit.charCodeAt(0)] = value;
  }

/** Writes the byte of two digits; the answer has the bit `NO_DIGIT` when one is none. */
function writeByte(bytes: Buffer, at: number, digits: number): number {
  const byte = (first[bytes[digits] as number] as number) | (second[bytes[digits + 1] as number] as number);
  bytes[at] = byte;
  return byte;
}

/** Turns the digits of a UUID into bytes, at most up to where the digits begin. A loop takes half as long again. */
const writeUuid = (bytes: Buffer, at: number, from: number): number =>
  writeByte(bytes, at, from) |
  writeByte(bytes, at + 1, from + 2) |
  writeByte(bytes, at + 2, from + 4) |
  writeByte(bytes, at + 3, from + 6) |
  writeByte(bytes, at + 4, from + 9) |
  writeByte(bytes, at + 5, from + 11) |
  writeByte(bytes, at + 6, from + 14) |
  writeByte(bytes, at + 7, from + 16) |
  writeByte(bytes, at + 8, from + 19) |
  writeByte(bytes, at + 9, from + 21) |
  writeByte(bytes, at + 10, from + 24) |
  writeByte(bytes, at + 11, from + 26) |
  writeByte(bytes, at + 12, from + 28) |
  writeByte(bytes, at + 13, from + 30) |
  writeByte(bytes, at + 14, from + 32) |
  writeByte(bytes, at + 15, from + 34);

const isDashed = (bytes: Buffer, from: number): boolean =>
  bytes[from + 8] === DASH && bytes[from + 13] === DASH && bytes[from + 18] === DASH && bytes[from + 23] === DASH;

/** All as one text; null when one has not the usual length. */
function joined(values: readonly unknown[]): string | null {
  let text = "";
  for (let place = 0; place < values.length; place++) {
    const value = values[place];
    if (isNull(value)) continue;
    if (typeof value !== "string" || value.length !== UUID_TEXT) return null;
    text += value;
  }
  return text;
}

/** UUIDs of the usual form. They are so short that it pays to write the text of all at once, behind the place of the array. */
function writeUuids(values: readonly unknown[]): number {
  const text = joined(values);
  if (text === null) return UNSAID;
  let at = HEAD;
  let from = HEAD + (4 + UUID_BYTES) * values.length;
  reach(from + text.length);
  const bytes = work;
  if (bytes.utf8Write(text, from) !== text.length) return UNSAID;
  let all = 0;
  for (let place = 0; place < values.length; place++) {
    if (isNull(values[place])) {
      at += writeNull(at);
    } else {
      if (!isDashed(bytes, from)) return UNSAID;
      writeInt32(UUID_BYTES, at);
      all |= writeUuid(bytes, at + 4, from);
      at += 4 + UUID_BYTES;
      from += UUID_TEXT;
    }
  }
  return all < NO_DIGIT ? at : UNSAID;
}

function writeInt(value: unknown, at: number): number {
  if (typeof value !== "number" || (value | 0) !== value) return UNSAID;
  reach(at + 4);
  return writeInt32(value, at);
}

function writeBigint(value: unknown, at: number): number {
  if (!Number.isSafeInteger(value)) return UNSAID;
  reach(at + 8);
  return writeInt64(value as number, at);
}

function writeFloat(value: unknown, at: number): number {
  if (typeof value !== "number") return UNSAID;
  reach(at + 8);
  work.writeDoubleBE(value + 0, at); // its text has no negative zero
  return 8;
}

function writeBool(value: unknown, at: number): number {
  if (typeof value !== "boolean") return UNSAID;
  reach(at + 1);
  work[at] = value ? 1 : 0;
  return 1;
}

/** Where Postgres' time begins. */
const BEGINNING = Date.UTC(2000, 0, 1);

/** The years 1715 to 2285: their microseconds are exact. */
function writeTime(value: unknown, at: number): number {
  return value instanceof Date ? writeBigint((value.getTime() - BEGINNING) * 1000, at) : UNSAID;
}

function writeBytes(value: unknown, at: number): number {
  if (!(value instanceof Uint8Array)) return UNSAID;
  reach(at + value.length);
  work.set(value, at);
  return value.length;
}

/** How arrays of a type are written, by the name that statements use, and its number in every database. */
const types = new Map<string, { oid: number; writeAll: WriteAll }>([
  ["bigint", { oid: 20, writeAll: each(writeBigint) }],
  ["bool", { oid: 16, writeAll: each(writeBool) }],
  ["bytea", { oid: 17, writeAll: each(writeBytes) }],
  ["float8", { oid: 701, writeAll: each(writeFloat) }],
  ["int", { oid: 23, writeAll: each(writeInt) }],
  ["jsonb", { oid: 3802, writeAll: each(writeJsonb) }],
  ["text", { oid: 25, writeAll: each(writeText) }],
  ["timestamptz", { oid: 1184, writeAll: each(writeTime) }],
  ["uuid", { oid: 2950, writeAll: writeUuids }],
]);

/**
 * An array as Postgres receives it in binary, for a parameter that is an array of `type`. Null when the type has no such form
 * here, or an element is not what the type usually has: the array's text then says it, or what is wrong with it.
 */
export function arrayBinary(type: string, values: readonly unknown[]): Buffer | null {
  const known = types.get(type);
  if (known === undefined || values.length === 0) return null;
  writeInt32(1, 0);
  writeInt32(0, 4);
  writeInt32(known.oid, 8);
  writeInt32(values.length, 12);
  writeInt32(1, 16);
  const end = known.writeAll(values);
  return end === UNSAID ? null : taken(end);
}

/** So many bytes of `work`, which does not stay large. */
function taken(end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end);
  work.copy(bytes, 0, 0, end);
  if (work.length > 16 * ROOM) work = newWork(ROOM);
  return bytes;
}
