import type { Lexeme } from "./lexemes.ts";

/** The position of a sentence that is not part of the content: the title. */
export const NOWHERE = 0xffff_ffff;

/** A sentence ready to be packed: its content words in order, stop words left out. */
export type IndexedSentence = { start: number; lexemes: readonly Lexeme[] };

/** The words of a part in order, as ranking reads them. `ends[i]` is where sentence i ends in `hashes`. */
export type WordStream = { starts: Uint32Array; ends: Uint32Array; hashes: Uint32Array; marks: Uint8Array };

/**
 * Packs sentences: two counts, then where each sentence starts and ends, then 32 bits per word for its stem and 8 for
 * its form. Little-endian, as every platform Node runs on.
 */
export function packStream(sentences: readonly IndexedSentence[]): Buffer {
  const kept = sentences.filter(({ lexemes }) => lexemes.length > 0);
  const length = kept.reduce((sum, { lexemes }) => sum + lexemes.length, 0);
  const buffer = Buffer.alloc(8 + kept.length * 8 + length * 5);
  buffer.writeUInt32LE(kept.length, 0);
  buffer.writeUInt32LE(length, 4);
  const [endsAt, hashesAt] = [8 + kept.length * 4, 8 + kept.length * 8];
  let word = 0;
  for (const [index, { start, lexemes }] of kept.entries()) {
    for (const { hash, mark } of lexemes) {
      buffer.writeUInt32LE(hash, hashesAt + word * 4);
      buffer[hashesAt + length * 4 + word] = mark;
      word++;
    }
    buffer.writeUInt32LE(start, 8 + index * 4);
    buffer.writeUInt32LE(word, endsAt + index * 4);
  }
  return buffer;
}

/** The arrays are views of the packed bytes, which are copied only when they are not aligned. */
export function unpackStream(packed: Buffer): WordStream {
  const aligned = packed.byteOffset % 4 === 0 ? packed : Buffer.from(new Uint8Array(packed).buffer);
  const { buffer, byteOffset } = aligned;
  const header = new Uint32Array(buffer, byteOffset, 2);
  const [sentences = 0, length = 0] = header;
  const at = byteOffset + 8;
  return {
    starts: new Uint32Array(buffer, at, sentences),
    ends: new Uint32Array(buffer, at + sentences * 4, sentences),
    hashes: new Uint32Array(buffer, at + sentences * 8, length),
    marks: new Uint8Array(buffer, at + sentences * 8 + length * 4, length),
  };
}
