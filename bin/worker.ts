/** `npm run worker`: runs jobs in a separate process. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#lib/db/embedded/open.ts";
import { runShutdown, setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import "./heap.ts";
import { Lifetime } from "./lifetime.ts";
import { backedUpBefore, migrateDatabase, pooledBefore } from "./migrate.ts";
import { ensureGenerated } from "./prepare.ts";
import { homeFolder } from "./project.ts";

const log = (line: string) => process.stdout.write(`${line}\n`);
const lifetime = new Lifetime();
try {
  await start();
} catch (error) {
  await lifetime.fail(error);
}

async function start(): Promise<void> {
  process.chdir(homeFolder);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const env = readEnv();
  Object.assign(process.env, { NODE_ENV: "production" });
  await ensureGenerated({ log, signal: lifetime.signal });
  const database = await lifetime.open("the database", openDatabase({ env, purpose: "cli", log }), (opened) =>
    opened.close(),
  );
  const before = backedUpBefore(database, env, log);
  await migrateDatabase({ url: database.directUrl, log, ...pooledBefore(database), ...before }).catch(
    (error: Error) => {
      throw new OperatorError(`The database cannot be migrated: ${error.message}`, { cause: error });
    },
  );
  setBoot({ env, databaseUrl: database.url, secrets: loadSecrets(env) });
  await lifetime.open("the worker's connections", Promise.resolve(), async () => {
    await runShutdown();
    const { closePool } = await import("#lib/db/pool.ts");
    await closePool();
  });
  const { startLive, stopLive } = await import("#lib/live/announce.ts");
  // Tells open pages what happens here, and hears of events to deliver.
  await lifetime.open("its announcements", startLive(), stopLive);
  const [{ log: logger, logOutage, logStall }, { onOutage }, { watchStalls }] = await Promise.all([
    import("#lib/core/log.ts"),
    import("#lib/core/outage.ts"),
    import("#lib/core/stalls.ts"),
  ]);
  logger.level = env.LOG_LEVEL;
  onOutage(logOutage);
  await lifetime.open("its watch", Promise.resolve(watchStalls(logStall)), (stop) => stop());
  const { startWorker, stopWorker } = await import("#lib/worker/worker.ts");
  await lifetime.open("the worker", startWorker(), () =>
    Promise.race([stopWorker(), sleep(env.SHUTDOWN_SECONDS * 1000, undefined, { ref: false })]),
  );
  const { startDispatcher, stopDispatcher } = await import("#lib/worker/dispatcher.ts");
  await lifetime.open("the dispatcher", startDispatcher(), stopDispatcher);
  log(`Rapport runs jobs (${database.source}, ${env.WORKER_CONCURRENCY} at a time); stop with SIGTERM.`);
}
