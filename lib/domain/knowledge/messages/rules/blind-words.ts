import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { EncryptionKey } from "#lib/settings/boot.ts";

/** Those who see words: a member, or everyone in the workspace. */
export type Audience = string;
export const EVERYBODY: Audience = "workspace";

/**
 * Hashes words for one audience of one workspace: the index of mail holds nothing else, so that it says nothing without the key, and a
 * word that someone may not see is another word for them. Eight bytes, as the database's bigint.
 */
export function blinder({ key }: EncryptionKey, workspaceId: string, audience: Audience): (word: string) => string {
  const own: KeyObject = createSecretKey(
    createHmac("sha256", key).update(`words of mail\n${workspaceId}\n${audience}`).digest(),
  );
  return (word) => createHmac("sha256", own).update(word).digest().readBigInt64BE().toString();
}
