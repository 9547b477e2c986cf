import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type Decipheriv,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { currentKey, getBoot } from "#lib/settings/boot.ts";
import { Fault } from "./errors.ts";

/** One part of a keyset position. */
type Part = string | number | null;

export type Cursors<P extends readonly Part[]> = {
  /** The position as opaque text. */
  encode(ctx: Whose, position: P): string;
  /** Throws 400 `invalid_parameter` for a cursor that this list did not give out in this workspace. */
  decode(ctx: Whose, cursor: string): P;
};

type Whose = { readonly workspaceId: string };

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;
/**
 * Positions are padded to a multiple of this, so that a cursor's length does not reveal how many digits a number has.
 */
const BLOCK = 64;

/**
 * Cursors of one list whose positions reveal nothing but what its rows show: times, ids, scores. They are bound to the
 * list. `list` is the name of the operation; `position` checks the parts of a cursor that another version of the list
 * may have given out.
 */
export const cursorsOf = <P extends readonly Part[]>(list: string, position: z.ZodType<P>): Cursors<P> => ({
  encode: (_ctx, parts) => Buffer.from(JSON.stringify([list, ...parts])).toString("base64url"),
  decode(_ctx, cursor) {
    const [madeBy, ...parts] = partsOf(cursor);
    const read = madeBy === list ? position.safeParse(parts) : undefined;
    if (!read?.success) throw refusal();
    return read.data;
  },
});

/**
 * A page of a list of which one row more was read than it has, and what the page says of itself. `placeOf`: where a row
 * is in the list.
 */
export function pageOf<Row, P extends readonly Part[]>(
  ctx: Whose,
  { encode }: Pick<Cursors<P>, "encode">,
  { rows, limit }: { rows: readonly Row[]; limit: number },
  placeOf: (row: Row) => P,
): { shown: Row[]; next: { has_more: boolean; next_cursor: string | null } } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    shown,
    next: last ? { has_more: true, next_cursor: encode(ctx, placeOf(last)) } : { has_more: false, next_cursor: null },
  };
}

/** The parsed text; undefined when it is not a cursor. */
function partsOf(cursor: string): unknown[] {
  try {
    const text = Buffer.from(cursor, "base64url");
    const parts = text.toString("base64url") === cursor ? (JSON.parse(text.toString()) as unknown) : null;
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

const refusal = () =>
  new Fault("invalid_parameter", { parameter: "cursor" }, "cursor is not one this endpoint returned.");

/**
 * As `cursorsOf`, for positions that hold numbers of the whole installation, which would reveal to a tenant how active
 * the others are: encrypted with a key of the workspace. That costs 25 microseconds, a tenth of a page of people.
 */
export const sealedCursorsOf = <P extends readonly Part[]>(list: string, position: z.ZodType<P>): Cursors<P> => ({
  encode({ workspaceId }, parts) {
    const text = Buffer.from(JSON.stringify(parts));
    const padded = Buffer.alloc(Math.ceil(text.length / BLOCK) * BLOCK, " ");
    text.copy(padded);
    const nonce = nextNonce();
    const cipher = createCipheriv(CIPHER, keyOf(currentKey().key, sealing(workspaceId)), nonce).setAAD(
      Buffer.from(list),
    );
    return Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]).toString("base64url");
  },
  decode({ workspaceId }, cursor) {
    const sealed = Buffer.from(cursor, "base64url");
    if (sealed.toString("base64url") === cursor) {
      for (const { key } of getBoot().secrets.encryptionKeys) {
        const read = position.safeParse(open(keyOf(key, sealing(workspaceId)), list, sealed));
        if (read.success) return read.data;
      }
    }
    throw refusal();
  },
});

/** A place in an order of the whole installation: two whole numbers. */
export type RowPlace = readonly [number, number];

export type RowCursors = {
  encode(ctx: Whose, places: readonly RowPlace[]): string[];
  /** Throws 400 `invalid_parameter` for what this list did not give out in this workspace. */
  decode(ctx: Whose, cursor: string): RowPlace;
};

const BLOCK_CIPHER = "aes-256-ecb";
const BLOCK_BYTES = 16;
/** A block with two bytes of zero in base64: the characters after the used ones hold nothing of it. */
const SPREAD = { bytes: 18, characters: 24, used: 22 };
/** Numbers have 48 bits, of which half stand for those below zero. The rest of the block is zero, which proves it is ours. */
const BITS = { bytes: 6, zero: 2 ** 47 };

/**
 * As `sealedCursorsOf`, for a list that gives a cursor with every row. A place is one block of the cipher, with a key of its
 * own for each list and workspace, so a page is encrypted in one call: a tenth of a microsecond a row. Two cursors are the
 * same when their places are, and say nothing else: what is wrong with ECB, equal blocks within a text, cannot be where a text is one block.
 */
export const rowCursorsOf = (list: string): RowCursors => ({
  encode({ workspaceId }, places) {
    const blocks = Buffer.alloc(places.length * BLOCK_BYTES);
    let at = 0;
    for (const [first, second] of places) {
      blocks.writeUIntBE(first + BITS.zero, at, BITS.bytes);
      blocks.writeUIntBE(second + BITS.zero, at + BITS.bytes, BITS.bytes);
      at += BLOCK_BYTES;
    }
    const key = keyOf(currentKey().key, ofRows(list, workspaceId));
    const sealed = cipherOf(key).update(blocks);
    // Spread so that each begins at a whole character, all are made text at once.
    const spread = Buffer.alloc(places.length * SPREAD.bytes);
    for (let index = 0; index < places.length; index++)
      sealed.copy(spread, index * SPREAD.bytes, index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES);
    const text = spread.toString("base64url");
    return places.map((_, index) => text.slice(index * SPREAD.characters, index * SPREAD.characters + SPREAD.used));
  },
  decode({ workspaceId }, cursor) {
    const sealed = Buffer.from(cursor, "base64url");
    if (sealed.length === BLOCK_BYTES && sealed.toString("base64url") === cursor) {
      for (const { key } of getBoot().secrets.encryptionKeys) {
        const block = decipherOf(keyOf(key, ofRows(list, workspaceId))).update(sealed);
        if (block.readUInt32BE(2 * BITS.bytes) !== 0) continue;
        return [block.readUIntBE(0, BITS.bytes) - BITS.zero, block.readUIntBE(BITS.bytes, BITS.bytes) - BITS.zero];
      }
    }
    throw refusal();
  },
});

/** Made once for a key, which takes longer than a page: without chaining and padding, nothing is kept of a block. */
const cipherOf = onceFor((key): Cipheriv => createCipheriv(BLOCK_CIPHER, key, null).setAutoPadding(false));
const decipherOf = onceFor((key): Decipheriv => createDecipheriv(BLOCK_CIPHER, key, null).setAutoPadding(false));

function onceFor<T>(make: (key: KeyObject) => T): (key: KeyObject) => T {
  const made = new WeakMap<KeyObject, T>();
  return (key) => {
    let sealingKey = made.get(key);
    if (sealingKey === undefined) {
      sealingKey = make(key);
      made.set(key, sealingKey);
    }
    return sealingKey;
  };
}

const sealing = (workspaceId: string): string => `cursors\n${workspaceId}`;
const ofRows = (list: string, workspaceId: string): string => `cursors of rows\n${list}\n${workspaceId}`;

/** Workspaces whose keys are cached: deriving and preparing a key takes longer than sealing a position. */
const MOST_KEYS = 10_000;
const derived = new WeakMap<Buffer, LRUCache<string, KeyObject>>();

/** A key for the cursors of one workspace; the installation's own key encrypts nothing but credentials. */
function keyOf(key: Buffer, purpose: string): KeyObject {
  let derivedKey = derived.get(key);
  if (!derivedKey) {
    derivedKey = new LRUCache({ max: MOST_KEYS });
    derived.set(key, derivedKey);
  }
  let own = derivedKey.get(purpose);
  if (!own) {
    own = createSecretKey(createHmac("sha256", key).update(purpose).digest());
    derivedKey.set(purpose, own);
  }
  return own;
}

/** Random bytes are drawn by the thousand: each call costs as much as sealing a position. */
let random: Buffer = Buffer.alloc(0);
let used = 0;

function nextNonce(): Buffer {
  if (used + NONCE > random.length) {
    random = randomBytes(NONCE * 512);
    used = 0;
  }
  used += NONCE;
  return random.subarray(used - NONCE, used);
}

/** Undefined when the text was not sealed with this key for this list. */
function open(key: KeyObject, list: string, sealed: Buffer): unknown {
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), { authTagLength: TAG })
      .setAAD(Buffer.from(list))
      .setAuthTag(sealed.subarray(-TAG));
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
    return JSON.parse(text.toString()) as unknown;
  } catch {
    return undefined;
  }
}
