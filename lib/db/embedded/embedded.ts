import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { ensureCluster, fillCluster, resetSuperuserPassword } from "./cluster.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { prepareDataDir } from "./data-dir.ts";
import { type LaunchOptions, launch } from "./launch.ts";
import { type Lock, tryLock, waitForLock } from "./lock.ts";
import type { OsUser } from "./os-user.ts";
import { choosePlace, leaveNote, setPredecessorAside } from "./place.ts";
import { livePostmaster, stopPostmaster, waitForExit } from "./postmaster.ts";
import { ensureRole, isWrongPassword, superuserUrl, userUrl } from "./role.ts";
import { isAlive } from "./server-processes.ts";
import { hasState, loadState, type State, saveState } from "./state.ts";

export interface EmbeddedServer {
  /** For the app: a role that owns its database and obeys row level security. */
  url: string;
  /** For bootstrap and test databases. */
  superuserUrl: string;
  /** True when the server was already running: left by a killed launcher, or started by another process. */
  adopted: boolean;
  pid: number;
  port: number;
  /** Ends our use; the last user stops the server. */
  stop(): Promise<void>;
  /** Resolves once the server is gone; `asked` is true for our own stop, false for a crash. */
  exited: Promise<{ asked: boolean }>;
}

export interface EmbeddedOptions {
  dataDir: string;
  log: (line: string) => void;
  /** False only for databases that a test throws away. */
  durable?: boolean;
  /** Uses this port and no other. */
  port?: number;
  /** Joins the running server and never stops it; throws where there is none, and when it does not answer. */
  joins?: true;
}

/**
 * Starts the Postgres of a data folder, or joins the one that runs there. Processes share it: each holds
 * `postgres.users`, and the last one stops the server. `postgres.lock` lets one process start or stop at a time.
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  port,
  joins,
}: EmbeddedOptions): Promise<EmbeddedServer> {
  prepareDataDir(dataDir);
  const turn = await takeTurn(dataDir);
  try {
    const state = loadState(dataDir);
    const place = choosePlace(dataDir, state);
    const aside = await setPredecessorAside(place, dataDir, state);
    if (aside) log(`the database of an earlier ${dataDir} was set aside in ${aside}`);
    const running = await (joins ? join(place, state) : adopt(place, state, dataDir, log));
    const server =
      running ??
      (await begin(place, state, { place, port: port ?? state.port, samePort: port !== undefined, durable, log }));
    const use = tryLock(usersFile(dataDir), "shared");
    if (!use) throw new OperatorError(`${usersFile(dataDir)} is locked by another program.`);
    const home = place.moved ? place.home : undefined;
    if (home && state.home !== home) leaveNote(dataDir, home);
    if (state.port !== server.port || state.home !== home) saveState(dataDir, { ...state, port: server.port, home });
    return {
      ...server,
      url: userUrl(state, server.port),
      superuserUrl: superuserUrl(state, server.port),
      adopted: running !== undefined,
      ...watch(dataDir, place, server.pid, use),
    };
  } finally {
    turn.release();
  }
}

/**
 * Gives a data folder the cluster that `fill` writes into the folder it is called with, completely or not at all. The
 * next start sets the passwords of this data folder. Refuses one that has a database.
 */
export async function placeCluster(
  dataDir: string,
  fill: (data: string, user: OsUser | undefined) => Promise<void>,
): Promise<void> {
  const turn = await takeTurn(dataDir);
  try {
    requireNoDatabase(dataDir);
    const state = loadState(dataDir);
    const place = choosePlace(dataDir, state);
    await setPredecessorAside(place, dataDir, state);
    await fillCluster(place, fill);
    if (!place.moved) return;
    leaveNote(dataDir, place.home);
    saveState(dataDir, { ...state, home: place.home });
  } finally {
    turn.release();
  }
}

/** What a data folder without a database may have: its secrets, and what a restore that failed left. */
const MAY_BE_THERE = /^(secrets\.json|postgres\.(json|lock|users)|postgres|DATABASE-IS-ELSEWHERE\.txt)$/;

/** Throws unless a cluster may be placed in the data folder: it has no database, and nothing that is not ours. */
export function requireNoDatabase(dataDir: string): void {
  if (hasState(dataDir) && existsSync(path.join(clusterHome(dataDir), "data")))
    throw new OperatorError(`There is a database in ${dataDir} already: name a new folder, or move that one away.`);
  const other = existsSync(dataDir) ? readdirSync(dataDir).find((name) => !MAY_BE_THERE.test(name)) : undefined;
  if (other !== undefined)
    throw new OperatorError(`${dataDir} is not empty (${other}): name a new folder, or move that one away.`);
}

/** The folder with the cluster and its logs: outside of the data folder where Postgres cannot reach that. */
export const clusterHome = (dataDir: string): string => loadState(dataDir).home ?? path.join(dataDir, "postgres");

const usersFile = (dataDir: string) => path.join(dataDir, "postgres.users");

async function takeTurn(dataDir: string): Promise<Lock> {
  const turn = await waitForLock(path.join(dataDir, "postgres.lock"), 60_000);
  if (turn) return turn;
  throw new OperatorError(
    `Another process has been starting or stopping the database in ${dataDir} for a minute; try again later.`,
  );
}

/** The server that already runs on the cluster, however slow it is: its own app looks after it. */
async function join(place: ClusterPlace, state: State): Promise<{ pid: number; port: number }> {
  const postmaster = livePostmaster(place.data);
  if (!postmaster) throw new OperatorError(`The database in ${place.data} does not run.`);
  try {
    await ensureRole(state, postmaster.port);
  } catch (error) {
    throw notAnswering(place, error as Error);
  }
  return { pid: postmaster.pid, port: postmaster.port };
}

const notAnswering = ({ data }: ClusterPlace, error: Error): OperatorError =>
  new OperatorError(`The running database in ${data} does not answer: ${error.message}`, { cause: error });

/**
 * The server that already runs on the cluster, if it is healthy and accepts our password. One that no process uses is stopped
 * otherwise; one that is used may only be slow, and its app looks after it.
 */
async function adopt(
  place: ClusterPlace,
  state: State,
  dataDir: string,
  log: (line: string) => void,
): Promise<{ pid: number; port: number } | undefined> {
  let postmaster = livePostmaster(place.data);
  if (postmaster?.status === "stopping") await waitForExit(postmaster.pid, 30_000);
  for (let tries = 0; postmaster && postmaster.status !== "ready" && tries < 600; tries++) {
    await waitForExit(postmaster.pid, 100);
    postmaster = livePostmaster(place.data);
  }
  if (!postmaster) return undefined;
  try {
    await ensureRole(state, postmaster.port);
    return { pid: postmaster.pid, port: postmaster.port };
  } catch (error) {
    const unused = tryLock(usersFile(dataDir));
    if (!unused) throw notAnswering(place, error as Error);
    unused.release();
    log(
      `the running database server (process ${postmaster.pid}) does not answer (${(error as Error).message}); starting it again`,
    );
    await stopPostmaster(postmaster.pid, place.data);
    return undefined;
  }
}

/** Creates the cluster when there is none and starts its server. */
async function begin(
  place: ClusterPlace,
  state: State,
  options: LaunchOptions,
): Promise<{ pid: number; port: number }> {
  await ensureCluster(place, state.superuserPassword);
  const server = await launch(options);
  try {
    await ensureRole(state, server.port);
    return server;
  } catch (error) {
    await stopPostmaster(server.pid, place.data);
    if (!isWrongPassword(error)) {
      const why = (error as Error).message;
      throw new OperatorError(
        `The database in ${place.data} does not work (${why}): restore the folder from a backup.`,
        { cause: error },
      );
    }
    options.log("the database's passwords were lost; setting new ones");
    await resetSuperuserPassword(place, state.superuserPassword);
    const again = await launch(options);
    await ensureRole(state, again.port, { newPassword: true });
    return again;
  }
}

const WATCH_EVERY = 250;

function watch(dataDir: string, place: ClusterPlace, pid: number, use: Lock): Pick<EmbeddedServer, "stop" | "exited"> {
  const { promise: exited, resolve } = Promise.withResolvers<{ asked: boolean }>();
  let stopping: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    resolve({ asked: stopping !== undefined });
  }, WATCH_EVERY);
  timer.unref();

  const leave = async () => {
    const turn = await takeTurn(dataDir);
    try {
      use.release();
      const alone = tryLock(usersFile(dataDir));
      const running = alone && livePostmaster(place.data);
      if (running) await stopPostmaster(running.pid, place.data);
      alone?.release();
    } finally {
      turn.release();
      clearInterval(timer);
      resolve({ asked: true });
    }
  };
  return {
    exited,
    stop() {
      stopping ??= leave();
      return stopping;
    },
  };
}
