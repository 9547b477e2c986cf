import { createHash, createHmac, hash, randomInt } from "node:crypto";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORMAT = /^rpt_([0-9A-Za-z]{6})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

const randomBase62 = (length: number): string => Array.from({ length }, () => BASE62[randomInt(62)]).join("");

/** Six base62 digits of the SHA-256: distinguishes a mistyped key from an unknown one without a look-up. */
function checksum(text: string): string {
  let value = createHash("sha256").update(text).digest().readUIntBE(0, 6);
  let digits = "";
  for (let place = 0; place < 6; place++) {
    digits = BASE62[value % 62] + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

export const sha256 = (text: string): Buffer<ArrayBuffer> => hash("sha256", text, "buffer") as Buffer<ArrayBuffer>;

export type MintedKey = { key: string; prefix: string; lastFour: string; hash: Buffer<ArrayBuffer> };

/** A new API key: `rpt_` + 6 public characters + `_` + 32 random base62 characters (190 bits) + 6 of checksum. */
export function mintKey(): MintedKey {
  const prefix = randomBase62(6);
  const secret = randomBase62(32);
  const key = `rpt_${prefix}_${secret}${checksum(`${prefix}_${secret}`)}`;
  return { key, prefix, lastFour: key.slice(-4), hash: sha256(key) };
}

/** True when `text` has the form and checksum of an API key. */
export function isWellFormedKey(text: string): boolean {
  const parts = FORMAT.exec(text);
  return parts !== null && checksum(`${parts[1]}_${parts[2]}`) === parts[3];
}

/** A one-time link token (invitation, password reset): 32 base62 characters; only its hash is stored. */
export function mintLinkToken(): { token: string; hash: Buffer<ArrayBuffer> } {
  const token = randomBase62(32);
  return { token, hash: sha256(token) };
}

/** What a secret of OAuth begins with. */
const prefixes = { access: "rpa", refresh: "rpr", code: "rpc", client: "rps" } as const;
export type SecretKind = keyof typeof prefixes;

/** A secret of OAuth: its prefix, 32 random base62 characters and 6 of checksum; only its hash is stored. */
export function mintSecret(kind: SecretKind): { secret: string; hash: Buffer<ArrayBuffer> } {
  const random = randomBase62(32);
  const secret = `${prefixes[kind]}_${random}${checksum(`${prefixes[kind]}_${random}`)}`;
  return { secret, hash: sha256(secret) };
}

/** True when `text` has the form and checksum of such a secret. */
export function isWellFormedSecret(text: string, kind: SecretKind): boolean {
  const prefix = prefixes[kind];
  const parts = /^([a-z]{3})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text);
  return parts !== null && parts[1] === prefix && checksum(`${prefix}_${parts[2]}`) === parts[3];
}
/** Letters that are not confused with each other or with digits, and spell no words. */
const CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LETTERS = 8;
const RECOVERY_CODE_LETTERS = 12;

const inFours = (letters: string): string => letters.match(/.{4}/g)?.join("-") ?? "";

const mintCode = (length: number): string =>
  inFours(Array.from({ length }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join(""));

/** A code as it was minted: case, dashes and spaces do not matter. Null for what is not one of so many letters. */
function readCode(text: string, length: number): string | null {
  const letters = text.replaceAll(/[\s\p{Dash}]/gu, "").toUpperCase();
  return letters.length === length && [...letters].every((letter) => CONSONANTS.includes(letter))
    ? inFours(letters)
    : null;
}

/** A code that a person reads off one screen and compares or types on another: 8 letters, as XXXX-XXXX. */
export const mintUserCode = (): string => mintCode(USER_CODE_LETTERS);

export const readUserCode = (text: string): string | null => readCode(text, USER_CODE_LETTERS);

/** Such a code is short enough to be found from its plain hash; this one needs the server's secret too. */
export const userCodeHash = (code: string, secret: string): Buffer<ArrayBuffer> =>
  createHmac("sha256", secret).update(`user code ${code}`).digest() as Buffer<ArrayBuffer>;

/** A code to write down, for someone who loses their phone: 12 letters (20^12, 51 bits), as XXXX-XXXX-XXXX. */
export const mintRecoveryCode = (): string => mintCode(RECOVERY_CODE_LETTERS);

export const readRecoveryCode = (text: string): string | null => readCode(text, RECOVERY_CODE_LETTERS);

/** With the server's secret, as of a user code. What is stored is made of this by `slowHash`. */
export const recoveryCodeHash = (code: string, secret: string): Buffer<ArrayBuffer> =>
  createHmac("sha256", secret).update(`recovery code ${code}`).digest() as Buffer<ArrayBuffer>;
