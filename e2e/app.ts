/** The app under test: started the way a user starts it, on an empty data folder and a free port. */
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { chmod, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { variables } from "#lib/settings/env.ts";
import { databaseFolder } from "#lib/testing/folders.ts";

export type App = { baseURL: string; dataDir: string };
export type RunningApp = App & { stop: () => Promise<void> };

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** A first start builds the pages, so it may take a while on a slow machine. */
const startTimeout = 600_000;
const stopTimeout = 20_000;

/**
 * The environment of the app and of the `rapport` command: nothing of the developer's own settings, so that a
 * `DATABASE_URL` in the shell can never become the database of a test. Every variable is set, if only to nothing,
 * because the app fills what is unset from `.env`.
 */
export function cleanEnv(extra: Record<string, string>): NodeJS.ProcessEnv {
  const kept = ["HOME", "USER", "TMPDIR", "LANG", "TZ", "CI", "npm_config_registry", "npm_config_cache", "NO_COLOR"];
  const env: Record<string, string> = Object.fromEntries(Object.keys(variables).map((name) => [name, ""]));
  for (const name of kept) if (process.env[name] !== undefined) env[name] = process.env[name];
  env.PATH = [join(root, "node_modules/.bin"), process.env.PATH].filter(Boolean).join(delimiter);
  return { ...env, ...extra } as NodeJS.ProcessEnv;
}

/** Runs `node bin/start.ts` with these settings and waits until it is ready for traffic. Its log is in `test-results`. */
export async function startApp(settings: Record<string, string> = {}, logName = "app.log"): Promise<RunningApp> {
  const dataDir = databaseFolder("rapport-e2e-");
  // As root the embedded database runs under another uid, which must be able to reach its folder.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const baseURL = `http://localhost:${port}`;

  mkdirSync(join(root, "test-results"), { recursive: true });
  const log = createWriteStream(join(root, "test-results", logName));
  let output = "";
  const child = spawn(process.execPath, ["bin/start.ts"], {
    cwd: root,
    env: cleanEnv({ ...settings, RAPPORT_DATA_DIR: dataDir, PORT: String(port), HOST: "127.0.0.1" }),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const keep = (chunk: Buffer): void => {
    log.write(chunk);
    output = (output + chunk.toString()).slice(-6_000);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  let exited: string | undefined;
  child.once("error", (error) => {
    exited = `could not start: ${error.message}`;
  });
  child.once("exit", (code, signal) => {
    exited = `exited with ${signal ?? code}`;
  });
  const killGroup = (): void => {
    if (child.pid !== undefined && isAlive(-child.pid)) process.kill(-child.pid, "SIGKILL");
  };
  process.once("exit", killGroup);

  const deadline = Date.now() + startTimeout;
  for (;;) {
    const ready = await isReady(baseURL).catch((error: Error) => error.message);
    if (ready === true) break;
    if (exited || typeof ready === "string" || Date.now() > deadline) {
      const why = exited ?? (ready || `was not ready after ${startTimeout / 1000} s`);
      killGroup();
      await rm(dataDir, { recursive: true, force: true });
      throw new Error(`The app ${why}. The end of its output:\n${output}`);
    }
    await sleep(100);
  }

  /** SIGTERM, as an operator would; a process that survives it is an error of the launcher. */
  async function stop(): Promise<void> {
    const leftovers: string[] = [];
    const postgres = await postmasterPids(dataDir);
    child.kill("SIGTERM");
    const limit = Date.now() + stopTimeout;
    while (!exited && Date.now() < limit) await sleep(50);
    if (!exited) leftovers.push(`the launcher is still running ${stopTimeout / 1000} s after SIGTERM`);
    else if (child.exitCode !== 0) leftovers.push(`the launcher ${exited} on SIGTERM instead of 0`);
    if (child.pid !== undefined && isAlive(-child.pid)) leftovers.push("a process of the launcher's group survives it");
    killGroup();
    // The postmaster removes its files last; on a busy machine it ends and is reaped a moment later.
    const gone = Date.now() + 5_000;
    while (postgres.some(isAlive) && Date.now() < gone) await sleep(50);
    for (const pid of postgres.filter(isAlive)) {
      leftovers.push(`the embedded database (pid ${pid}) survives the launcher`);
      process.kill(pid, "SIGTERM");
    }
    if (await isReady(baseURL)) leftovers.push(`${baseURL} still answers`);
    process.off("exit", killGroup);
    log.end();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    if (leftovers.length > 0) throw new Error(`The app did not stop cleanly: ${leftovers.join("; ")}`);
  }

  return { baseURL, dataDir, stop };
}

/** Whether the API answers and the pages do too. Pages that failed to build never will. */
async function isReady(baseURL: string): Promise<boolean> {
  const { ok = false, pages } = await fetch(`${baseURL}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    async (answer) => ({ ok: answer.ok, pages: ((await answer.json()) as { pages?: string }).pages }),
    () => ({ ok: false, pages: undefined }),
  );
  if (pages === "failed") throw new Error("could not build its pages");
  return ok && pages === "ready";
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

async function postmasterPids(dataDir: string): Promise<number[]> {
  const names = await readdir(dataDir, { recursive: true });
  const pids = names
    .filter((name) => name.endsWith("postmaster.pid"))
    .map(async (name) => Number((await readFile(join(dataDir, name), "utf8")).split("\n")[0]));
  return (await Promise.all(pids)).filter((pid) => pid > 0);
}

/** A negative id asks for the process group. A zombie counts as gone once its parent has reaped it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
