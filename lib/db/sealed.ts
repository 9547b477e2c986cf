/** What this server seals with its keys. Each purpose is a line of `lib/domain/encrypted-columns.ts`. */
import { log } from "#lib/core/log.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { decrypt, encrypt } from "./encrypted.ts";

const keys = () => getBoot().secrets.encryptionKeys;

export const seal = (purpose: string, clear: string): string => encrypt(keys(), purpose, clear);

/** Throws when the key is gone. */
export const unseal = (purpose: string, sealed: string): string => decrypt(keys(), purpose, sealed);

export const sealJson = (purpose: string, value: object): string => seal(purpose, JSON.stringify(value));

/** Null, and a line in the log, when it cannot be opened: the rest of a record is still shown. */
export function unsealJson<T>(purpose: string, sealed: string): T | null {
  try {
    return JSON.parse(unseal(purpose, sealed)) as T;
  } catch (error) {
    log.error({ err: error, purpose }, "what is sealed cannot be opened");
    return null;
  }
}
