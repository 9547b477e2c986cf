/**
 * Reads the repository as text: its files and what each of them imports. No compiler, so that it takes milliseconds.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export type Import = {
  /** As written. */
  specifier: string;
  /** Path from the root for our own files, undefined for packages. */
  target: string | undefined;
  /** Package name, or `node:…`, for what is not ours. */
  bare: string | undefined;
  typeOnly: boolean;
};

export type SourceFile = {
  path: string;
  /** The text with whole-line and block comments blanked. */
  code: string;
  text: string;
  imports: Import[];
};

const read = /\.(ts|tsx|mjs|js|cjs|css|json)$/;
const parsed = /\.(ts|tsx|mjs|js|cjs)$/;
const skippedFolders = new Set([
  "node_modules",
  ".next",
  ".data",
  ".git",
  ".cache",
  "coverage",
  "test-results",
  "public",
]);
const skippedPaths = new Set(["prisma/generated", "package-lock.json", "next-env.d.ts"]);

/** All files of the repository that hold our code or configuration. */
export function readTree(root: string): SourceFile[] {
  const files: SourceFile[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (skippedPaths.has(path) || skippedFolders.has(entry.name)) continue;
      if (entry.isDirectory()) walk(path);
      else if (read.test(entry.name)) files.push(sourceFile(path, readFileSync(join(root, path), "utf8")));
    }
  };
  walk("");
  return files;
}

export function sourceFile(path: string, text: string): SourceFile {
  const code = parsed.test(path) ? withoutComments(text) : text;
  return { path, text, code, imports: parsed.test(path) ? importsOf(path, code) : [] };
}

/** The formatter puts imports at the start of a line, so a comment that could be mistaken for one starts there too. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm, "");
}

const statement = /^(?:import|export)(\s+type\b(?!\s*from\b))?(?:[^"';=()]*?\bfrom)?\s*["']([^"']+)["']/gm;
const call = /\b(?:import|require)\(\s*["'`]([^"'`$\n]+)["'`]\s*[,)]/g;

function importsOf(path: string, code: string): Import[] {
  const imports: Import[] = [];
  for (const [, type, specifier] of code.matchAll(statement)) {
    if (specifier) imports.push(resolve(path, specifier, type !== undefined));
  }
  for (const [, specifier] of code.matchAll(call)) {
    if (specifier) imports.push(resolve(path, specifier, false));
  }
  return imports;
}

function resolve(from: string, specifier: string, typeOnly: boolean): Import {
  const ours = specifier.startsWith("#")
    ? specifier.slice(1)
    : specifier.startsWith(".")
      ? posix.join(posix.dirname(from), specifier)
      : undefined;
  return { specifier, typeOnly, target: ours, bare: ours === undefined ? packageOf(specifier) : undefined };
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:")) return specifier;
  const [scope = "", name = ""] = specifier.split("/");
  return scope.startsWith("@") ? `${scope}/${name}` : scope;
}

/** The room a file lives in: `lib/domain/<area>/<noun>`, `lib/<room>`, `components/<area>`, or the top folder. */
export function roomOf(path: string): string {
  const [top = "", area = ""] = path.split("/");
  if (!path.includes("/")) return "";
  const slice = sliceOf(path);
  if (slice !== undefined) return `lib/domain/${slice}`;
  if (top === "lib" || top === "components") return `${top}/${area}`;
  return top;
}

/** The slice a file belongs to, `<area>/<noun>`, or undefined for what is not inside one. */
export function sliceOf(path: string): string | undefined {
  return /^lib\/domain\/([^/]+\/[^/]+)\//.exec(path)?.[1];
}

/** Tests, their fixtures and benchmarks: they may import anything. */
export function isTest(path: string): boolean {
  return /\.(test|fixture)\.tsx?$/.test(path) || /^(lib\/testing|e2e|bench)\//.test(path);
}
