import { spawn } from "node:child_process";
import path from "node:path";
import { log } from "#lib/core/log.ts";
import { isDue } from "#lib/db/backup/status.ts";
import type { Schedule } from "#lib/jobs/handler.ts";
import { getBoot } from "#lib/settings/boot.ts";

const COMMAND = path.resolve(import.meta.dirname, "../../../../bin/rapport.mjs");

/** Runs the command in a process of its own, so that requests do not wait for it. Returns what it printed. */
async function run(words: readonly string[], signal: AbortSignal): Promise<{ exit: number | null; output: string }> {
  const child = spawn(process.execPath, [COMMAND, ...words], { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output += piece.toString("utf8");
    });
  const end = () => child.kill("SIGTERM");
  signal.addEventListener("abort", end);
  try {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    child.on("error", reject);
    child.on("close", resolve);
    return { exit: await promise, output: output.trim() };
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** With `BACKUP_EVERY`: what is due is made and proved. A try that failed is repeated later, and seen on the page of backups. */
async function keep(signal: AbortSignal): Promise<void> {
  const { env } = getBoot();
  if (!isDue(env, Date.now())) return;
  const { exit, output } = await run(["admin", "backup", "keep"], signal);
  if (signal.aborted) return;
  if (exit === 0) log.info({ output }, "backups");
  else log.error({ output }, "backups failed");
}

const isNeeded = (): boolean => {
  const { BACKUP_EVERY, DATABASE_URL } = getBoot().env;
  return BACKUP_EVERY !== undefined && DATABASE_URL === undefined;
};

export const schedules: readonly Schedule[] = [{ name: "backups:keep", pattern: "*/5 * * * *", isNeeded, run: keep }];
