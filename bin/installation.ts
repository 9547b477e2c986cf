import { existsSync } from "node:fs";
import { openDatabase } from "#lib/db/embedded/open.ts";
import { runShutdown, setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import { backedUpBefore, migrateDatabase, pooledBefore } from "./migrate.ts";
import { ensureGenerated } from "./prepare.ts";
import { homeFolder } from "./project.ts";

/**
 * Opens this installation for one command: its settings, secrets and database. A running database is joined; otherwise
 * it is started and stopped again.
 */
export async function withInstallation<T>(work: () => Promise<T>): Promise<T> {
  enter();
  const env = readEnv();
  const [database] = await Promise.all([openDatabase({ env, purpose: "cli" }), ensureGenerated()]);
  try {
    const before = backedUpBefore(database, env, (line) => process.stderr.write(`${line}\n`));
    await migrateDatabase({ url: database.directUrl, ...pooledBefore(database), ...before });
    setBoot({ env, databaseUrl: database.url, secrets: loadSecrets(env) });
    return await work();
  } finally {
    await runShutdown();
    const { closePool } = await import("#lib/db/pool.ts");
    await closePool();
    await database.close();
  }
}

/** Enters this installation for a command that opens no database, or its own. */
export async function withSettings<T>(work: () => Promise<T>): Promise<T> {
  enter();
  await ensureGenerated();
  return work();
}

function enter(): void {
  process.chdir(homeFolder);
  if (existsSync(".env")) process.loadEnvFile(".env");
}
