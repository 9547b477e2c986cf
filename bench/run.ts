/** `npm run bench`: Rapport beside a bare server on one database, in one run. Prints ratios; fails when a goal is missed. */
import { type ChildProcess, execFile, fork, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Comparison, compare, type Target, untilIdle } from "./load.ts";
import { measurePage } from "./page.ts";

const root = path.resolve(import.meta.dirname, "..");
const say = (line: string) => process.stdout.write(`${line}\n`);
const run = promisify(execFile);

const dataDir = await mkdtemp(path.join(tmpdir(), "rapport-bench-"));
await chmod(dataDir, 0o711); // as root the database runs under another uid
const port = await freePort();
const environment = {
  ...process.env,
  RAPPORT_DATA_DIR: dataDir,
  PORT: String(port),
  HOST: "127.0.0.1",
  RATE_LIMIT_PER_MINUTE: "0",
};
const base = `http://127.0.0.1:${port}`;
let app: ChildProcess | undefined;
let bare: ChildProcess | undefined;

try {
  app = spawn(process.execPath, [path.join(root, "bin/start.ts")], {
    cwd: root,
    env: environment,
    stdio: ["ignore", "ignore", "inherit"],
  });
  await waitFor(`${base}/readyz`);
  const password = "a long enough password";
  const created = await run(
    process.execPath,
    [
      path.join(root, "bin/rapport.mjs"),
      "admin",
      "workspace",
      "create",
      "--name",
      "Bench",
      "--owner-email",
      "owner@bench.example",
      "--owner-password",
      password,
      "--json",
    ],
    { cwd: root, env: environment },
  );
  const { workspace_id: workspaceId, api_key: key } = JSON.parse(created.stdout) as {
    workspace_id: string;
    api_key: string;
  };
  const headers = { authorization: `Bearer ${key}` };
  await writeProfile(headers);

  bare = fork(path.join(root, "bench/bare.ts"), [await databaseUrl(), workspaceId], { stdio: "inherit" });
  const { port: barePort } = await new Promise<{ port: number }>((resolve) =>
    bare?.once("message", resolve as () => void),
  );
  const pid = app.pid as number;
  const barePid = bare.pid as number;
  await untilIdle(pid);
  const ours = (more: Partial<Target>): Target => ({ name: "rapport", url: base, headers, pid, ...more });
  const plain = (more: Partial<Target>): Target => ({
    name: "bare",
    url: `http://127.0.0.1:${barePort}`,
    pid: barePid,
    ...more,
  });

  const body = JSON.stringify({ section: "Pricing", content: "From 49 euros a seat and month, yearly in advance." });
  const results: { what: string; goal: number; result: Comparison }[] = [
    {
      what: "ping",
      goal: 0.45,
      result: await compare(ours({ url: `${base}/healthz` }), plain({ url: `http://127.0.0.1:${barePort}/ping` })),
    },
    {
      what: "GET /v2/workspace/facts",
      goal: 0.7,
      result: await compare(ours({ url: `${base}/v2/workspace/facts` }), plain({})),
    },
    {
      what: "POST /v2/workspace/facts",
      goal: 0.6,
      result: await compare(
        ours({ url: `${base}/v2/workspace/facts`, method: "POST", body }),
        plain({ method: "POST", body }),
      ),
    },
  ];
  say(
    "\n32 connections; medians of 5 rounds in turn; CPU is the server's own milliseconds a request, without the database\n",
  );
  say(
    "operation                  rapport/s   bare/s  ratio  goal   p50 ms (bare)   p99 ms (bare)    CPU ms (bare)   failed",
  );
  for (const { what, goal, result } of results) say(row(what, goal, result));
  const page = await measurePage({ base, workspaceId, email: "owner@bench.example", password });
  say(
    `\nGTM Context tab            server time p50 ${page.p50.toFixed(1)} ms, p95 ${page.p95.toFixed(1)} ms (goal 50); JavaScript ${page.scriptKb.toFixed(0)} kB gzip in ${page.scripts} files (goal 200)`,
  );
  const missed = results
    .filter(({ goal, result }) => result.ratio < goal || result.ours.failed > 0)
    .map(({ what }) => what);
  if (page.p95 > 50 || page.scriptKb > 200) missed.push("GTM Context tab");
  say(missed.length === 0 ? "\nevery goal met" : `\nmissed: ${missed.join(", ")}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  bare?.kill();
  if (app && app.exitCode === null) {
    app.kill("SIGTERM");
    await new Promise((resolve) => app?.once("exit", resolve));
  }
  await rm(dataDir, { recursive: true, force: true });
}

function row(what: string, goal: number, { ours, bare: plain, ratio }: Comparison): string {
  const pair = (a: number, b: number, digits: number) => `${a.toFixed(digits)} (${b.toFixed(digits)})`;
  return [
    what.padEnd(26),
    ours.perSecond.toFixed(0).padStart(9),
    plain.perSecond.toFixed(0).padStart(8),
    ratio.toFixed(2).padStart(6),
    goal.toFixed(2).padStart(5),
    pair(ours.p50, plain.p50, 0).padStart(15),
    pair(ours.p99, plain.p99, 0).padStart(15),
    pair(ours.cpuMs, plain.cpuMs, 3).padStart(17),
    String(ours.failed).padStart(7),
  ].join(" ");
}

/** A profile of the size a careful owner writes: a statement per section, a few notes, some history. */
async function writeProfile(headers: Record<string, string>): Promise<void> {
  const sections = [
    "ICP",
    "Market",
    "Product",
    "Pricing",
    "Competitors",
    "Positioning",
    "GTM Motion",
    "Notes",
    "Notes",
    "Notes",
    "Notes",
    "ICP",
  ];
  for (const [index, section] of sections.entries()) {
    const content = `Statement ${index} about ${section}: who buys, why now, what they compare us with, what it costs them to wait, and how we reach them.`;
    const response = await fetch(`${base}/v2/workspace/facts`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ section, content }),
    });
    if (response.status !== 201) throw new Error(`seeding failed: ${response.status} ${await response.text()}`);
  }
}

async function databaseUrl(): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { readEnv } = await import("#lib/core/env.ts");
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

async function waitFor(url: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (
      await fetch(url).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    if (app?.exitCode !== null) throw new Error("the app did not start");
    await sleep(200);
  }
  throw new Error(`${url} does not answer`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => resolve(free));
    });
  });
}
