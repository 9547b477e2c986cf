import { existsSync } from "node:fs";
import { runShutdown, setBoot } from "#lib/core/boot.ts";
import { readEnv } from "#lib/core/env.ts";
import { loadSecrets } from "#lib/core/secrets.ts";
import { openDatabase } from "#lib/db/embedded/open.ts";
import { migrateDatabase, pooledBefore } from "./migrate.ts";
import { ensureGenerated } from "./prepare.ts";
import { homeFolder } from "./project.ts";

/**
 * Opens what this project folder has installed around the work of one command: its settings, secrets and database, which
 * is joined when the server runs and started and stopped again when it does not.
 */
export async function withInstallation<T>(work: () => Promise<T>): Promise<T> {
  process.chdir(homeFolder);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const env = readEnv();
  const [database] = await Promise.all([openDatabase({ env, purpose: "cli" }), ensureGenerated()]);
  try {
    await migrateDatabase({ url: database.directUrl, ...pooledBefore(database) });
    setBoot({ env, databaseUrl: database.url, secrets: loadSecrets(env) });
    return await work();
  } finally {
    await runShutdown();
    const { closePool } = await import("#lib/db/pool.ts");
    await closePool();
    await database.close();
  }
}
