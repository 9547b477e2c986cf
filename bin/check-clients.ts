/**
 * `npm run check:clients`: orval's client of our API compiles under a strict compiler, and n8n's linter passes our nodes. It
 * installs `clients/check` into a temporary folder, so it needs the network and takes a minute.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureGenerated } from "./prepare.ts";
import { inProject } from "./project.ts";

const folder = mkdtempSync(path.join(tmpdir(), "rapport-clients-"));
const inFolder = (...segments: string[]) => path.join(folder, ...segments);
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
const node = (...args: string[]) => run(process.execPath, ...args);

try {
  cpSync(inProject("clients/check"), folder, { recursive: true });
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
  await ensureGenerated();
  const { openApiDocument } = await import("#lib/openapi/document.ts"); // needs the database client, which may be new
  const description = inFolder("openapi.json");
  writeFileSync(description, JSON.stringify(openApiDocument("https://rapport.example.com")));

  node(
    "node_modules/orval/dist/bin/orval.mjs",
    "--input",
    description,
    "--output",
    "orval/client.ts",
    "--client",
    "fetch",
  );
  node("node_modules/typescript/bin/tsc");

  const nodes = inFolder("n8n"); // inside, so that the linter finds its plugin
  cpSync(inProject("clients/n8n"), nodes, { recursive: true });
  node(inProject("clients/generate/n8n.ts"), description, path.join(nodes, "nodes/Rapport/actions.ts"));
  const files = ["nodes", "credentials", "package.json"].map((name) => path.join(nodes, name));
  node(
    "node_modules/eslint/bin/eslint.js",
    "--no-eslintrc",
    "--config",
    "eslintrc.json",
    "--ext",
    ".ts,.json",
    ...files,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
