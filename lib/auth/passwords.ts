import { randomInt } from "node:crypto";
import { hash, hashRaw, verify } from "@node-rs/argon2";
import { Fault } from "#lib/core/errors.ts";
import { isBreached } from "./breached-passwords.ts";
import { isEasyToGuess } from "./easy-passwords.ts";
import { sha256 } from "./secret-tokens.ts";

const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

// Argon2id as OWASP recommends it: 19 MiB, two passes, one lane. About 40 ms.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** The hash of random bytes that were thrown away: verifying against it takes as long as against a real one. */
const NOBODY = `${CURRENT}a2lplyEHHsWM4YYrY31B2A$k8Z/vAXtJy0DeZVFvXqGd4fXD3XXyvALtzLzzid+cPQ`;

/** The same text typed on different keyboards is the same password. */
const normal = (password: string): string => password.normalize("NFKC");

/**
 * Throws 400 `password_too_short`, `password_too_long` or `password_too_common`. `names`: what others know of the person, such as their
 * address and the names of their workspaces. Kinds of characters do not count: length is what helps.
 */
export async function requireHardToGuess(password: string, names: readonly string[]): Promise<void> {
  const { length } = [...normal(password)];
  if (length < PASSWORD_LENGTH.min) throw new Fault("password_too_short", { parameter: "password" });
  if (length > PASSWORD_LENGTH.max) throw new Fault("password_too_long", { parameter: "password" });
  if (await isEasyToGuess(password, names)) throw new Fault("password_too_common", { parameter: "password" });
}

/** Throws 400 `password_too_common` for one of the collection that the operator named. Asks the network. */
export async function requireUnbreached(password: string): Promise<void> {
  if (await isBreached(normal(password))) throw new Fault("password_too_common", { parameter: "password" }, BREACHED);
}

const BREACHED = "This password is in a collection of stolen ones, which is tried first. Choose another.";

/** Both of these. */
export async function requireGoodPassword(password: string, names: readonly string[]): Promise<void> {
  await requireHardToGuess(password, names);
  await requireUnbreached(password);
}

export const hashPassword = (password: string): Promise<string> => hash(normal(password), COST);

/** As slow as a password's hash, for a secret of this person that is found by its hash: the person is the salt. */
export const slowHash = (secret: Buffer, userId: string): Promise<Buffer> =>
  hashRaw(secret, { ...COST, salt: sha256(userId) });

/** False for a wrong password and, after the same time, for a user who has none (`stored` is null). */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  // A longer text cannot be a password; hashing megabytes would be wasted work.
  const tried = password.length > PASSWORD_LENGTH.max * 4 ? "" : normal(password);
  const matches = await verify(stored ?? NOBODY, tried);
  return stored !== null && matches;
}

/** True when the hash was made with other cost parameters than today's. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(CURRENT);

const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";

/** A password for someone who did not choose one: 20 letters without look-alikes (100 bits), in groups of five. */
export const inventPassword = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join("")).join(
    "-",
  );
