import { spawn } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/settings/operator-error.ts";
import type { ClusterPlace } from "./cluster-place.ts";
import { explainWriteFailure, requireFreeSpace } from "./data-dir.ts";
import { explainFailure } from "./failure.ts";
import type { OsUser } from "./os-user.ts";

export const SUPERUSER = "postgres";
const DRAFT = /^data\.\d+\.new$/;

/** Makes sure the place holds a cluster of this Postgres release, and creates it completely or not at all. */
export async function ensureCluster(place: ClusterPlace, password: string): Promise<{ created: boolean }> {
  if (existsSync(place.data)) {
    requireSameMajor(place);
    // A running server needs room for one more segment of its log.
    await requireFreeSpace(place.data, 20 * 2 ** 20);
    return { created: false };
  }
  await requireFreeSpace(place.home, 150 * 2 ** 20);
  const passwordFile = path.join(place.home, "initial-password");
  try {
    await fillCluster(place, async (draft) => {
      writeFileSync(passwordFile, password, { mode: 0o600 });
      if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
      await initialise(place, draft, passwordFile);
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  return { created: true };
}

/** Makes a cluster of what `fill` writes into a new folder, completely or not at all. Refuses a place that has one. */
export async function fillCluster(
  place: ClusterPlace,
  fill: (draft: string, user: OsUser | undefined) => Promise<void>,
): Promise<void> {
  if (existsSync(place.data)) throw new OperatorError(`There is a database in ${place.data} already.`);
  for (const name of readdirSync(place.home)) {
    if (DRAFT.test(name)) rmSync(path.join(place.home, name), { recursive: true, force: true });
  }
  const draft = path.join(place.home, `data.${process.pid}.new`);
  try {
    mkdirSync(draft, { mode: 0o700 });
    if (place.user) chownSync(draft, place.user.uid, place.user.gid);
    await fill(draft, place.user);
    renameSync(draft, place.data);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error instanceof OperatorError ? error : explainWriteFailure(place.home, error);
  }
}

function requireSameMajor({ data, binaries }: ClusterPlace): void {
  const ours = binaries.version.split(".")[0];
  let theirs: string;
  try {
    theirs = readFileSync(path.join(data, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new OperatorError(
      missing
        ? `${data} is not a Postgres database (it has no PG_VERSION): restore it from a backup, or move it away to begin again.`
        : `The database in ${data} cannot be read by this user: start Rapport as the user who created it.`,
      { cause: error },
    );
  }
  if (theirs === ours) return;
  throw new OperatorError(
    `The database in ${data} was made by Postgres ${theirs}, this release of Rapport brings ${ours}: dump it with the release that made it and load it here.`,
  );
}

/**
 * Sorting is by code point everywhere; what counts as a letter (search, trigrams) is decided by the first locale that
 * exists.
 */
async function initialise(place: ClusterPlace, draft: string, passwordFile: string): Promise<void> {
  let output = "";
  for (const letters of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", `--lc-ctype=${letters}`];
    const login = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
    const done = await run(place, place.binaries.initdb, [
      "-D",
      draft,
      "--encoding=UTF8",
      ...locale,
      ...login,
      "--no-instructions",
    ]);
    if (done.ok) return;
    output = done.output;
    if (!/invalid locale name/.test(output)) break;
  }
  throw explainFailure(output, place.home, "none was written");
}

/** Gives the superuser of a stopped cluster a password, for when the remembered one was lost. */
export async function resetSuperuserPassword(place: ClusterPlace, password: string): Promise<void> {
  const statement = `ALTER ROLE ${SUPERUSER} PASSWORD '${password}';\n`;
  const done = await run(place, place.binaries.postgres, ["--single", "-D", place.data, "postgres"], statement);
  if (!done.ok) throw explainFailure(done.output, place.data, place.logs);
}

function run(
  { user }: ClusterPlace,
  program: string,
  args: string[],
  input = "",
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...user, cwd: "/", stdio: "pipe", windowsHide: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", (error) => resolve({ ok: false, output: error.message }));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
