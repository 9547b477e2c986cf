/** `npm run package -- clients`: builds the clients of the API in `clients/` and packs each for npm. */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { inProject, projectRoot } from "./project.ts";

/** Builds below `stage`; the archives are left in the project. */
export async function packClients(stage: string, log: (line: string) => void): Promise<void> {
  const description = path.join(stage, "openapi.json");
  const { openApiDocument } = await import("#lib/openapi/document.ts"); // needs the database client, which may be new
  symlinkSync(inProject("node_modules"), path.join(stage, "node_modules"), "junction"); // what the compiler reads
  writeFileSync(description, JSON.stringify(openApiDocument("https://rapport.example.com")));
  log(packTypescript(path.join(stage, "typescript"), description));
  log(packN8n(path.join(stage, "n8n"), description));
}

/** Makes `rapport-client-<version>.tgz`, with the types of the API as it is now. */
function packTypescript(target: string, description: string): string {
  cpSync(inProject("clients/typescript"), target, { recursive: true });
  node(inProject("clients/generate/typescript.ts"), description, path.join(target, "src/schema.ts"));
  node(tsc, "--project", target);
  return npmPack(target);
}

/** Makes `n8n-nodes-rapport-<version>.tgz`, with the actions of the API as it is now. */
function packN8n(target: string, description: string): string {
  cpSync(inProject("clients/n8n"), target, { recursive: true });
  node(inProject("clients/generate/n8n.ts"), description, path.join(target, "nodes/Rapport/actions.ts"));
  node(tsc, "--project", target, "--noCheck"); // the types come with n8n
  for (const name of ["Rapport", "RapportTrigger"])
    cpSync(inProject("public/icon.svg"), path.join(target, "dist/nodes", name, "rapport.svg"));
  return npmPack(target);
}

const tsc = inProject("node_modules/typescript/bin/tsc");
const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: projectRoot, stdio: "inherit" });

/** Packs a folder into an archive of the project, and returns its name. */
export function npmPack(folder: string): string {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", projectRoot], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  const { name, version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as Identifier;
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

type Identifier = { name: string; version: string };
