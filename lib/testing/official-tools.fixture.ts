import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

const folder = path.join(import.meta.dirname, "mcp-tools");

export type Run = { code: number | null; stdout: string; stderr: string };

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Run> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Installs the official checkers of MCP servers beside this file, unless they are there. */
export async function installOfficialTools(): Promise<void> {
  if (existsSync(path.join(folder, "node_modules", ".package-lock.json"))) return;
  const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"];
  const { code, stderr } = await run("npm", args, folder);
  if (code !== 0) throw new Error(`the official MCP tools could not be installed: ${stderr}`);
}

const bin = (name: string): string => path.join(folder, "node_modules", "@modelcontextprotocol", name);

export const conformance = (...args: string[]): Promise<Run> =>
  run(process.execPath, [path.join(bin("conformance"), "dist/index.js"), ...args], folder);

export const inspector = (...args: string[]): Promise<Run> =>
  run(process.execPath, [path.join(folder, "node_modules/.bin/mcp-inspector"), "--cli", ...args], folder);

/** A server that sends what it gets on to another with an API key: the conformance suite cannot send one. */
export async function withKey(target: () => string, key: string): Promise<{ url: string; close(): void }> {
  const proxy = http.createServer((request, response) => {
    const { port, hostname } = new URL(target());
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const onward = http.request({ hostname, port, path: request.url, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}
