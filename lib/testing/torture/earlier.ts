/** The version before, as code that can be started: its commit, with the packages of this version, since what is tried is the database. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { EARLIER } from "../schema/earlier.ts";

const tree = path.resolve(import.meta.dirname, "../../..");
const MOST_BYTES = 256 * 1024 * 1024;

/** A new folder with the code of the version before, ready to start; `remove` removes it. */
export function earlierTree(): { root: string; remove(): void } {
  const archive = spawnSync("git", ["archive", EARLIER.commit], { cwd: tree, maxBuffer: MOST_BYTES });
  if (archive.status !== 0)
    throw new Error(
      `The version before (${EARLIER.commit.slice(0, 8)}) is not in this clone: git fetch --unshallow.\n${archive.stderr}`,
    );
  const root = mkdtempSync(path.join(tmpdir(), "rapport-earlier-"));
  execFileSync("tar", ["-x", "-C", root], { input: archive.stdout });
  symlinkSync(path.join(tree, "node_modules"), path.join(root, "node_modules"));
  execFileSync(process.execPath, [path.join(root, "bin/generate.ts")], { cwd: root, stdio: "pipe" });
  return { root, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The names of the migrations that the version before has, in order. */
export const earlierMigrations = (): string[] =>
  execFileSync("git", ["ls-tree", "-d", "--name-only", EARLIER.commit, "prisma/migrations/"], { cwd: tree })
    .toString()
    .trim()
    .split("\n")
    .map((folder) => path.basename(folder))
    .sort();
