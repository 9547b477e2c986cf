import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

/** Bytes of the authentication tag; a shorter one is refused. */
const TAG = 16;

export type EncryptionKey = { id: string; key: Buffer };

/** Made once a key: making one costs more than sealing a mail with it. */
const keyObjects = new WeakMap<Buffer, KeyObject>();
function keyObjectOf({ key }: EncryptionKey): KeyObject {
  const known = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, known);
  return known;
}

/**
 * AES-256-GCM with the key's id in the value: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. `purpose` is bound
 * as additional data, so a value copied into another column or row does not decrypt.
 */
export function encrypt(keys: readonly EncryptionKey[], purpose: string, clear: string): string {
  const [current] = keys;
  if (!current) throw new Error("no encryption key is configured");
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyObjectOf(current), nonce);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(clear, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${current.id}.${nonce.toString("base64url")}.${sealed.toString("base64url")}`;
}

/**
 * Decrypts a value that `encrypt` sealed with any of `keys`; throws when the key is gone, the purpose differs or a byte
 * changed.
 */
export function decrypt(keys: readonly EncryptionKey[], purpose: string, value: string): string {
  const [version, id, nonce, sealed] = value.split(".");
  if (version !== "v1" || !id || !nonce || !sealed) throw new Error("not an encrypted value");
  const key = keys.find((candidate) => candidate.id === id);
  if (!key) throw new Error(`encryption key ${id} is not configured`);
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", keyObjectOf(key), Buffer.from(nonce, "base64url"), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(bytes.subarray(-TAG));
  return decipher.update(bytes.subarray(0, -TAG), undefined, "utf8") + decipher.final("utf8");
}

/** The id of the key a value was sealed with. */
export const keyIdOf = (value: string): string | undefined => value.split(".")[1];
