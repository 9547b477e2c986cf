/**
 * Runs a script of this folder with a Node that can run it: this one, else the one that npm installed. Plain
 * JavaScript, since an older Node reads it first.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { watchParents } from "./parents.mjs";

/** True for a Node that runs TypeScript, and whose server can treat wishes to upgrade as ordinary requests (`lib/http/front.ts`). */
export function fits(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 9) || (major === 22 && minor >= 21);
}

/**
 * The Node of the package `node` in a clone; the package that `npm run package` makes depends on the platform's package
 * instead.
 */
function installedNode() {
  const { platform, arch } = process;
  const names = ["node", `node-${platform}-${arch}`, `node-bin-${platform}-${arch}`, `node-win-${arch}`];
  for (const name of names) {
    try {
      const folder = path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
      const file = path.join(folder, "bin", platform === "win32" ? "node.exe" : "node");
      if (existsSync(file)) return file;
    } catch {
      // not the package of this platform
    }
  }
  return undefined;
}

/**
 * Ends with the exit code of the script of that name (`.ts` in a clone, `.js` in a package); it inherits arguments, streams
 * and signals.
 */
export async function run(name) {
  const file = [".ts", ".js"].map((end) => fileURLToPath(new URL(`./${name}${end}`, import.meta.url))).find(existsSync);
  const itself = fits(process.versions.node);
  const installed = itself ? undefined : installedNode();
  if (itself) {
    process.argv[1] = file;
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      if (error.code !== "ERR_MODULE_NOT_FOUND" || !file.endsWith(".ts")) throw error;
      process.stderr.write(`${error.message}\nRun npm ci first.\n`);
      process.exit(1);
    }
  } else if (installed) {
    // Nothing is sent on this channel; it breaks when this process ends for any reason, and then the child ends too.
    const child = spawn(installed, [file, ...process.argv.slice(2)], {
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => child.kill(name));
    watchParents(() => child.kill("SIGTERM"));
    child.on("exit", (code) => process.exit(code ?? 1));
  } else {
    process.stderr.write(
      `Rapport needs Node 24.9 or newer, or 22.21, this is ${process.versions.node}: run npm ci first.\n`,
    );
    process.exit(1);
  }
}
