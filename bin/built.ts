import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { writeAtomically } from "#lib/core/write-atomically.ts";
import { type Lock, tryLock } from "#lib/db/embedded/lock.ts";
import { inProject, packaged } from "./project.ts";
import { hashOf } from "./sources.ts";

/** What pages are made of. */
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

/** What `bin/build.ts` prints while another process builds, and how it ends when its outcome is of no use. */
export const WAITING = "waiting for another build";
export const EXIT_SOURCES_CHANGED = 75;

/** Holds all builds, `next typegen`'s types and what `npm run dev` writes. */
export const buildsFolder = ".next";

/**
 * A build of the pages: a folder of its own for each state of the sources, so that one under way never disturbs a server
 * that runs an older one. The stamp is written last; a folder without it is what a killed build left.
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

/** Keeps a finished build from being removed while this process runs; undefined when there is none. */
export function holdBuild(build: Build): Lock | undefined {
  if (!isBuilt(build)) return undefined;
  let lock: Lock | undefined;
  try {
    lock = tryLock(lockOf(build), "shared");
  } catch {
    lock = { release: () => undefined }; // a folder that cannot be written: no other process removes anything from it
  }
  if (lock && isBuilt(build)) return lock;
  lock?.release();
  return undefined;
}

/** Removes what other states of the sources left, unless a process uses it. Called by the one process that builds. */
export function removeOtherBuilds(build: Build): void {
  const names = readdirSync(inProject(buildsFolder)).filter((name) => /^pages-[0-9a-f]+$/.test(name));
  for (const name of names) {
    const other = { folder: `${buildsFolder}/${name}` };
    const lock = other.folder === build.folder ? undefined : tryLock(lockOf(other));
    if (!lock) continue;
    rmSync(stampOf(other), { force: true }); // first: what is half removed must not look whole
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

/** Of `next build`'s TypeScript set-up, which adds its own folder to the file it is given. */
export const tsconfigOf = ({ folder }: Build): string => `${buildsFolder}/${path.basename(folder)}.tsconfig.json`;

export function writeTsconfig(build: Build): void {
  const { include, ...config } = JSON.parse(readFileSync(inProject("tsconfig.json"), "utf8")) as { include: string[] };
  const text = JSON.stringify({ ...config, include: [`${path.basename(build.folder)}/types/**/*.ts`], exclude: [] });
  writeAtomically(inProject(tsconfigOf(build)), `${text}\n`, { mode: 0o644 });
}
