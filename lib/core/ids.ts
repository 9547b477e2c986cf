import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const ID_BYTES = 16;

/** Random bytes are drawn for 256 ids at once: the system call is what costs, not the bytes. */
const drawn = new Uint8Array(256 * ID_BYTES);
let used = drawn.length;

function randomBytes(): Uint8Array {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += ID_BYTES;
  return drawn.subarray(used - ID_BYTES, used);
}

let msecs = 0;
let seq = 0;

/** A new UUID v7: ordered by creation time within one process, also within one millisecond (RFC 9562, 6.2 method 1). */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    seq = new DataView(random.buffer, random.byteOffset).getUint32(6) & 0x7fffffff; // room to count up in
  } else if (++seq > 0xffffffff) {
    msecs++;
    seq = 0;
  }
  return v7({ random, msecs, seq });
}

/** 16 bytes as a UUID. */
export const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for every UUID Postgres takes, whatever its version: a caller may choose a fact's id. */
export const isUuid = (value: string): boolean => UUID.test(value);

declare const workspaceBrand: unique symbol;

/** The id of a workspace the caller has been authorised for. Only `lib/auth` mints one. */
export type WorkspaceId = string & { readonly [workspaceBrand]: true };
