/**
 * Runs a TypeScript file of this folder with a Node that can: this one, else the one that npm installed. Plain
 * JavaScript, since it is what an older Node reads first.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { watchParents } from "./parents.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
const fits = major > 22 || (major === 22 && minor >= 18);
const folder = fileURLToPath(new URL("../node_modules/node/bin/", import.meta.url));
const installed = ["node", "node.exe"].map((name) => folder + name).find((file) => existsSync(file));

/** Ends with the exit code of `script`; it inherits arguments, streams and signals. */
export async function run(script) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  if (fits) {
    process.argv[1] = file;
    await import(new URL(script, import.meta.url).href);
  } else if (installed) {
    // The channel says nothing; it breaks when this process ends, however it does, and the other one ends then too.
    const child = spawn(installed, [file, ...process.argv.slice(2)], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
    watchParents(() => child.kill("SIGTERM"));
    child.on("exit", (code) => process.exit(code ?? 1));
  } else {
    process.stderr.write(`Rapport needs Node 22.18 or newer, this is ${process.versions.node}: run npm ci first.\n`);
    process.exit(1);
  }
}
