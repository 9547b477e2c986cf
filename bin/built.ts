import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { type Lock, tryLock } from "#lib/db/embedded/lock.ts";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { inProject, packaged } from "./project.ts";
import { hashOf } from "./sources.ts";

/** The sources of the pages. */
const sources = [
  "package-lock.json",
  "tsconfig.json",
  "next.config.mjs",
  "postcss.config.mjs",
  "instrumentation-client.ts",
  "proxy.next.ts",
  "app",
  "components",
  "lib",
  "prisma/schema",
  "public",
];

/** What `bin/build.ts` prints while another process builds, and its exit code when the result cannot be used. */
export const WAITING = "waiting for another build";
export const EXIT_SOURCES_CHANGED = 75;

/** Folder of all builds, `next typegen`'s types and what `npm run dev` writes. */
export const buildsFolder = ".next";

/**
 * A build of the pages: a separate folder for each state of the sources, so that a running build never disturbs a
 * server that uses an older one. The stamp is written last; a folder without it was left by a killed build.
 */
export interface Build {
  /** Relative to the project; Next's `distDir`. */
  folder: string;
}

export const currentBuild = (): Build =>
  packaged ? { folder: packaged.pages } : { folder: `${buildsFolder}/pages-${hashOf(sources).slice(0, 16)}` };

const stampOf = ({ folder }: Build) => inProject(folder, "rapport-build.json");
const lockOf = ({ folder }: Build) => inProject(`${folder}.lock`);

export const isBuilt = (build: Build): boolean => statSync(stampOf(build), { throwIfNoEntry: false }) !== undefined;

export const markBuilt = (build: Build): void =>
  void writeAtomically(stampOf(build), `${JSON.stringify({ builtAt: new Date().toISOString() })}\n`, { mode: 0o644 });

const lastBuild = () => inProject(buildsFolder, "last-build.json");

/** How long the last build took here; null before the first. */
export function lastBuildMs(): number | null {
  try {
    const { ms } = JSON.parse(readFileSync(lastBuild(), "utf8")) as { ms?: unknown };
    return typeof ms === "number" ? ms : null;
  } catch {
    return null; // none yet, or it cannot be read: then the page says nothing of it
  }
}

export const keepBuildMs = (ms: number): void =>
  void writeAtomically(lastBuild(), `${JSON.stringify({ ms: Math.round(ms) })}\n`, { mode: 0o644 });

/** Keeps a finished build from being removed while this process runs; undefined when there is none. */
export function holdBuild(build: Build): Lock | undefined {
  if (!isBuilt(build)) return undefined;
  let lock: Lock | undefined;
  try {
    lock = tryLock(lockOf(build), "shared");
  } catch {
    lock = { release: () => undefined }; // the folder is read-only: no other process removes anything from it
  }
  if (lock && isBuilt(build)) return lock;
  lock?.release();
  return undefined;
}

/** Removes builds of other states of the sources, unless a process uses them. Called by the one process that builds. */
export function removeOtherBuilds(build: Build): void {
  const names = readdirSync(inProject(buildsFolder)).filter((name) => /^pages-[0-9a-f]+$/.test(name));
  for (const name of names) {
    const other = { folder: `${buildsFolder}/${name}` };
    const lock = other.folder === build.folder ? undefined : tryLock(lockOf(other));
    if (!lock) continue;
    rmSync(stampOf(other), { force: true }); // first: a half removed build must not look complete
    rmSync(inProject(other.folder), { recursive: true, force: true, maxRetries: 3 });
    lock.release();
    rmSync(lockOf(other), { force: true });
  }
}

/** Empties the folder for a new build. */
export function clearBuild(build: Build): void {
  rmSync(stampOf(build), { force: true });
  rmSync(inProject(build.folder), { recursive: true, force: true, maxRetries: 3 });
}

/** The tsconfig for `next build`, which adds its own folder to the file it is given. */
export const tsconfigOf = ({ folder }: Build): string => `${buildsFolder}/${path.basename(folder)}.tsconfig.json`;

export function writeTsconfig(build: Build): void {
  const { include, ...config } = JSON.parse(readFileSync(inProject("tsconfig.json"), "utf8")) as { include: string[] };
  const text = JSON.stringify({ ...config, include: [`${path.basename(build.folder)}/types/**/*.ts`], exclude: [] });
  writeAtomically(inProject(tsconfigOf(build)), `${text}\n`, { mode: 0o644 });
}
