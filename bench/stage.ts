/** What every part of the benchmark runs on: the app and a bare server on their own database. */
import { type ChildProcess, execFile, fork, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Target, untilIdle } from "./load.ts";

const tree = path.resolve(import.meta.dirname, "..");
const run = promisify(execFile);

export const PASSWORD = "a long enough password";

export type Workspace = { id: string; key: string; ownerEmail: string };

export type Stage = {
  /** Address of the app. */
  base: string;
  /** The app's process, whose memory is read. */
  pid: number;
  /** URL of the app's database for a superuser or the owner of the tables. */
  adminUrl: string;
  createWorkspace(name: string): Promise<Workspace>;
  /** Runs `rapport admin …` beside the app, and returns what it prints. */
  command(...words: string[]): Promise<string>;
  /** A request to the app. `path` begins with a slash. */
  ours(workspace: Workspace, path: string, more?: Partial<Target>): Target;
  /**
   * Starts a bare server (a module that sends `{port}` when it listens) and returns a function that makes requests to
   * it.
   */
  bare(module: string, ...more: string[]): Promise<(path: string, more?: Partial<Target>) => Target>;
  close(): Promise<void>;
};

/** Starts the app of a checkout: this tree's, or another commit's that is installed. */
export async function openStage(root: string = tree): Promise<Stage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "rapport-bench-"));
  await chmod(dataDir, 0o711); // as root the database runs under another uid
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    RAPPORT_DATA_DIR: dataDir,
    PORT: String(port),
    HOST: "127.0.0.1",
    RATE_LIMIT_PER_MINUTE: "0",
  };
  const app = spawn(process.execPath, [path.join(root, "bin/start.ts")], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const others: ChildProcess[] = [];
  const close = async () => {
    for (const other of others) other.kill();
    if (app.exitCode === null) {
      app.kill("SIGTERM");
      await new Promise((resolve) => app.once("exit", resolve));
    }
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    await untilReady(`${base}/readyz`, app);
    await untilIdle(app.pid as number);
    const adminUrl = await databaseUrl(dataDir);
    const command = async (...words: string[]): Promise<string> => {
      const program = [path.join(root, "bin/rapport.mjs"), "admin", ...words];
      return (await run(process.execPath, program, { cwd: root, env: environment })).stdout;
    };
    return {
      base,
      pid: app.pid as number,
      adminUrl,
      close,
      command,
      async createWorkspace(name) {
        const ownerEmail = `${name.toLowerCase().replaceAll(/\W+/g, "-")}@bench.example`;
        const owner = ["--owner-email", ownerEmail, "--owner-password", PASSWORD];
        const created = await command("workspace", "create", "--name", name, ...owner, "--json");
        const { workspace_id: id, api_key: key } = JSON.parse(created) as Record<string, string>;
        return { id: id as string, key: key as string, ownerEmail };
      },
      ours: ({ key }, address, more) => ({
        name: "rapport",
        url: `${base}${address}`,
        headers: { authorization: `Bearer ${key}` },
        pid: app.pid as number,
        ...more,
      }),
      async bare(module, ...more) {
        const bare = fork(path.join(tree, "bench", module), [adminUrl, ...more], { stdio: "inherit" });
        others.push(bare);
        const { port: barePort } = await new Promise<{ port: number }>((resolve, reject) => {
          bare.once("message", resolve as () => void);
          bare.once("exit", () => reject(new Error(`${module} did not start`)));
        });
        return (address, rest) => ({
          name: "bare",
          url: `http://127.0.0.1:${barePort}${address}`,
          pid: bare.pid as number,
          ...rest,
        });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function databaseUrl(dataDir: string): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { readEnv } = await import("#lib/settings/env.ts");
  const { openDatabase } = await import("#lib/db/embedded/open.ts");
  const database = await openDatabase({
    env: readEnv({ RAPPORT_DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv),
    purpose: "cli",
  });
  // The superuser's URL names the maintenance database; Rapport's tables are in the app's.
  const url = new URL(database.superuserUrl ?? database.url);
  url.pathname = new URL(database.url).pathname;
  return url.href;
}

async function untilReady(url: string, app: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 900; attempt++) {
    // Without this, the build of the pages would be measured too.
    const ready = await fetch(url).then(
      async (response) => response.ok && ((await response.json()) as { pages?: string }).pages === "ready",
      () => false,
    );
    if (ready) return;
    if (app.exitCode !== null) throw new Error("the app did not start");
    await sleep(200);
  }
  throw new Error(`${url} does not answer`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
