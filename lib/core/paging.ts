import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
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

export type Whose = { readonly workspaceId: string };

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

export const refusal = () =>
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

const sealing = (workspaceId: string): string => `cursors\n${workspaceId}`;

/** Workspaces whose keys are cached: deriving and preparing a key takes longer than sealing a position. */
const MOST_KEYS = 10_000;
const derived = new WeakMap<Buffer, LRUCache<string, KeyObject>>();

/** A key for the cursors of one workspace; the installation's own key encrypts nothing but credentials. */
export function keyOf(key: Buffer, purpose: string): KeyObject {
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
