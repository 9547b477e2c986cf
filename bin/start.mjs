/**
 * Runs `bin/start.ts` with a Node that runs TypeScript: this one, else the one that npm installed.
 * `npm start` has the latter first in its path; `node bin/start.mjs` works with any Node from 18.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
const fits = major > 22 || (major === 22 && minor >= 18);
const installed = fileURLToPath(new URL("../node_modules/node/bin/node", import.meta.url));

if (fits) await import("./start.ts");
else if (existsSync(installed)) {
  const script = fileURLToPath(new URL("./start.ts", import.meta.url));
  const child = spawn(installed, [script, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
  child.on("exit", (code) => process.exit(code ?? 1));
} else {
  process.stderr.write(
    `Rapport needs Node 22.18 or newer, this is ${process.versions.node}: run npm ci, then npm start.\n`,
  );
  process.exit(1);
}
