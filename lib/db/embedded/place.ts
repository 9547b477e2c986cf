import { createHash } from "node:crypto";
import { chownSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { type Binaries, copyBinaries, installedBinaries } from "./binaries.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { explainWriteFailure } from "./data-dir.ts";
import { canReach, canRun, isRoot, nobody, type OsUser, ownerOf } from "./os-user.ts";
import { livePostmaster, stopPostmaster } from "./postmaster.ts";
import type { State } from "./state.ts";

/** Settles where Postgres works and creates the folders. As root it runs as another user, which may need another place. */
export function choosePlace(dataDir: string, state: State): ClusterPlace {
  const installed = installedBinaries();
  const inside = path.join(dataDir, "postgres");
  if (!isRoot()) {
    if (!state.home) return makePlace(inside, installed, false);
    throw new OperatorError(
      `The database of ${dataDir} was created by root and is in ${state.home}: start Rapport as root again.`,
    );
  }

  const home = state.home ?? inside;
  if (state.home && !existsSync(path.join(home, "data"))) {
    throw new OperatorError(
      `The database of ${dataDir} was kept in ${home} and is gone: restore that folder from a backup.`,
    );
  }
  const user = ownerOf(path.join(home, "data")) ?? nobody();
  const reachable = canReach(existsSync(home) ? home : dataDir, user);
  if (existsSync(path.join(home, "data", "PG_VERSION")) && !reachable) {
    throw new OperatorError(
      `Postgres does not run as root, and user ${user.uid}, who owns the database in ${home}, cannot reach it: let others pass (chmod o+x) through the folders above.`,
    );
  }
  const settled = reachable ? home : reachableFolder(nameOf(dataDir));
  // One copy serves every data folder of this machine.
  const binaries = canRun(installed.postgres, user)
    ? installed
    : copyBinaries(installed, reachableFolder("rapport-postgres"));
  if (!canRun(binaries.postgres, user)) {
    throw new OperatorError(
      `User ${user.uid} cannot run ${binaries.postgres}: run Rapport as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return makePlace(settled, binaries, settled !== inside, user);
}

function makePlace(home: string, binaries: Binaries, moved: boolean, user?: OsUser): ClusterPlace {
  const logs = path.join(home, "log");
  try {
    mkdirSync(home, { recursive: true, mode: user ? 0o711 : 0o700 });
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    if (user) chownSync(logs, user.uid, user.gid);
  } catch (error) {
    throw explainWriteFailure(home, error);
  }
  const real = realpathSync(home);
  return { home: real, data: path.join(real, "data"), logs: path.join(real, "log"), binaries, moved, user };
}

/** What the folder of a database outside its data folder is called. */
const nameOf = (dataDir: string): string =>
  `rapport-${createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 12)}`;

/** A folder owned by root that every user can reach. `/var/tmp` is second: some systems sweep it. */
function reachableFolder(name: string): string {
  let failure: unknown;
  for (const parent of ["/var/lib", "/var/tmp"]) {
    const folder = path.join(parent, name);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o711 });
      const stats = lstatSync(folder);
      if (stats.isDirectory() && stats.uid === 0) return folder;
      failure = new Error(`${folder} belongs to someone else`);
    } catch (error) {
      failure = error;
    }
  }
  throw explainWriteFailure("/var/lib", failure);
}

const noteIn = (dataDir: string) => path.join(dataDir, "DATABASE-IS-ELSEWHERE.txt");

export function leaveNote(dataDir: string, home: string): void {
  const lines = [
    `The database of this folder is in ${home}`,
    "Rapport was started as root. Postgres does not run as root, and the user it runs as cannot reach this folder.",
    "Back up both folders.",
  ];
  writeFileSync(noteIn(dataDir), `${lines.join("\n")}\n`);
}

/**
 * A data folder that was deleted and created again finds its old cluster. That cannot be used without the old secrets,
 * so it is renamed and kept beside the new one.
 */
export async function setPredecessorAside(
  { data, moved }: ClusterPlace,
  dataDir: string,
  state: State,
): Promise<string | undefined> {
  if (!moved || state.home || existsSync(noteIn(dataDir)) || !existsSync(data)) return undefined;
  const running = livePostmaster(data);
  if (running) await stopPostmaster(running.pid, data);
  const aside = `${data}.before-${new Date().toISOString().replaceAll(":", "")}`;
  renameSync(data, aside);
  return aside;
}
