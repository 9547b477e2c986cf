import { spawn } from "node:child_process";
import path from "node:path";

export type CommandResult = { exit: number | null; stdout: string; stderr: string };

/** Nothing of the developer's own settings. */
function cleanEnv(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { DATABASE_URL, RAPPORT_DATA_DIR, RAPPORT_URL, RAPPORT_API_KEY, NODE_OPTIONS, FORCE_COLOR, ...env } =
    process.env;
  return { ...env, ...settings };
}

type Running = { stdin?: string; onStderr?: (text: string) => void };

/** Runs `rapport` as npm's link does. */
export function rapport(
  args: readonly string[],
  settings: Record<string, string>,
  { stdin = "", onStderr }: Running = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.resolve("bin/rapport.mjs"), ...args], { env: cleanEnv(settings) });
    const outcome = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => {
      outcome.stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      outcome.stderr += chunk;
      onStderr?.(outcome.stderr);
    });
    child.on("error", reject);
    child.on("close", (exit) => resolve({ exit, ...outcome }));
    child.stdin.on("error", () => undefined); // a command that reads none may be gone
    child.stdin.end(stdin);
  });
}
