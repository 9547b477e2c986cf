/** What tests of cursors share: keys of an installation, and how a cursor is refused. */
import { randomBytes } from "node:crypto";
import { isFault } from "#lib/core/errors.ts";
import { newId } from "#lib/core/ids.ts";
import { setBoot } from "#lib/settings/boot.ts";
import type { Env } from "#lib/settings/env.ts";
import type { EncryptionKey } from "#lib/settings/env-values.ts";

const keyOf = (id: string): EncryptionKey => ({ id, key: randomBytes(32) });
export const [old, current] = [keyOf("old"), keyOf("current")];

/** From now on these are the installation's keys, the current one first. */
export const bootWith = (...encryptionKeys: EncryptionKey[]) =>
  setBoot({ env: {} as Env, databaseUrl: "", secrets: { sessionSecret: "", encryptionKeys } });

export const ctx = { workspaceId: newId() };

export const REFUSED = "invalid_parameter cursor";
/** Code and parameter of the fault that is thrown; null: none is. */
export const refusal = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return isFault(error) ? `${error.code} ${error.extras.parameter}` : String(error);
  }
};
