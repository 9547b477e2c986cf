import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { z } from "zod";
import { getBoot } from "./boot.ts";
import { Fault } from "./errors.ts";

/** What a keyset position is made of. */
type Part = string | number | null;

export type Cursors<P extends readonly Part[]> = {
  /** The position as text that tells its reader nothing. */
  encode(ctx: Whose, position: P): string;
  /** Throws 400 `invalid_parameter` for what this list did not give out in this workspace. */
  decode(ctx: Whose, cursor: string): P;
};

type Whose = { readonly workspaceId: string };

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;
/** Positions are padded to a multiple of this, so that a cursor's length does not tell how many digits a number has. */
const BLOCK = 64;

/**
 * Cursors of one list. A position may hold numbers of the whole installation, so it is encrypted with a key of the
 * workspace and bound to the list: a cursor that was changed, or taken from elsewhere, is refused. `list` is the name of the
 * operation; `position` checks the parts of a cursor that another version of the list may have given out.
 */
export const cursorsOf = <P extends readonly Part[]>(list: string, position: z.ZodType<P>): Cursors<P> => ({
  encode({ workspaceId }, parts) {
    const [current] = getBoot().secrets.encryptionKeys;
    if (!current) throw new Error("no encryption key is configured");
    const text = Buffer.from(JSON.stringify(parts));
    const padded = Buffer.alloc(Math.ceil(text.length / BLOCK) * BLOCK, " ");
    text.copy(padded);
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, keyOf(current.key, workspaceId), nonce).setAAD(Buffer.from(list));
    return Buffer.concat([nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]).toString("base64url");
  },
  decode({ workspaceId }, cursor) {
    const sealed = Buffer.from(cursor, "base64url");
    if (sealed.length > NONCE + TAG && sealed.toString("base64url") === cursor) {
      for (const { key } of getBoot().secrets.encryptionKeys) {
        const parts = open(keyOf(key, workspaceId), list, sealed);
        const read = parts === undefined ? undefined : position.safeParse(parts);
        if (read?.success) return read.data;
      }
    }
    throw new Fault("invalid_parameter", { parameter: "cursor" }, "cursor is not one this endpoint returned.");
  },
});

/** A key for the cursors of one workspace; the installation's own key encrypts nothing but credentials. */
const keyOf = (key: Buffer, workspaceId: string): Buffer =>
  createHmac("sha256", key).update(`cursors\n${workspaceId}`).digest();

/** Undefined when it was not sealed with this key for this list. */
function open(key: Buffer, list: string, sealed: Buffer): unknown {
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
