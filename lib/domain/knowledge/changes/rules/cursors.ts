import { type Cipheriv, createCipheriv, type KeyObject, timingSafeEqual } from "node:crypto";
import { keyOf, refusal, type Whose } from "#lib/core/paging.ts";
import { currentKey, getBoot } from "#lib/settings/boot.ts";

/** A place in an order of the whole installation: two whole numbers. */
export type RowPlace = readonly [number, number];

export type RowCursors = {
  encode(ctx: Whose, places: readonly RowPlace[]): string[];
  /** Throws 400 `invalid_parameter` for what this list did not give out in this workspace. */
  decode(ctx: Whose, cursor: string): RowPlace;
};

/** One block of AES; `RowKeys` says what it is for. */
const BLOCK_CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** Numbers have 48 bits, of which half stand for those below zero. */
const BITS = { bytes: 6, zero: 2 ** 47 };
const PLACE_BYTES = 2 * BITS.bytes;
const ROW_BYTES = BLOCK_BYTES + PLACE_BYTES;
/** A cursor with two bytes of zero in base64: the characters after the used ones hold nothing of it. */
const SPREAD = { bytes: 30, characters: 40, used: 38 };

/**
 * As `sealedCursorsOf`, for a list that gives a cursor with every row: AES-SIV (RFC 5297), which needs no nonce, with a key of its own for each
 * list and workspace. A place is less than one block, so a page takes two calls of the cipher for all of its rows: half a microsecond a row.
 * Two cursors are the same when their places are, and say nothing else.
 */
export const rowCursorsOf = (list: string): RowCursors => ({
  encode({ workspaceId }, places) {
    const keys = rowKeysOf(currentKey().key, ofRows(list, workspaceId));
    const blocks = Buffer.alloc(places.length * BLOCK_BYTES);
    let at = 0;
    for (const [first, second] of places) {
      blocks.writeUIntBE(first + BITS.zero, at, BITS.bytes);
      blocks.writeUIntBE(second + BITS.zero, at + BITS.bytes, BITS.bytes);
      at += BLOCK_BYTES;
    }
    const proofs = proofsOf(keys, blocks);
    const stream = streamOf(keys, proofs);
    // Spread so that each begins at a whole character, all are made text at once.
    const spread = Buffer.alloc(places.length * SPREAD.bytes);
    for (let row = 0; row < places.length; row++) {
      const [from, to] = [row * BLOCK_BYTES, row * SPREAD.bytes];
      proofs.copy(spread, to, from, from + BLOCK_BYTES);
      for (let byte = 0; byte < PLACE_BYTES; byte++)
        spread[to + BLOCK_BYTES + byte] = (blocks[from + byte] as number) ^ (stream[from + byte] as number);
    }
    const text = spread.toString("base64url");
    return places.map((_, row) => text.slice(row * SPREAD.characters, row * SPREAD.characters + SPREAD.used));
  },
  decode({ workspaceId }, cursor) {
    const sealed = Buffer.from(cursor, "base64url");
    if (sealed.length === ROW_BYTES && sealed.toString("base64url") === cursor) {
      const proof = sealed.subarray(0, BLOCK_BYTES);
      for (const { key } of getBoot().secrets.encryptionKeys) {
        const keys = rowKeysOf(key, ofRows(list, workspaceId));
        const stream = streamOf(keys, proof);
        const block = Buffer.alloc(BLOCK_BYTES);
        for (let byte = 0; byte < PLACE_BYTES; byte++)
          block[byte] = (sealed[BLOCK_BYTES + byte] as number) ^ (stream[byte] as number);
        if (!timingSafeEqual(proofsOf(keys, block), proof)) continue;
        return [block.readUIntBE(0, BITS.bytes) - BITS.zero, block.readUIntBE(BITS.bytes, BITS.bytes) - BITS.zero];
      }
    }
    throw refusal();
  },
});

/** `proving` makes the CMAC of a place, `hiding` the stream that hides it; `mask` is all that CMAC adds to a text of one block that is not whole. */
type RowKeys = { proving: Cipheriv; hiding: Cipheriv; mask: Buffer };

const rowKeys = new WeakMap<KeyObject, RowKeys>();

/** Made once for a key, which takes longer than a page: nothing of a block is kept for the next. */
function rowKeysOf(key: Buffer, purpose: string): RowKeys {
  const own = keyOf(key, purpose);
  let keys = rowKeys.get(own);
  if (!keys) {
    const cipher = (of: KeyObject) => createCipheriv(BLOCK_CIPHER, of, null).setAutoPadding(false);
    const proving = cipher(own);
    const subkey = doubled(proving.update(Buffer.alloc(BLOCK_BYTES)));
    const mask = xored(doubled(proving.update(subkey)), subkey);
    mask[PLACE_BYTES] = (mask[PLACE_BYTES] as number) ^ 0x80; // the mark that ends a text in its block
    keys = { proving, hiding: cipher(keyOf(key, `${purpose}\nhiding`)), mask };
    rowKeys.set(own, keys);
  }
  return keys;
}

/** S2V of each block (RFC 5297, 2.4): places with zeros behind them. */
const proofsOf = ({ proving, mask }: RowKeys, blocks: Buffer): Buffer => proving.update(xored(blocks, mask));

/** What hides the place of each proof (RFC 5297, 2.5). */
function streamOf({ hiding }: RowKeys, proofs: Buffer): Buffer {
  const counters = Buffer.from(proofs);
  for (let at = 0; at < counters.length; at += BLOCK_BYTES) {
    counters[at + 8] = (counters[at + 8] as number) & 0x7f;
    counters[at + 12] = (counters[at + 12] as number) & 0x7f;
  }
  return hiding.update(counters);
}

/** Each block with `mask`. */
function xored(blocks: Buffer, mask: Buffer): Buffer {
  const result = Buffer.allocUnsafe(blocks.length);
  for (let at = 0; at < blocks.length; at++) result[at] = (blocks[at] as number) ^ (mask[at % BLOCK_BYTES] as number);
  return result;
}

/** A block times two in GF(2^128). */
function doubled(block: Buffer): Buffer {
  const result = Buffer.from(block.map((byte, at) => (byte << 1) | ((block[at + 1] ?? 0) >> 7)));
  if ((block[0] as number) & 0x80) result[BLOCK_BYTES - 1] = (result[BLOCK_BYTES - 1] as number) ^ 0x87;
  return result;
}

const ofRows = (list: string, workspaceId: string): string => `cursors of rows\n${list}\n${workspaceId}`;
