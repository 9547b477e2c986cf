/** The real app (without its pages) in a process of its own, on the database of the test file. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#lib/db/embedded/launch.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { database } from "../database.ts";
import type { Blow } from "./strikes.ts";

/** In bytes: what the process takes as it is, and what it holds after a full garbage collection. */
export type Memory = { taken: number; rss: number; heap: number };

export type App = {
  url: string;
  /** Ends or cancels one of the app's database connections (only with `failing`). */
  strike(blow: Blow, seed: number): void;
  /** The error the app logged for a request, with the first line of its stack that is ours. */
  errorOf(requestId: string): Promise<string>;
  /** How often work lost to other work and began again, as far as the app logged it (`LOG_LEVEL` debug). */
  begunAgain(): number;
  memory(): Promise<Memory>;
  /** The names of the requests that are still under way when those that end have had time to. */
  underWay(): Promise<string[]>;
  /** Rejections that nothing in the app waited for, and its output when it ended by itself. */
  complaints(): string[];
  /** Ends the process without a warning. */
  kill(): Promise<void>;
  /** Asks it to stop; the code it ended with and what it printed last. */
  stop(): Promise<{ code: number | null; output: string }>;
};

type Options = {
  pool: number;
  /** Failures can be injected: the app's services are loaded with a place to fail at every await. */
  failing?: boolean;
  settings?: Record<string, string>;
  /** of Node */
  flags?: readonly string[];
  /** The folder of another version to start; default: this one. */
  root?: string;
};

/** As docs/guide/deploy.md says to run a process on a machine of 1 GB; the first of the flags is what `bin/heap.ts` sets there. */
export const SMALL_MACHINE = {
  flags: ["--heap-growing-percent=25", "--max-semi-space-size=4"],
  settings: { PAGES: "off", MALLOC_ARENA_MAX: "2" },
};

const START_MS = 150_000;
/** What `lib/db/transaction.ts` logs. */
const BEGUN_AGAIN = "overtaken, begins again";

export async function startApp({
  pool,
  failing = false,
  settings = {},
  flags = [],
  root = process.cwd(),
}: Options): Promise<App> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "rapport-torture-"));
  const port = await freePort();
  const { sessionSecret, encryptionKeys } = getBoot().secrets;
  const { NODE_OPTIONS: _options, ...outer } = process.env;
  const inside = path.resolve(root, "lib/testing/torture", failing ? "inside.ts" : "measured.ts");
  const child = spawn(
    process.execPath,
    [...flags, "--expose-gc", "--import", inside, path.resolve(root, "bin/pageless-start.fixture.ts"), String(port)],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...outer,
        NODE_ENV: "test",
        HOST: "127.0.0.1",
        LOG_LEVEL: "error",
        RATE_LIMIT_PER_MINUTE: "0",
        RAPPORT_DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        DATABASE_POOL_SIZE: String(pool),
        SESSION_SECRET: sessionSecret,
        ENCRYPTION_KEY: encryptionKeys.map(({ id, key }) => `${id}:${key.toString("base64")}`).join(","),
        TORTURE_ADMIN_URL: database.adminUrl,
        // The stand-in of a mail server is on this machine.
        PRIVATE_MAIL_SERVERS: "127.0.0.1",
        NODE_EXTRA_CA_CERTS: "lib/testing/samples/tls/loopback.cert.pem",
        // No provider is reached from a test.
        CAL_COM_API_URL: "http://127.0.0.1:9",
        FATHOM_API_URL: "http://127.0.0.1:9",
        HUBSPOT_API_URL: "http://127.0.0.1:9",
        ATTIO_API_URL: "http://127.0.0.1:9",
        LOG_MAILBOX_URL: "imaps://log%40log.example:secret@127.0.0.1:9",
        ...settings,
      },
    },
  );
  const complaints: string[] = [];
  let stopping = false;
  let output = "";
  const errors = new Map<string, string>();
  let begunAgain = 0;
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  if (child.stdout)
    createInterface(child.stdout).on("line", (line) => {
      noteError(errors, line);
      if (line.includes(BEGUN_AGAIN)) begunAgain++;
    });
  child.on("message", ({ unhandled }: { unhandled?: string }) => {
    if (unhandled) complaints.push(unhandled);
  });
  const ended = once(child, "close").then(([code, signal]) => {
    if (!stopping) complaints.push(`the app ended by itself (${code ?? signal}):\n${output.slice(-2_000)}`);
    return code as number | null;
  });
  for (const since = performance.now(); !output.includes("answers at http"); await sleep(20)) {
    if (child.exitCode !== null || performance.now() - since > START_MS)
      throw new Error(`the app did not start:\n${output}`);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    strike: (blow, seed) => void child.send({ blow, seed }, () => undefined),
    async errorOf(requestId) {
      for (let tries = 0; tries < 200 && !errors.has(requestId); tries++) await sleep(10);
      return errors.get(requestId) ?? "without a line in the log";
    },
    memory: () => reported<Memory>(child, "memory"),
    async underWay() {
      for (let tries = 0; ; tries++) {
        const names = await reported<string[]>(child, "underWay");
        if (names.length === 0 || tries === 100) return names;
        await sleep(100);
      }
    },
    begunAgain: () => begunAgain,
    complaints: () => complaints,
    async kill() {
      stopping = true;
      child.kill("SIGKILL");
      await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
    async stop() {
      stopping = true;
      child.kill("SIGTERM");
      const before = output.length;
      await Promise.race([ended, sleep(15_000).then(() => child.kill("SIGKILL"))]);
      const code = await ended;
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
      return { code, output: output.slice(before) };
    },
  };
}

/**
 * What the app answers when it is asked for this. Other messages may come in the same tick as the answer, so one listener
 * sees them all: `once` in a loop would miss the second.
 */
function reported<T>(child: ChildProcess, what: "memory" | "underWay"): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      child.off("message", onMessage).off("close", onClose);
      settle();
    };
    const onMessage = (said: Partial<Record<typeof what, T>>) => {
      const answer = said[what];
      if (answer !== undefined) end(() => resolve(answer));
    };
    const onClose = () => end(() => reject(new Error(`the app ended before it said ${what}`)));
    child.on("message", onMessage).on("close", onClose);
    child.send({ [what]: true }, (error) => {
      if (error) end(() => reject(error));
    });
  });
}

/** A line of the app's log about a failed request. */
function noteError(errors: Map<string, string>, line: string): void {
  if (!line.startsWith("{")) return;
  const { request_id, err } = JSON.parse(line) as { request_id?: string; err?: { message: string; stack: string } };
  if (request_id && err) errors.set(request_id, `${err.message} (${placeIn(err.stack)})`);
}

/** The first line of a stack that is a slice's, or the first of ours. */
export const placeIn = (stack = ""): string =>
  /lib\/domain\/\w+\/[^\s)]+/.exec(stack)?.[0] ?? /(?:lib|bin)\/[^\s)]+/.exec(stack)?.[0] ?? stack.slice(0, 300);
