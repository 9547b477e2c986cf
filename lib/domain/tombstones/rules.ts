import { createHmac } from "node:crypto";

/** The outside name of a person, normalised. */
export type Identifier = { kind: string; value: string };

/**
 * What is kept of an identifier of an erased person: nobody without the key can tell whose it is, or compare workspaces
 * by it.
 */
export const tombstoneOf = ({ key }: { key: Buffer }, workspaceId: string, { kind, value }: Identifier): Buffer =>
  createHmac("sha256", key)
    .update(JSON.stringify(["tombstone", workspaceId, kind, value]))
    .digest();
