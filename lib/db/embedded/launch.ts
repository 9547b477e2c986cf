import { rmSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "#lib/settings/operator-error.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { explainFailure, kindOfFailure } from "./failure.ts";
import { launchPostmaster, livePostmaster } from "./postmaster.ts";
import { isAlive, leftBehind, readPidFile, signal } from "./server-processes.ts";

export interface LaunchOptions {
  place: ClusterPlace;
  /** Tried first. */
  port?: number;
  /** Connection pools wait for exactly that port. */
  samePort: boolean;
  durable: boolean;
  log: (line: string) => void;
}

const PATIENCE = 20_000;
/** Nothing that a killed server's sessions still do is ever committed, so they may be ended early. */
const ORPHANS_MAY_FINISH = 2_000;

/**
 * Starts the server on a free port. Children of a killed postmaster may hold its memory for a moment, or longer during
 * a long query: they are waited for, then ended.
 */
export async function launch({
  place,
  port,
  samePort,
  durable,
  log,
}: LaunchOptions): Promise<{ pid: number; port: number }> {
  const deadline = Date.now() + PATIENCE;
  let candidate = port && (samePort || (await isFree(port))) ? port : await freePort();
  for (;;) {
    await dropRecycledPidFile(place.data);
    const result = await launchPostmaster(place, candidate, durable, log);
    if (result.ready) return { pid: result.pid, port: candidate };
    const kind = kindOfFailure(result.output);
    if (kind === "other" || Date.now() > deadline) throw explainFailure(result.output, place.data, place.logs);
    if (kind !== "port taken" && Date.now() > deadline - PATIENCE + ORPHANS_MAY_FINISH) endLeftBehind(place.data, log);
    if (kind === "port taken" && !samePort) candidate = await freePort();
    else await sleep(200);
  }
}

/**
 * Postgres trusts the process id in `postmaster.pid`. After a reboot or in a new container that id may belong to
 * anything, and the server would refuse to start. A file whose process is gone stays: Postgres checks its memory first.
 */
async function dropRecycledPidFile(data: string): Promise<void> {
  const pidFile = readPidFile(data);
  if (!pidFile || !isAlive(pidFile.pid) || livePostmaster(data)) return;
  for (let waited = 0; leftBehind(data).length > 0; waited += 200) {
    if (waited > PATIENCE)
      throw new OperatorError(`Processes of an earlier Postgres still use ${data}: ${leftBehind(data).join(", ")}.`);
    await sleep(200);
  }
  rmSync(path.join(data, "postmaster.pid"), { force: true });
}

function endLeftBehind(data: string, log: (line: string) => void): void {
  for (const pid of leftBehind(data)) {
    log(`ending process ${pid}, left behind by a killed database server`);
    signal(pid, "SIGKILL");
  }
}

/** A port of 127.0.0.1 that is free now. */
export const freePort = async (): Promise<number> => (await tryPort(0)) ?? Promise.reject(new Error("no port is free"));

const isFree = async (port: number): Promise<boolean> => (await tryPort(port)) !== undefined;

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? address?.port : undefined));
    });
  });
}
