/**
 * `npm run package`: makes rapport-<version>.tgz, which holds the built pages, the generated database client and plain
 * JavaScript (Node strips no types inside `node_modules`), with the packages that run. Try it: `npx ./rapport-<version>.tgz`
 * in an empty folder.
 *
 * Its list of packages (an SBOM, CycloneDX) is in it and beside it, and beside it is where it comes from (provenance, SLSA).
 *
 *   node bin/package.ts --folder <dir>   leave the package unpacked in that folder instead
 *   node bin/package.ts clients          make the packages of clients/ instead
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { archiveOf } from "./archive.ts";
import { npmPack, packClients } from "./clients.ts";
import {
  bundledManifest,
  foldersOf,
  isUnread,
  type LockFile,
  type Manifest,
  manifestOf,
  outerManifest,
  packagesIn,
} from "./manifest.ts";
import { ensureBuilt } from "./pages.ts";
import { ensureGenerated } from "./prepare.ts";
import { inProject, projectRoot } from "./project.ts";
import { provenanceOf } from "./provenance.ts";
import { sbomOf } from "./sbom.ts";

/** Entry files; everything else is imported by them. */
const entries = ["bin/rapport.ts", "bin/start.ts", "bin/worker.ts", "lib/jobs/parsing-thread.ts", "app/**/route.ts"];
/** The list of packages, inside the package. */
const SBOM = "sbom.cdx.json";
/** Copied as they are. */
const files = [
  "bin/*.mjs",
  "next.config.mjs",
  "prisma/migrations/**/*.sql",
  "prisma/objects.txt",
  "public/**/*",
  ".env.example",
  "LICENSE",
  "README.md",
  "docs/guide/*.md",
  "docs/guide/pictures/*.svg",
  "app/fonts/*",
];
/** Next resolves these by name at a start, though only a build would load them. */
const resolvedByName = "node_modules/next/dist/compiled/webpack/!(bundle*).js";
/** Parts of the built pages that are not needed once they are built. */
const leftovers = /^(cache|diagnostics|node_modules|trace|trace-build|turbopack|types)(\/|$)|\.nft\.json$|\.map$/;

const began = new Date();
const { values, positionals } = parseArgs({ options: { folder: { type: "string" } }, allowPositionals: true });
const { folder } = values;
const log = (line: string) => process.stdout.write(`${line}\n`);
const wanted = positionals.join(" ");
if (wanted !== "" && wanted !== "clients") throw new Error(`There is nothing to package called ${wanted}.`);
const stage = folder ? path.resolve(folder) : mkdtempSync(path.join(tmpdir(), "rapport-package-"));
try {
  mkdirSync(stage, { recursive: true });
  await ensureGenerated({ log });
  if (wanted === "clients") await packClients(stage, log);
  else await packApp();
} finally {
  if (!folder) rmSync(stage, { recursive: true, force: true });
}

async function packApp(): Promise<void> {
  const { folder: pages } = await ensureBuilt({ log });
  compile();
  for (const file of globSync(files, { cwd: projectRoot }))
    cpSync(inProject(file), path.join(stage, file), { recursive: true });
  for (const name of ["packaged", "unpack"]) rmSync(path.join(stage, `bin/${name}.mjs`), { force: true });
  const external = copyPages(pages);
  const code = filesIn("{bin,lib,app,clients,prisma}/**/*.{js,mjs}").map((file) => readFileSync(file, "utf8"));
  const named = code.flatMap((text) => packagesIn(text));
  const read = (name: string): unknown => JSON.parse(readFileSync(inProject(name), "utf8"));
  const lock = read("package-lock.json") as LockFile;
  const manifest = manifestOf(read("package.json") as Manifest, lock, [...named, ...external], pages);
  write("package.json", manifest);
  const folders = foldersOf(manifest.bundleDependencies, lock);
  write(SBOM, sbomOf(manifest, folders, Object.keys(manifest.optionalDependencies), lock));
  for (const at of folders) bundle(at, lock);
  await leaveOutUntraced(folders);
  if (!folder) pack(manifest);
}

function write(name: string, value: unknown): void {
  writeFileSync(path.join(stage, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** Compiles the entries and what they import to JavaScript, at the same paths. */
function compile(): void {
  const { compilerOptions } = JSON.parse(readFileSync(inProject("tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  const config = inProject(".next/package.tsconfig.json");
  const options = {
    noEmit: false,
    noCheck: true,
    incremental: false,
    rewriteRelativeImportExtensions: true,
    allowJs: false,
    plugins: [],
    rootDir: projectRoot,
    outDir: stage,
  };
  const sources = globSync(entries, { cwd: projectRoot }).map((file) => inProject(file));
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, files: sources }));
  execFileSync(process.execPath, [inProject("node_modules/typescript/bin/tsc"), "--project", config], {
    stdio: "inherit",
  });
}

/**
 * Copies the built pages, and returns the packages they import from outside. The build refers to those through symbolic
 * links with a hash in the name, which an npm archive cannot hold: the plain name replaces them.
 */
function copyPages(pages: string): string[] {
  const links = globSync(["*", "@*/*"], { cwd: inProject(pages, "node_modules"), withFileTypes: true })
    .filter((entry) => entry.isSymbolicLink())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((at) => {
      const name = path.relative(inProject("node_modules"), path.resolve(path.dirname(at), readlinkSync(at)));
      if (name.includes("node_modules")) throw new Error(`The pages use ${name}, which a package cannot name.`);
      return { link: path.relative(inProject(pages, "node_modules"), at), name };
    });
  const target = path.join(stage, pages);
  for (const entry of readdirSync(inProject(pages), { recursive: true, withFileTypes: true })) {
    const at = path.join(entry.parentPath, entry.name);
    const name = path.relative(inProject(pages), at);
    if (entry.isFile() && !leftovers.test(name)) cpSync(at, path.join(target, name));
  }
  for (const file of globSync("server/**/*.{js,json}", { cwd: target })) {
    const at = path.join(target, file);
    const text = readFileSync(at, "utf8");
    writeFileSync(
      at,
      links.reduce((code, { link, name }) => code.replaceAll(link, name), text),
    );
  }
  for (const file of globSync("required-server-files.*", { cwd: target })) {
    const at = path.join(target, file);
    writeFileSync(at, readFileSync(at, "utf8").replaceAll(projectRoot, "."));
  }
  return links.map(({ name }) => name);
}

/** Copies an installed package at `node_modules/…`, without those inside it. */
function bundle(at: string, lock: LockFile): void {
  for (const file of globSync("**/*", { cwd: inProject(at), withFileTypes: true, exclude: ["**/node_modules"] })) {
    const from = path.join(file.parentPath, file.name);
    const name = path.relative(projectRoot, from).split(path.sep).join("/");
    if (!file.isFile() || isUnread(name.slice(name.lastIndexOf("node_modules/") + "node_modules/".length))) continue;
    cpSync(from, path.join(stage, name));
  }
  const manifest = JSON.parse(readFileSync(inProject(at, "package.json"), "utf8")) as Record<string, unknown>;
  write(`${at}/package.json`, bundledManifest(manifest, lock, at));
}

/**
 * Removes from the bundled packages what no module of the package reaches, found the way Next finds what a deployment
 * needs: two thirds of the files, and npm takes time per file. A package of which nothing is reached is used in another
 * way and stays whole, as do manifests and licences.
 */
async function leaveOutUntraced(folders: readonly string[]): Promise<void> {
  const load = createRequire(inProject("node_modules/next/package.json"));
  const { nodeFileTrace } = load("next/dist/compiled/@vercel/nft") as {
    nodeFileTrace(entries: string[], options: object): Promise<{ fileList: Set<string> }>;
  };
  const ours = filesIn("{bin,lib,app,clients,prisma,.next}/**/*.{js,mjs}");
  const nextServer = filesIn("node_modules/next/dist/server/{next,next-server,lib/router-server,lib/render-server}.js");
  const { fileList } = await nodeFileTrace([...ours, ...nextServer], {
    base: stage,
    processCwd: stage,
    mixedModules: true,
  });
  const kept = new Set([...[...fileList].map((file) => path.join(stage, file)), ...filesIn(resolvedByName)]);
  for (const folder of folders) {
    const files = globSync("**/*", { cwd: path.join(stage, folder), withFileTypes: true, exclude: ["**/node_modules"] })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    const code = files.filter(
      (file) => path.basename(file) !== "package.json" && !/licen[cs]e/i.test(path.basename(file)),
    );
    if (!code.some((file) => kept.has(file))) continue;
    for (const file of code) if (!kept.has(file)) rmSync(file);
  }
}

/** Files of the staged package, absolute. */
function filesIn(pattern: string): string[] {
  return globSync(pattern, { cwd: stage, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Makes the archive for npm: the program as one file, what unpacks it, and what npm fetches for the platform. */
function pack(manifest: ReturnType<typeof manifestOf>): void {
  const outer = mkdtempSync(path.join(tmpdir(), "rapport-outer-"));
  try {
    for (const file of ["LICENSE", "README.md"]) cpSync(path.join(stage, file), path.join(outer, file));
    cpSync(inProject("bin/packaged.mjs"), path.join(outer, "rapport.mjs"));
    cpSync(inProject("bin/unpack.mjs"), path.join(outer, "unpack.mjs"));
    writeFileSync(path.join(outer, "program.br"), archiveOf(stage));
    writeFileSync(path.join(outer, "package.json"), `${JSON.stringify(outerManifest(manifest), null, 2)}\n`);
    const archive = npmPack(outer);
    const { size } = statSync(inProject(archive));
    log(`${archive}: ${(size / 1e6).toFixed(1)} MB. Try: npx ./${archive}`);
    const beside = (ending: string) => inProject(archive.replace(/tgz$/, ending));
    cpSync(path.join(stage, SBOM), beside("cdx.json"));
    const products = [inProject(archive), beside("cdx.json")];
    const statement = provenanceOf({ products, program: stage, began, ended: new Date() });
    writeFileSync(beside("intoto.json"), `${JSON.stringify(statement, null, 2)}\n`);
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
}
