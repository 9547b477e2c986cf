import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

/** A small project under our own knip.jsonc, with one of each that must be found. */
const files: Record<string, string> = {
  "package.json": JSON.stringify({
    name: "small",
    type: "module",
    imports: { "#lib/*": "./lib/*" },
    dependencies: { zod: "4", pg: "8", "@types/pg": "8", clsx: "2" },
    devDependencies: { vitest: "5", svix: "2" },
  }),
  "tsconfig.json": JSON.stringify({ compilerOptions: { module: "esnext", moduleResolution: "bundler" } }),
  "bin/start.ts":
    'import pg from "pg";\nimport { lost } from "left-pad";\nimport { used } from "#lib/core/a.ts";\nused(pg, lost);\n',
  "lib/core/a.ts":
    "export const used = (...parts: unknown[]): Shape => inner(parts);\nexport const inner = (parts: unknown[]): Shape => parts;\ntype Shape = unknown[];\nexport type Only = string;\n",
  "lib/core/a.test.ts": 'import { test } from "vitest";\ntest("a", () => {});\n',
  "lib/core/alone.ts": 'import { clsx } from "clsx";\nexport const name = clsx("a");\n',
  "lib/domain/knowledge/notes/contract.ts": "export const Note = {};\nexport const saveNote = { input: Note };\n",
  "lib/domain/knowledge/notes/service.ts":
    'import { saveNote } from "./contract.ts";\nimport "#lib/core/missing.ts";\nsaveNote;\n',
  "bin/worker.ts": 'import "#lib/domain/knowledge/notes/service.ts";\n',
};

type NamedExport = { name: string };
type Issue = { file: string } & Record<string, NamedExport[]>;

function knipOf(tree: Record<string, string>): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "unused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(tree)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  cpSync(path.join(root, "knip.jsonc"), path.join(folder, "knip.jsonc"));
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const knip = [path.join(root, "node_modules/knip/bin/knip.js"), "--no-progress", "--reporter", "json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, knip, { cwd: folder, encoding: "utf8" });
  expect(status, stderr).toBe(1);
  return (JSON.parse(stdout) as { issues: Issue[] }).issues.flatMap(({ file, ...kinds }) =>
    Object.entries(kinds).flatMap(([kind, found]) => found.map(({ name }) => `${kind}: ${name} of ${file}`)),
  );
}

test("what nothing uses is found: files, exports, types and packages, and what is imported but not there", () => {
  expect(knipOf(files).sort()).toEqual([
    "dependencies: clsx of package.json",
    "dependencies: zod of package.json",
    "devDependencies: svix of package.json",
    "exports: inner of lib/core/a.ts",
    "files: lib/core/alone.ts of lib/core/alone.ts",
    "types: Only of lib/core/a.ts",
    "unlisted: left-pad of bin/start.ts",
    "unresolved: #lib/core/missing.ts of lib/domain/knowledge/notes/service.ts",
  ]);
});
