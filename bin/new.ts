/** `npm run new operation <noun>.<verb>`: writes a small operation that works, for its author to extend. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { OperatorError } from "#lib/settings/operator-error.ts";
import { inProject, projectRoot } from "./project.ts";
import { namesOf, type Shape, shapes, snakeOf } from "./skeleton/names.ts";
import { planOf } from "./skeleton/plan.ts";
import { type Table, tablesOf } from "./skeleton/table.ts";

const usage = `Usage: npm run new operation [<area>/]<noun>.<verb> [-- --table <table>] [--like list|get|act]

  <area>   the folder of lib/domain that a new slice belongs to: crm
  <noun>   the slice and the table, in plural: invoices, saved-views
  <verb>   list pages the table, get reads one row; any other verb locks one row and writes to the audit log
  --table  the table, when it is not called like the noun
  --like   begin from the operation that list, get or another verb would give`;

try {
  writeOperation(readArguments());
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { table: { type: "string" }, like: { type: "string" } },
    });
    const [kind, name = "", ...rest] = positionals;
    const [, area, noun, verb] = /^(?:([a-z]+)\/)?([a-z]+(?:-[a-z]+)*)\.([a-z]+)$/.exec(name) ?? [];
    const like = shapes.find((shape) => shape === values.like);
    if (kind === "operation" && noun && verb && rest.length === 0 && (like || values.like === undefined))
      return { area, noun, verb, like, table: values.table ?? snakeOf(noun) };
  } catch {
    // an unknown option: the usage lists the known ones
  }
  throw new OperatorError(usage);
}

type NewOperation = { area: string | undefined; noun: string; verb: string; like: Shape | undefined; table: string };

function writeOperation({ area, noun, verb, like, table }: NewOperation): void {
  const shape = like ?? (verb === "list" || verb === "get" ? verb : "act");
  const tableInSchema = requireTable(table);
  const names = namesOf({ area: areaFor(noun, area), noun }, verb, shape, tableInSchema);
  const plan = planOf(projectRoot, names);
  const created = [...plan.keys()].filter((file) => !existsSync(inProject(file)));
  for (const [file, text] of plan) {
    mkdirSync(path.dirname(inProject(file)), { recursive: true });
    writeFileSync(inProject(file), text);
  }
  format([...plan.keys()]);
  if (existsSync(inProject("bin/operations.ts"))) run("bin/operations.ts"); // so that the browser finds it
  process.stdout.write(`wrote   components/operations/${noun}.ts\n`);
  for (const file of plan.keys()) process.stdout.write(`${created.includes(file) ? "wrote  " : "changed"} ${file}\n`);
  process.stdout.write(`\n${names.method} ${names.path} is ${names.operation}. Give it the fields and decisions it is for, then run
  npm run verify
  npx vitest run --configLoader=native --project integration lib/domain/${names.area}/${noun} lib/testing/conformance -t ${names.operation}\n`);
}

/** Where the slice is; else the area that was named for it. */
function areaFor(noun: string, named: string | undefined): string {
  const areas = globSync("lib/domain/*/", { cwd: projectRoot }).map((folder) => path.basename(folder));
  const area = areas.find((one) => existsSync(inProject("lib/domain", one, noun))) ?? named;
  if (area !== undefined && areas.includes(area)) return area;
  throw new OperatorError(
    `There is no slice ${noun} yet: name the area it belongs to as well, as in ${areas[0]}/${noun}. Areas: ${areas.sort().join(", ")}. lib/README.md says what is in each.`,
  );
}

function requireTable(name: string): Table {
  const tables = tablesOf(projectRoot);
  const match = tables.find((table) => table.name === name);
  if (match) return match;
  throw new OperatorError(
    `There is no table ${name} of tenants with an id of its own. Name one with --table, or add it first (CONTRIBUTING.md, "A table"). There are: ${tables.map((table) => table.name).join(", ")}`,
  );
}

/** Sorts and merges the imports, and breaks the lines. Without the linter's rules: for some of them Biome reads the whole project. */
function format(files: string[]): void {
  const {
    vcs: _vcs,
    linter: _linter,
    overrides: _overrides,
    ...config
  } = JSON.parse(readFileSync(inProject("biome.json"), "utf8")) as Record<string, object>;
  const folder = mkdtempSync(path.join(tmpdir(), "rapport-format-"));
  try {
    writeFileSync(path.join(folder, "biome.json"), JSON.stringify({ ...config, linter: { enabled: false } }));
    run("node_modules/@biomejs/biome/bin/biome", "check", "--write", `--config-path=${folder}`, ...files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(script: string, ...args: string[]): void {
  const options = { cwd: projectRoot, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [inProject(script), ...args], options);
  if (status !== 0) throw new OperatorError(`The files are written, but ${script} failed:\n${stdout}${stderr}`);
}
