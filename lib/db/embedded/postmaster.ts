import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterPlace } from "./cluster-place.ts";
import { explainWriteFailure } from "./data-dir.ts";
import { isAlive, isPostmasterOf, type Postmaster, readPidFile, signal } from "./server-processes.ts";
import { serverSettings } from "./settings.ts";

/** How a launched postmaster came up: ready, or ended with what it wrote. */
export type Launch = { ready: true; pid: number } | { ready: false; output: string };

/** A server that replays a long log after a crash is alive but not ready; it gets this long. */
const READY_WITHIN = 10 * 60_000;

/**
 * Starts a postmaster and waits until it takes connections. It gets its own process group: Ctrl-C in a terminal
 * reaches only us, so that requests finish before it stops.
 */
export async function launchPostmaster(
  place: ClusterPlace,
  port: number,
  durable: boolean,
  log: (line: string) => void,
): Promise<Launch> {
  const output = path.join(place.home, "startup.log");
  const logged = logSizes(place.logs);
  const child = spawnPostmaster(place, port, durable, output);
  let error: Error | undefined;
  child.on("error", (reason) => {
    error = reason;
  });
  child.unref();

  const began = Date.now();
  for (let notices = 0; ; ) {
    if (error) return { ready: false, output: error.message };
    if (child.exitCode !== null || child.signalCode !== null) {
      return { ready: false, output: `${readText(output)}\n${writtenSince(place.logs, logged)}` };
    }
    const pidFile = readPidFile(place.data);
    if (pidFile && pidFile.pid === child.pid && pidFile.status === "ready") return { ready: true, pid: pidFile.pid };
    const waited = Date.now() - began;
    if (waited > READY_WITHIN) {
      await stopPostmaster(child.pid as number, place.data);
      return { ready: false, output: "FATAL: the server was not ready in time" };
    }
    if (Math.floor(waited / 10_000) > notices) {
      notices = Math.floor(waited / 10_000);
      log(`the database is still recovering from a crash (${notices * 10} s)`);
    }
    await sleep(waited < 1000 ? 10 : 100);
  }
}

function spawnPostmaster(
  { data, logs, binaries, user, home }: ClusterPlace,
  port: number,
  durable: boolean,
  output: string,
): ChildProcess {
  let descriptor: number;
  try {
    descriptor = openSync(output, "w", 0o600);
  } catch (error) {
    throw explainWriteFailure(home, error);
  }
  try {
    const args = ["-D", data, "-p", String(port), ...serverSettings({ logs, durable })];
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of Object.keys(env)) if (/^(PG|LC_|LANG)/.test(name)) delete env[name];
    return spawn(binaries.postgres, args, {
      ...user,
      env,
      cwd: "/",
      detached: true,
      stdio: ["ignore", descriptor, descriptor],
      windowsHide: true,
    });
  } finally {
    closeSync(descriptor);
  }
}

/** The cluster's live postmaster, however it was started. */
export function livePostmaster(data: string): Postmaster | undefined {
  const pidFile = readPidFile(data);
  return pidFile && isPostmasterOf(pidFile.pid, data) ? pidFile : undefined;
}

/** True once the process is gone, or false after `milliseconds`. */
export async function waitForExit(pid: number, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; ) {
    if (!isAlive(pid)) return true;
    await sleep(10);
  }
  return !isAlive(pid);
}

/** Stops the server: fast (sessions end, the log is flushed), then at once, then by force. */
export async function stopPostmaster(pid: number, data: string): Promise<void> {
  const steps: [NodeJS.Signals, number][] = [
    ["SIGINT", 30_000],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ];
  for (const [name, patience] of steps) {
    if (!isPostmasterOf(pid, data)) return;
    signal(pid, name);
    if (await waitForExit(pid, patience)) return;
  }
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
};

const logSizes = (logs: string): Map<string, number> =>
  new Map(readdirSync(logs).map((name) => [name, statSync(path.join(logs, name)).size]));

/** What the server logged since `before`: startup.log ends where it opens its own files. */
function writtenSince(logs: string, before: Map<string, number>): string {
  return [...logSizes(logs)]
    .filter(([name, size]) => size > (before.get(name) ?? 0))
    .map(([name]) => readText(path.join(logs, name)).slice(before.get(name) ?? 0))
    .join("\n");
}
