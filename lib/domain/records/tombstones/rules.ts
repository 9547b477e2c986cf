import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The outside name of a person, normalised. */
export type Identifier = { kind: string; value: string };

/**
 * What is kept of an identifier of an erased person: no one without the key can tell whose it is, or compare workspaces
 * by it.
 */
export const tombstoneOf = ({ key }: { key: Buffer }, workspaceId: string, { kind, value }: Identifier): Buffer =>
  createHmac("sha256", objectOf(key))
    .update(JSON.stringify(["tombstone", workspaceId, kind, value]))
    .digest();

const objects = new WeakMap<Buffer, KeyObject>();

/** Making one takes longer than hashing with it. */
function objectOf(key: Buffer): KeyObject {
  const keyObject = objects.get(key) ?? createSecretKey(key);
  objects.set(key, keyObject);
  return keyObject;
}
