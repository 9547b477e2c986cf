import { type OpenDatabase, openDatabase } from "#lib/db/embedded/open.ts";
import { closePool } from "#lib/db/pool.ts";
import { type Boot, runShutdown, setBoot } from "#lib/settings/boot.ts";

/** Nothing that is sealed is read; to load the secrets of an installation that has none would make them. */
const NO_SECRETS = { sessionSecret: "", encryptionKeys: [] };

/** Opens the database as it is, without migrating it, whether the app runs or not. */
export async function inDatabase<T>(env: Boot["env"], work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const database = await openDatabase({ env, purpose: "cli" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** For what the services do: with the app's connections, which are closed again. */
export async function withPool<T>(env: Boot["env"], databaseUrl: string, work: () => Promise<T>): Promise<T> {
  setBoot({ env, databaseUrl, secrets: NO_SECRETS });
  try {
    return await work();
  } finally {
    await runShutdown();
    await closePool();
  }
}
