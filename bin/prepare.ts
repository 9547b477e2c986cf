import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { tryLock, waitForLock } from "#lib/db/embedded/lock.ts";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { writeAtomically } from "#lib/settings/write-atomically.ts";
import { inProject, packaged, projectRoot } from "./project.ts";
import { hashOf } from "./sources.ts";

const sources = ["package-lock.json", "prisma/schema"];
/**
 * Holds the hash of the sources of the last success; it is inside the generated folder, so that both are deleted
 * together.
 */
const stamp = "prisma/generated/rapport-generated.json";
export interface GenerateOptions {
  log?: (line: string) => void;
  signal?: AbortSignal;
}

/** Generates the Prisma client when the schema changed. */
export async function ensureGenerated({ log = () => undefined, signal }: GenerateOptions = {}): Promise<void> {
  if (packaged || readStamp() === hashOf(sources)) return;
  const turn = await takeTurn();
  try {
    // Another process may have done the work while this one waited.
    const hash = hashOf(sources);
    if (readStamp() === hash) return;
    rmSync(inProject(stamp), { force: true });
    const began = performance.now();
    await generate(signal);
    writeAtomically(inProject(stamp), `${JSON.stringify({ hash })}\n`, { mode: 0o644 });
    log(`generated the database client in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } finally {
    turn.release();
  }
}

async function takeTurn() {
  const folder = inProject("node_modules/.cache/rapport");
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new OperatorError(
      `Cannot generate the database client: ${projectRoot} cannot be written (${(error as Error).message}).`,
      { cause: error },
    );
  }
  const file = `${folder}/generated.lock`;
  const turn = tryLock(file) ?? (await waitForLock(file, 10 * 60_000));
  if (turn) return turn;
  throw new OperatorError("Another process has been generating the database client for ten minutes; try again later.");
}

function readStamp(): string | undefined {
  try {
    return (JSON.parse(readFileSync(inProject(stamp), "utf8")) as { hash?: string }).hash;
  } catch {
    return undefined;
  }
}

function generate(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inProject("bin/generate.ts")], {
      cwd: projectRoot,
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
      if (code === 0) return resolve();
      const end = output.trim().split("\n").slice(-40).join("\n");
      reject(new OperatorError(`Generating the database client failed (${killed ?? `exit ${code}`}):\n${end}`));
    });
  });
}

if (import.meta.main) {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  await ensureGenerated({ log });
  const { ensureBuilt } = await import("./pages.ts");
  await ensureBuilt({ log });
}
