import { type OpenDatabase, openDatabase } from "#lib/db/embedded/open.ts";
import { closePool } from "#lib/db/pool.ts";
import { type Boot, runShutdown, setBoot } from "#lib/settings/boot.ts";
import { isOperatorError } from "#lib/settings/operator-error.ts";
import { readEncryptionKeys, type Secrets } from "#lib/settings/secrets.ts";

/** The encryption keys as far as they can be read, and why they cannot. */
export function encryptionKeysOf(env: Boot["env"]): { keys: Secrets["encryptionKeys"]; problem: string | null } {
  try {
    return { keys: readEncryptionKeys(env), problem: null };
  } catch (error) {
    if (!isOperatorError(error)) throw error;
    return { keys: [], problem: error.message };
  }
}

/** Opens the database as it is, without migrating it, whether the app runs or not. */
export async function inDatabase<T>(env: Boot["env"], work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ env, purpose: "cli" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * For what the services do: with the app's connections, which are closed again. Nothing is signed, and what is sealed is read with the
 * keys there are: an installation that has none yet gets none.
 */
export async function withPool<T>(env: Boot["env"], databaseUrl: string, work: () => Promise<T>): Promise<T> {
  setBoot({ env, databaseUrl, secrets: { sessionSecret: "", encryptionKeys: encryptionKeysOf(env).keys } });
  try {
    return await work();
  } finally {
    await runShutdown();
    await closePool();
  }
}
