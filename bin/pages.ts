import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lock } from "#lib/db/embedded/lock.ts";
import type { PageCount, Step } from "#lib/html/preparing-page.ts";
import type { PageServer } from "#lib/http/page-server.ts";
import type { Env } from "#lib/settings/env.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import {
  type Build,
  currentBuild,
  EXIT_SOURCES_CHANGED,
  holdBuild,
  keepBuildMs,
  lastBuildMs,
  WAITING,
} from "./built.ts";
import { inProject, projectRoot } from "./project.ts";

export interface BuildOptions {
  log?: (line: string) => void;
  signal?: AbortSignal;
  onStep?: (step: Step, written?: PageCount | null) => void;
  /** A build begins when this has resolved. */
  answering?: Promise<void>;
}

/** Pauses before a build that was killed, or overtaken by newer sources, is tried again. */
const PAUSES_MS = [2_000, 30_000];

/** Returns the pages of the current sources, built first when needed; `lock` protects them from removal. */
export async function ensureBuilt(options: BuildOptions = {}): Promise<Build & { lock: Lock; ran: boolean }> {
  const { log = () => undefined, signal, onStep, answering } = options;
  for (let ran = false, tried = 0; ; tried++) {
    const build = currentBuild();
    const lock = holdBuild(build);
    if (lock) return { ...build, lock, ran };
    onStep?.("compiling");
    await answering;
    signal?.throwIfAborted();
    const began = performance.now();
    log("building the pages");
    const outcome = await runBuild(options);
    if (outcome === "built") {
      const ms = performance.now() - began;
      log(`built the pages in ${(ms / 1000).toFixed(1)} s`);
      keepBuildMs(ms);
    }
    ran = true;
    const pause = PAUSES_MS[tried];
    if (pause === undefined) throw new OperatorError(`The pages could not be built: ${outcome}.`);
    if (outcome !== "built") await sleep(pause, undefined, { signal });
  }
}

/** Lines that `next build` prints when a step begins. */
const steps: readonly [says: string, step: Step][] = [
  [WAITING, "waiting"],
  ["Creating an optimized production build", "compiling"],
  ["Collecting page data", "collecting"],
  ["Generating static pages", "writing"],
];

/** "Generating static pages (12/40)", of which the last counts. */
const WRITTEN = /Generating static pages[^(\n]*\((\d+)\/(\d+)\)/g;
function writtenIn(output: string): PageCount | null {
  const [, done, of] = [...output.matchAll(WRITTEN)].at(-1) ?? [];
  return done && of ? { done: Number(done), of: Number(of) } : null;
}

/** Runs `bin/build.ts` at a low priority: the API answers meanwhile. Throws what it printed when it fails. */
function runBuild({ signal, onStep = () => undefined }: BuildOptions): Promise<"built" | "interrupted" | "overtaken"> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inProject("bin/build.ts")], {
      cwd: projectRoot,
      env: { ...process.env, ...frugal },
      stdio: ["ignore", "pipe", "pipe", "ipc"], // the channel breaks when we end, and the child ends too
      signal,
    });
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // it ended already, or its priority may not be changed: then it runs at ours
    }
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output = (output + chunk).slice(-20_000);
        const step = steps.findLast(([says]) => output.includes(says))?.[1];
        if (step) onStep(step, writtenIn(output));
      });
    }
    child.on("error", reject);
    child.on("close", (code, killed) => {
      if (code === 0) return resolve("built");
      if (code === EXIT_SOURCES_CHANGED) return resolve("overtaken");
      if (killed) return resolve("interrupted");
      const end = output.trim().split("\n").slice(-40).join("\n");
      reject(new OperatorError(`Building the pages failed (exit ${code}):\n${end}`));
    });
  });
}

/** The compiler frees memory at once and its small workers stay small: a fifth less at the peak for 5 % more time. */
const frugal = { MIMALLOC_PURGE_DELAY: "0", NODE_OPTIONS: "--max-semi-space-size=2" };

/**
 * Builds the pages if necessary and lets Next serve them; returns a function that closes it. Only the pages depend on
 * this: the API also runs without them.
 */
export async function openPages(pages: PageServer, env: Env, options: BuildOptions): Promise<() => Promise<void>> {
  pages.expect(lastBuildMs());
  const { folder, lock } = await ensureBuilt({ ...options, onStep: (step, written) => pages.prepare(step, written) });
  if (pages.state === "preparing") pages.prepare("opening");
  process.env.PAGES_FOLDER = folder; // read by next.config.mjs
  const [{ default: createNext }, { openStaticFiles }] = await Promise.all([
    import("next"),
    import("#lib/http/static-files.ts"),
  ]);
  const next = createNext({ dev: false, dir: projectRoot, hostname: env.HOST, port: env.PORT });
  await next.prepare();
  pages.serve(next.getRequestHandler(), { files: openStaticFiles(path.join(projectRoot, folder, "static")) });
  return async () => {
    await next.close();
    lock.release();
  };
}

/** The same for `npm run dev`, where Next compiles pages on request. */
export async function openDevPages(pages: PageServer, env: Env): Promise<() => Promise<void>> {
  const { default: createNext } = await import("next");
  const next = createNext({ dev: true, dir: projectRoot, hostname: env.HOST, port: env.PORT });
  await next.prepare();
  pages.serve(next.getRequestHandler(), { reloads: true });
  return () => next.close();
}
