import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "#lib/core/operator-error.ts";
import { tryLock, waitForLock } from "#lib/db/embedded/lock.ts";
import { inProject, projectRoot } from "./project.ts";

interface Step {
  name: string;
  /** What the outcome depends on. */
  sources: string[];
  /** Holds the hash of the sources of the last success; lies inside the outcome, so that both go together. */
  stamp: string;
  command: string[];
  env?: Record<string, string>;
}

const client: Step = {
  name: "the database client",
  sources: ["package-lock.json", "prisma.config.ts", "prisma/schema"],
  stamp: "prisma/generated/rapport-generated.json",
  command: ["node_modules/prisma/build/index.js", "generate"],
  // `generate` checks that an engine is named and never runs it; without this it would download one.
  env: { PRISMA_SCHEMA_ENGINE_BINARY: "./package.json", PRISMA_HIDE_UPDATE_MESSAGE: "1" },
};

const pages: Step = {
  name: "the pages",
  sources: [
    "package-lock.json",
    "tsconfig.json",
    "next.config.mjs",
    "postcss.config.mjs",
    "instrumentation.ts",
    "instrumentation-client.ts",
    "proxy.ts",
  ].concat(["app", "components", "lib", "prisma/schema", "public"]),
  stamp: ".next/rapport-build.json",
  command: ["node_modules/next/dist/bin/next", "build"],
  env: { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
};

export interface PrepareOptions {
  log?: (line: string) => void;
  signal?: AbortSignal;
}

/** Generates the Prisma client when the schema changed. */
export const ensureGenerated = (options?: PrepareOptions): Promise<{ ran: boolean }> => ensure(client, options);

/** Builds the pages when anything they are made of changed. */
export const ensureBuilt = (options?: PrepareOptions): Promise<{ ran: boolean }> => ensure(pages, options);

async function ensure(step: Step, { log = () => undefined, signal }: PrepareOptions = {}): Promise<{ ran: boolean }> {
  if (readStamp(step) === hashOf(step.sources)) return { ran: false };
  const turn = await takeTurn(step);
  try {
    // Another process may have done the work while this one waited.
    const hash = hashOf(step.sources);
    if (readStamp(step) === hash) return { ran: false };
    rmSync(inProject(step.stamp), { force: true });
    const began = performance.now();
    log(`preparing ${step.name}`);
    await run(step, signal);
    mkdirSync(path.dirname(inProject(step.stamp)), { recursive: true });
    writeFileSync(inProject(step.stamp), `${JSON.stringify({ hash })}\n`);
    log(`prepared ${step.name} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return { ran: true };
  } finally {
    turn.release();
  }
}

async function takeTurn(step: Step) {
  const folder = inProject("node_modules/.cache/rapport");
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new OperatorError(
      `Cannot prepare ${step.name}: ${projectRoot} cannot be written (${(error as Error).message}).`,
      { cause: error },
    );
  }
  const file = path.join(folder, `${path.basename(step.stamp, ".json")}.lock`);
  const turn = tryLock(file) ?? (await waitForLock(file, 10 * 60_000));
  if (turn) return turn;
  throw new OperatorError(`Another process has been preparing ${step.name} for ten minutes; try again later.`);
}

function readStamp(step: Step): string | undefined {
  try {
    return (JSON.parse(readFileSync(inProject(step.stamp), "utf8")) as { hash?: string }).hash;
  } catch {
    return undefined;
  }
}

/** Depends on names and contents only, so that a copied or freshly cloned tree keeps its hash. */
function hashOf(sources: string[]): string {
  const hash = createHash("sha256");
  for (const file of sources.flatMap(filesOf)) {
    hash.update(`${path.relative(projectRoot, file)}\0`);
    hash.update(readFileSync(file));
    hash.update("\0");
  }
  return hash.digest("hex");
}

const isTest = (file: string) => /\.(test|spec)\.tsx?$|\.md$/.test(file);

function filesOf(source: string): string[] {
  const at = inProject(source);
  const stats = statSync(at, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [at];
  return readdirSync(at, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !isTest(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function run({ name, command, env }: Step, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        output += chunk;
      });
    }
    child.on("error", reject);
    child.on("close", (code, killed) => {
      if (code === 0) resolve();
      else
        reject(
          new OperatorError(
            `Preparing ${name} failed (${killed ?? `exit ${code}`}):\n${output.trim().split("\n").slice(-40).join("\n")}`,
          ),
        );
    });
  });
}

if (import.meta.main) {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  await ensureGenerated({ log });
  await ensureBuilt({ log });
}
