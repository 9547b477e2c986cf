import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "#lib/db/embedded/launch.ts";
import { readPidFile } from "#lib/db/embedded/server-processes.ts";

/** What `rapport admin workspace create --json` prints. */
type Created = { workspace_id: string; api_key: string };

/** An installation of its own, with its own durable database, that a test may kill and start again. Without pages. */
export type Installation = {
  url(): string;
  start(): Promise<void>;
  /** Ends the app's process at once, as a crash would, and starts it again. */
  crashApp(): Promise<void>;
  /** Ends the database at once; the app starts it again, and this waits for it. */
  crashDatabase(): Promise<void>;
  createWorkspace(): Promise<{ id: string; key: string }>;
  /** Stops everything and removes the folder. */
  remove(): Promise<void>;
};

export async function createInstallation(settings: Record<string, string> = {}): Promise<Installation> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rapport-kill-"));
  chmodSync(dataDir, 0o711); // as root the database runs under another uid
  const port = await freePort();
  const { DATABASE_URL: _url, NODE_OPTIONS: _options, ...outer } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...outer,
    NODE_ENV: "test",
    RAPPORT_DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    ...settings,
  };
  let app: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();

  async function start(): Promise<void> {
    const child = spawn(process.execPath, [path.resolve("bin/pageless-start.fixture.ts"), String(port)], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    app = child;
    ended = once(child, "close");
    let output = "";
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          output = (output + chunk).slice(-4_000);
          if (output.includes("answers at http")) resolve();
        });
      }
      void ended.then(() => reject(new Error(`the app ended:\n${output}`)));
    });
  }

  const postmaster = (): number => {
    const { home = path.join(dataDir, "postgres") } = JSON.parse(
      readFileSync(path.join(dataDir, "postgres.json"), "utf8"),
    ) as { home?: string };
    return readPidFile(path.join(home, "data"))?.pid ?? 0;
  };

  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );

  return {
    url: () => `http://127.0.0.1:${port}`,
    start,
    async crashApp() {
      app?.kill("SIGKILL");
      await ended;
      await start();
    },
    async crashDatabase() {
      const pid = postmaster();
      if (pid === 0) throw new Error("the database does not run");
      process.kill(pid, "SIGKILL");
      while (postmaster() === pid || !(await isReady())) await sleep(20);
    },
    async createWorkspace() {
      const command = [
        "admin",
        "workspace",
        "create",
        "--name",
        "Test",
        "--owner-email",
        "owner@test.example",
        "--json",
      ];
      const { stdout } = await promisify(execFile)(process.execPath, [path.resolve("bin/rapport.mjs"), ...command], {
        env,
      });
      const { workspace_id: id, api_key: key } = JSON.parse(stdout) as Created;
      return { id, key };
    },
    async remove() {
      app?.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
