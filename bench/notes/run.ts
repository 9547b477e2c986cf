/** `node bench/notes/run.ts [notes]`: the notes search alone, on its own embedded database. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbedded } from "#lib/db/embedded/embedded.ts";
import { migrate } from "#lib/db/migrate.ts";
import { closePool } from "#lib/db/pool.ts";
import { migrateQueue } from "#lib/jobs/schema.ts";
import { runShutdown, setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { loadSecrets } from "#lib/settings/secrets.ts";
import { measureNotes } from "./measure.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = await mkdtemp(path.join(tmpdir(), "rapport-bench-notes-"));
await chmod(dataDir, 0o711); // as root the database runs under another uid
const database = await startEmbedded({ dataDir, log: () => undefined });
try {
  await migrate({ url: database.url, also: migrateQueue });
  const env = readEnv({
    RAPPORT_DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: "silent",
  } as unknown as NodeJS.ProcessEnv);
  setBoot({ env, databaseUrl: database.url, secrets: loadSecrets(env) });
  const adminUrl = new URL(database.superuserUrl);
  adminUrl.pathname = new URL(database.url).pathname;
  const missed = await measureNotes(adminUrl.href, { notes: Number(process.argv[2] ?? 50_000), say });
  say(missed.length === 0 ? "\nevery goal met" : `\nmissed: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  await runShutdown();
  await closePool();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
}
