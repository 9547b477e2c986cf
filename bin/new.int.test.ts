import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readTree } from "#lib/testing/structure/tree.ts";
import { projectRoot } from "./project.ts";

/** A copy of the project without generated files, for a skeleton to be written into. */
let copy = "";
/** The files' text before. */
let before = new Map<string, string>();
const left = new Set(["node_modules", ".next", ".data", ".git", ".cache", "test-results"]);

beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), "rapport-new-"));
  cpSync(projectRoot, copy, {
    recursive: true,
    filter: (file) =>
      path.basename(file) !== "node_modules" && (path.dirname(file) !== projectRoot || !left.has(path.basename(file))),
  });
  symlinkSync(path.join(projectRoot, "node_modules"), path.join(copy, "node_modules"), "junction");
  before = new Map(readTree(copy).map(({ path: file, text }) => [file, text]));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function node(...args: string[]): { status: number | null; output: string } {
  const { TEST_DATABASE_URL, PATH } = process.env; // and none of the settings of the test runner
  const given = { PATH, NO_COLOR: "1", ...(TEST_DATABASE_URL ? { TEST_DATABASE_URL } : {}) };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    env: given as unknown as NodeJS.ProcessEnv,
  });
  return { status, output: stdout + stderr };
}
const make = (...args: string[]) => node("bin/new.ts", "operation", ...args);
/**
 * What reads the house and each operation. Linters of the OpenAPI document are left out: they judge how contracts are written down,
 * which is the same for one more.
 */
const checks = [
  "lib/testing/structure.test.ts",
  "lib/testing/addresses.test.ts",
  "lib/openapi/document.test.ts",
  ...globSync("lib/testing/conformance/*.test.ts", { cwd: projectRoot, exclude: ["**/*.int.test.ts"] }),
];
/** What the audit log is tested to have of operations that are there already. */
const OTHER_ENTRIES = String.raw`(?!\w+\.tidy$)\w+\.\w+$`;
/**
 * Checks the types of these files and of those that read the registry. The compiler has no option for that: the copy's other files say
 * that they are not checked, so this comes last.
 */
function checkTypesOf(files: readonly string[]): { status: number | null; output: string } {
  for (const { path: file, text } of readTree(copy))
    if (/\.tsx?$/.test(file) && !files.includes(file) && !text.includes('/registry.ts"'))
      writeFileSync(path.join(copy, file), `// @ts-nocheck\n${text}`);
  return node("node_modules/typescript/bin/tsc", "--noEmit", "--incremental", "false");
}
/** What vitest reports of a file. */
type TestFile = { name: string; assertionResults: { status: string }[] };
/** The files that are new or changed. */
const changed = () => readTree(copy).filter(({ path: file, text }) => before.get(file) !== text);

test("an operation that cannot be made is refused before anything is written", () => {
  for (const [args, said] of [
    [["nothings.list"], /no table nothings .* identifiers,/],
    [["identifiers.list", "--table", "users"], /no table users /],
    [["notes.get"], /operation getNote already/],
    [["people.pin"], /people names its records by \[focus\]/],
    [["identifiers.list"], /no slice identifiers yet: name the area/],
    [["nowhere/identifiers.list"], /no slice identifiers yet: name the area/],
    [["identifiers"], /^Usage:/],
    [["identifiers.list", "--like", "poem"], /^Usage:/],
    [["identifiers.list", "more"], /^Usage:/],
    [["identifiers.list", "--wrong"], /^Usage:/],
  ] as const) {
    const { status, output } = make(...args);
    expect([status, output], args.join(" ")).toEqual([2, expect.stringMatching(said)]);
  }
  expect(changed()).toEqual([]);
});

test("new skeletons follow the project's rules, and work", { timeout: 600_000 }, () => {
  const made = [
    make("records/identifiers.list"), // a new slice
    make("identifiers.get"), // beside it
    make("saved-views.tidy"), // a slice with its queries in one file, and a custom verb
    make("notes.count", "--like", "list"), // a slice with a folder of queries
    make("leads.tidy"), // and one with a folder of contracts
  ];
  for (const { status, output } of made) expect(status, output).toBe(0);
  expect(made[1]?.output).toContain("GET /v2/identifiers/:id is getIdentifier.");
  expect(make("identifiers.get").status, "the same again").toBe(2);

  const files = changed().map(({ path: file }) => file);
  expect(files.length).toBeGreaterThanOrEqual(20);
  const lint = node("node_modules/@biomejs/biome/bin/biome", "ci", ...files);
  expect(lint.status, lint.output).toBe(0);
  for (const args of [
    ["bin/test.ts", "--only", "generate"],
    ["node_modules/next/dist/bin/next", "typegen"],
  ]) {
    const { status, output } = node(...args);
    expect(status, output).toBe(0);
  }
  // In one run: what one file has loaded, all others have.
  const own = files.filter((file) => file.endsWith(".int.test.ts"));
  const report = path.join(copy, "report.json");
  const tests = node(
    ...["node_modules/vitest/vitest.mjs", "run", "--configLoader=native", "--maxWorkers=1"],
    ...["--project", "unit", "--project", "integration"],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ...["-t", `^(?!linters |what is not in the list waits whole|${OTHER_ENTRIES})`, ...checks, ...own],
  );
  expect(tests.status, tests.output).toBe(0);
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as { testResults: TestFile[] };
  const ran = new Map(testResults.map(({ name, assertionResults }) => [path.relative(copy, name), assertionResults]));
  expect([...ran.keys()].toSorted()).toEqual([...checks, ...own].toSorted());
  const outcomes = own.flatMap((file) => ran.get(file)?.map(({ status }) => status));
  expect(outcomes.filter((status) => status !== "skipped" && status !== "pending")).toEqual(Array(9).fill("passed"));
  const types = checkTypesOf(files);
  expect(types.status, types.output).toBe(0);
});
