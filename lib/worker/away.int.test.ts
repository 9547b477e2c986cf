/** A process that runs jobs is stopped while its database is away. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { freePort } from "#lib/db/embedded/launch.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { useGate } from "#lib/testing/gate.fixture.ts";
import { WALK } from "./walk.ts";

const gate = useGate();

type Run = { child: ChildProcess; output(): string; ended: Promise<number | null> };

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await inspect("DELETE FROM graphile_worker._private_jobs");
});

/** Starts a process on the database behind the gate, and waits until it prints `ready`. */
async function run(command: string[], ready: string): Promise<Run> {
  const { NODE_OPTIONS: _options, ...outer } = process.env;
  const child = spawn(process.execPath, ["--import", path.resolve("lib/testing/hasty.fixture.ts"), ...command], {
    env: {
      ...outer,
      DATABASE_URL: gate.url(),
      RAPPORT_DATA_DIR: database.dataDir,
      HOST: "127.0.0.1",
      SESSION_SECRET: "s".repeat(40),
      ENCRYPTION_KEY: `own:${Buffer.alloc(32, "own").toString("base64")}`,
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const ended = once(child, "close").then(([code]) => code as number | null);
  await expect.poll(() => text, { timeout: 60_000 }).toContain(ready);
  return { child, output: () => text, ended };
}

const app = async () =>
  run([path.resolve("bin/pageless-start.fixture.ts"), String(await freePort())], "answers at http");
const worker = () => run([path.resolve("bin/worker.mjs")], "Rapport runs jobs");

const jobsLeft = async (): Promise<number> =>
  (await inspect<{ left: number }>("SELECT count(*)::int AS left FROM graphile_worker._private_jobs"))[0]?.left ?? 0;

/** Walks that no release has, each done at once. */
const EMPTY_WALKS = `
  SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
    SELECT ('${WALK}', '{"walk":"none"}', NULL, NULL, NULL, NULL, NULL, NULL)::graphile_worker.job_spec FROM generate_series(1, 20000)))`;

/** Takes the database away while the queue marks jobs as done, which ends the worker until it can start again. */
async function loseDatabase({ output }: Run): Promise<void> {
  await inspect(EMPTY_WALKS);
  await expect.poll(jobsLeft, { timeout: 30_000 }).toBeLessThan(19_500);
  gate.hush();
  await sleep(100);
  await gate.close();
  await expect.poll(output, { timeout: 30_000 }).toContain("Failed to complete jobs");
  await sleep(2_600); // two attempts to start again, which fail
}

test.each([
  ["the app", app],
  ["npm run worker", worker],
])("%s stops cleanly on SIGTERM while its jobs wait for the database", { timeout: 180_000 }, async (_name, start) => {
  const started = await start();
  await loseDatabase(started);
  const { child, output, ended } = started;
  expect(child.exitCode).toBeNull();
  const before = output().length;
  child.kill("SIGTERM");
  const began = performance.now();
  expect(await ended).toBe(0);
  expect(output().slice(before)).not.toMatch(/more than once|failed|did not close|unhandled/i);
  expect(performance.now() - began).toBeLessThan(25_000);
});

test("jobs run again once the database is back, after attempts that failed", { timeout: 180_000 }, async () => {
  const started = await worker();
  await loseDatabase(started);
  const before = await jobsLeft();
  await gate.open();
  await expect.poll(jobsLeft, { timeout: 60_000 }).toBeLessThan(before - 100);
});
