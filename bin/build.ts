/**
 * Builds the pages, in a separate process that `bin/pages.ts` starts: it holds the lock of all builds while it runs,
 * and ends with the process that started it, so that no two builds ever write to one folder.
 */
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { tryLock, waitForLock } from "#lib/db/embedded/lock.ts";
import {
  buildsFolder,
  clearBuild,
  currentBuild,
  EXIT_SOURCES_CHANGED,
  isBuilt,
  markBuilt,
  removeOtherBuilds,
  tsconfigOf,
  WAITING,
  writeTsconfig,
} from "./built.ts";
import { inProject, projectRoot } from "./project.ts";

const TURN_MS = 10 * 60_000;

process.on("disconnect", () => process.exit(1));
process.chdir(projectRoot);
mkdirSync(inProject(buildsFolder), { recursive: true });

const lockFile = inProject(buildsFolder, "pages.lock");
let turn = tryLock(lockFile);
if (!turn) {
  process.stdout.write(`${WAITING}\n`);
  turn = await waitForLock(lockFile, TURN_MS);
}
if (!turn) {
  process.stderr.write("Another process has been building the pages for ten minutes; try again later.\n");
  process.exit(1);
}
const build = currentBuild();
if (isBuilt(build)) process.exit(0); // by the process that held the lock before

removeOtherBuilds(build);
clearBuild(build);
writeTsconfig(build);
Object.assign(process.env, {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  PAGES_FOLDER: build.folder,
  PAGES_TSCONFIG: tsconfigOf(build),
});
process.on("exit", (code) => {
  if (code !== 0) return;
  // The sources changed during the build (a git pull, say): the result matches neither state.
  if (currentBuild().folder === build.folder) markBuilt(build);
  else process.exitCode = EXIT_SOURCES_CHANGED;
});
const next = inProject("node_modules/next/dist/bin/next");
process.argv = [process.execPath, next, "build"];
await import(pathToFileURL(next).href);
