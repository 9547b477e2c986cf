import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Ending } from "#lib/cli/answer.ts";
import { freePort } from "#lib/db/embedded/launch.ts";
import { openDatabase } from "#lib/db/embedded/open.ts";
import { readPidFile } from "#lib/db/embedded/server-processes.ts";
import { readEnv } from "#lib/settings/env.ts";
import { databaseFolder } from "./folders.ts";
import { chanceOf } from "./torture/chance.ts";
import { options } from "./torture/options.ts";

/** What `rapport admin workspace create --json` prints. */
type NewWorkspace = { workspace_id: string; api_key: string };

/** An installation of its own, with its own durable database, that a test may kill and start again. Without pages. */
export type Installation = {
  /** Throws once a process ended although no one killed it. */
  url(): string;
  start(): Promise<void>;
  /** Ends the app's process at once, as a crash would, and starts it again. */
  crashApp(): Promise<void>;
  /** Ends the app's process at once; `start` starts it again. */
  killApp(): Promise<void>;
  /** Starts one more process that runs jobs and deliveries, beside the app; returns what ends it as a crash would. */
  startWorker(): Promise<() => Promise<void>>;
  /** Ends the database at once; the app starts it again, and this waits for it. */
  crashDatabase(): Promise<void>;
  createWorkspace(): Promise<{ id: string; key: string }>;
  /** Makes the key of a workspace one of a login of its owner, before its first use. */
  ownersLogin(workspaceId: string): Promise<void>;
  /** Asks the database, as its superuser. */
  inspect<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  /** The app's process, whose memory and CPU are read. */
  pid(): number;
  dataDir: string;
  /** Runs `rapport …` as a process of its own beside the app. */
  command(...words: string[]): Promise<void>;
  /** The same with other settings. */
  commandWith(settings: Record<string, string>, ...words: string[]): Promise<void>;
  /** Kills app and database in turns, each as soon as so large a part of the work is done, from 0 to 1. */
  killAt(parts: readonly number[], done: () => number | Promise<number>): Promise<void>;
  /** Stops everything and removes the folder. */
  remove(): Promise<void>;
};

/** How often each test kills an app or a database: `npm run torture -- --part kills` does it more often. */
export const KILLS = Number(process.env.TORTURE_KILLS ?? 2);
/** How long a test with so many kills may take. */
export const PATIENCE_MS = 300_000 + KILLS * 60_000;

/** A process or database that takes longer to be ready hangs; then what it printed is the error. */
const READY_WITHIN_MS = 150_000;

/** Imported by each process before its script. */
const fixtures = ["hasty", "commands"].flatMap((name) => ["--import", path.resolve(`lib/testing/${name}.fixture.ts`)]);

/** Random moments of work, in order, one in each of so many stretches: for `killAt`. The seed of the run repeats them. */
export function moments(kills = KILLS): number[] {
  const chance = chanceOf(options.seed);
  return Array.from({ length: kills }, (_, kill) => (kill + chance.int(0, 99) / 100) / (kills + 1));
}

/** `fill`: puts an earlier data folder in place before the first start. `disk`: the folder that the data folder is made in. */
export async function createInstallation(
  settings: Record<string, string> = {},
  fill?: (dataDir: string) => void,
  disk?: string,
): Promise<Installation> {
  const dataDir = disk === undefined ? databaseFolder("rapport-kill-") : mkdtempSync(path.join(disk, "rapport-kill-"));
  fill?.(dataDir);
  chmodSync(dataDir, 0o711); // as root the database runs under another uid
  const port = await freePort();
  const { DATABASE_URL: _url, NODE_OPTIONS: _options, ...outer } = process.env;
  const env: NodeJS.ProcessEnv = {
    ...outer,
    NODE_ENV: "test",
    RAPPORT_DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    ...settings,
  };
  let app: ChildProcess | null = null;
  let ended: Promise<unknown> = Promise.resolve();
  const processes = new Set<ChildProcess>();
  /** The end of what the processes printed, and that of one that ended without being killed. */
  let output = "";
  let fault = "";

  /** Starts a process and waits until it prints `ready`. */
  async function run(command: string[], ready: string, level: string): Promise<[ChildProcess, Promise<unknown>]> {
    const child = spawn(process.execPath, [...fixtures, ...command], {
      env: { ...env, LOG_LEVEL: level },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const end = once(child, "close");
    processes.add(child);
    output = "";
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`not ready in time:\n${output}`)), READY_WITHIN_MS);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk) => {
          output = (output + chunk).slice(-4_000);
          if (!output.includes(ready)) return;
          clearTimeout(late);
          resolve();
        });
      }
      void end.then(() => {
        clearTimeout(late);
        if (!child.killed) fault = output;
        reject(new Error(`the process ended:\n${output}`));
      });
    });
    return [child, end];
  }

  async function start(): Promise<void> {
    const command = [path.resolve("bin/pageless-start.fixture.ts"), String(port)];
    [app, ended] = await run(command, "answers at http", "error");
  }

  async function killApp(): Promise<void> {
    app?.kill("SIGKILL");
    await ended;
  }

  const postmaster = (): number => {
    const { home = path.join(dataDir, "postgres") } = JSON.parse(
      readFileSync(path.join(dataDir, "postgres.json"), "utf8"),
    ) as { home?: string };
    return readPidFile(path.join(home, "data"))?.pid ?? 0;
  };

  function url(): string {
    if (fault !== "") throw new Error(`the app ended by itself:\n${fault}`);
    return `http://127.0.0.1:${port}`;
  }

  const isReady = (): Promise<boolean> =>
    fetch(`${url()}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function commandWith(more: Record<string, string>, ...words: string[]): Promise<void> {
    const script = path.resolve("bin/rapport.mjs");
    const child = spawn(process.execPath, [script, ...words], { env: { ...env, ...more }, stdio: "pipe" });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
      });
    const [exit] = (await once(child, "close")) as [number | null];
    if (exit !== 0) throw new Error(`rapport ${words.join(" ")}: ${said}`);
  }

  async function crashApp(): Promise<void> {
    await killApp();
    await start();
  }

  async function crashDatabase(): Promise<void> {
    const pid = postmaster();
    if (pid === 0) throw new Error("the database does not run");
    process.kill(pid, "SIGKILL");
    const since = Date.now();
    while (postmaster() === pid || !(await isReady())) {
      if (Date.now() - since > READY_WITHIN_MS) throw new Error(`the database did not come back:\n${output}`);
      await sleep(20);
    }
  }

  async function inspect<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const of = readEnv({ RAPPORT_DATA_DIR: dataDir } as unknown as NodeJS.ProcessEnv);
    const database = await openDatabase({ env: of, purpose: "cli" });
    const address = new URL(database.superuserUrl ?? database.url);
    address.pathname = new URL(database.url).pathname;
    const client = new pg.Client({ connectionString: address.href });
    client.on("error", () => undefined); // a test may end the server under it
    try {
      await client.connect();
      return (await client.query<T>(text, values)).rows;
    } finally {
      await client.end();
      await database.close();
    }
  }

  return {
    url,
    inspect,
    pid: () => app?.pid ?? 0,
    async ownersLogin(workspaceId) {
      await inspect(
        "UPDATE api_keys k SET login_user_id = (SELECT m.user_id FROM members m WHERE m.workspace_id = k.workspace_id AND m.role = 'owner') WHERE k.workspace_id = $1",
        [workspaceId],
      );
    },
    start,
    crashApp,
    killApp,
    async startWorker() {
      const [child, end] = await run([path.resolve("bin/worker.mjs")], "Rapport runs jobs", "info");
      return async () => {
        child.kill("SIGKILL");
        await end;
      };
    },
    crashDatabase,
    async killAt(parts, done) {
      for (const [place, part] of parts.entries()) {
        while ((await done()) < part) await sleep(5);
        await (place % 2 === 0 ? crashApp() : crashDatabase());
      }
    },
    dataDir,
    command: (...words) => commandWith({}, ...words),
    commandWith,
    async createWorkspace() {
      const command = ["workspace", "create", "--name", "Test", "--owner-email", "owner@test.example"];
      app?.send({ command: ["admin", ...command, "--json"] });
      const [{ exit, stdout, stderr }] = (await once(app as ChildProcess, "message")) as [Ending];
      if (exit !== 0) throw new Error(`no workspace: ${stderr}`);
      const { workspace_id: id, api_key: key } = JSON.parse(stdout) as NewWorkspace;
      return { id, key };
    },
    async remove() {
      for (const child of processes) if (child !== app) child.kill("SIGKILL");
      app?.kill("SIGTERM");
      await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
