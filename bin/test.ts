/**
 * `npm test`: every check of the house in order, each in full even when an earlier one fails. Checks that need neither a database
 * nor a browser run beside each other.
 *
 *   node bin/test.ts               everything
 *   node bin/test.ts --fast        without database and browser (npm run verify)
 *   node bin/test.ts --only unit   one step; may be repeated
 *
 * It ends with the test files that took longest, and with the seed of what was left to chance; the last line is `N passed, M failed` over all tests, where a check that is
 * not a test runner counts as one.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, relative } from "node:path";
import { parseArgs } from "node:util";
import { leftOutLines } from "#lib/testing/outside-servers.ts";
import { ensureBuilt } from "./pages.ts";
import { ensureGenerated } from "./prepare.ts";
import { inProject, projectRoot } from "./project.ts";

type FileTime = { file: string; seconds: number };
type StepResult = { passed: number; failed: number; skipped?: number; files?: FileTime[]; output: string };
/** `slow`: needs a database or a browser; those of one name run beside each other and have the whole machine. */
type Step = { name: string; about: string; slow?: string; run: (name: string) => Promise<StepResult> };

const cli = {
  biome: "@biomejs/biome/bin/biome",
  knip: "knip/bin/knip.js",
  next: "next/dist/bin/next",
  tsc: "typescript/bin/tsc",
  vitest: "vitest/vitest.mjs",
  playwright: "playwright/cli.js",
};

const steps: Step[] = [
  { name: "generate", about: "the Prisma client", run: generate },
  { name: "lint", about: "format and lint", run: () => check([cli.biome, "ci"]) },
  {
    name: "types",
    about: "types, after Next has written those of its routes",
    run: () => check([cli.next, "typegen"], [cli.tsc, "--noEmit"]),
  },
  {
    name: "unused",
    about: "files, exports and packages that nothing uses",
    run: () => check([cli.knip, "--no-progress", "--treat-config-hints-as-errors"]),
  },
  { name: "unit", about: "structure and unit tests", run: (name) => vitest(name, "unit") },
  {
    name: "integration",
    about: "tests on a real Postgres",
    slow: "database",
    run: (name) => vitest(name, "integration*"),
  },
  // At a low priority, while tests wait for something.
  { name: "pages", about: "the pages that the journeys open", slow: "database", run: buildPages },
  { name: "e2e", about: "journeys in a real browser", slow: "browser", run: playwright },
];

/** Which hostile values are sent in this run, and what fails in it; given, it is that of another run. */
process.env.TORTURE_SEED ??= String(Date.now() % 2 ** 31);

/** A step that takes longer counts as hanging. */
const stepTimeout = 30 * 60_000;
const results = "test-results";

const { values: options } = parseArgs({
  options: { fast: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
});
const unknown = options.only?.find((name) => !steps.some((step) => step.name === name));
if (unknown !== undefined) {
  console.error(`There is no step ${unknown}. Steps: ${steps.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const chosen = steps.filter(({ name, slow }) => (options.only ? options.only.includes(name) : !(options.fast && slow)));

mkdirSync(inProject(results), { recursive: true });
let passed = 0;
let failed = 0;
const failures: string[] = [];
const files: FileTime[] = [];

// The first makes what the others need, but for the linter: it reads no generated file, and uses the second core.
const [first, ...others] = chosen;
const linting = Promise.all(others.filter(({ name }) => name === "lint").map(take));
if (first) await take(first);
const left = others.filter(({ name }) => name !== "lint");
for (const group of Map.groupBy(left, ({ slow }) => slow).values()) await Promise.all([linting, ...group.map(take)]);
await linting;

if (files.length > 0) {
  const longest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10);
  const lines = longest.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s   ${file}`);
  console.log(`\nThe files that took longest:\n${lines.join("\n")}\n`);
}
if (chosen.some(({ name }) => name === "unit")) for (const line of leftOutLines()) console.log(line);
if (chosen.some(({ slow }) => slow === "database")) console.log(`TORTURE_SEED=${process.env.TORTURE_SEED}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((line) => `  ${line}`).join("\n")}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/** Runs a step, prints its line when it is over, and counts its tests. */
async function take({ name, about, run }: Step): Promise<void> {
  const started = performance.now();
  const outcome: StepResult = await run(name).catch((error: Error) => ({
    passed: 0,
    failed: 1,
    output: String(error.stack),
  }));
  if (outcome.passed + outcome.failed === 0) {
    outcome.failed = 1;
    outcome.output += `\nNo test ran in the step ${name}.\n`;
  }
  passed += outcome.passed;
  failed += outcome.failed;
  files.push(...(outcome.files ?? []));
  writeFileSync(inProject(results, `${name}.log`), outcome.output);

  const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
  const counts = [
    `${outcome.passed} passed`,
    outcome.failed ? `${outcome.failed} failed` : "",
    outcome.skipped ? `${outcome.skipped} skipped` : "",
  ];
  const line = `${name.padEnd(12)} ${outcome.failed ? "FAILED" : "ok    "} ${seconds} s   ${counts.filter(Boolean).join(", ")}`;
  console.log(outcome.failed ? `${line}\n\n${outcome.output.trimEnd()}\n` : line);
  if (outcome.failed) failures.push(`${name} (${about}), log in ${results}/${name}.log`);
}

async function generate(): Promise<StepResult> {
  await ensureGenerated();
  return { passed: 1, failed: 0, output: "" };
}

async function buildPages(): Promise<StepResult> {
  const lines: string[] = [];
  const { lock } = await ensureBuilt({ log: (line) => lines.push(line) });
  lock.release();
  return { passed: 1, failed: 0, output: lines.join("\n") };
}

/** Commands that pass together or fail together, counted as one test. */
async function check(...commands: string[][]): Promise<StepResult> {
  let output = "";
  for (const command of commands) {
    const result = await node(command);
    output += result.output;
    if (result.code !== 0) return { passed: 0, failed: 1, output };
  }
  return { passed: 1, failed: 0, output };
}

async function vitest(name: string, project: string): Promise<StepResult> {
  const report = freshReport(name);
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  const { code, output } = await node([cli.vitest, "run", "--configLoader=native", "--project", project, ...reporters]);
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = readReport(report);
  const files = (testResults ?? []) as { name: string; startTime: number; endTime: number }[];
  return settle(code, {
    passed: number(numPassedTests),
    failed: number(numFailedTests),
    skipped: number(numPendingTests),
    files: files.map((file) => ({
      file: relative(projectRoot, file.name),
      seconds: (file.endTime - file.startTime) / 1000,
    })),
    output,
  });
}

async function playwright(name: string): Promise<StepResult> {
  const report = freshReport(name);
  const { code, output } = await node([cli.playwright, "test"]);
  const parsed = readReport(report) as { stats?: unknown; suites?: Suite[] };
  const stats = (parsed.stats ?? {}) as Record<string, unknown>;
  const { expected, unexpected, skipped } = stats;
  return settle(code, {
    passed: number(expected),
    failed: number(unexpected),
    skipped: number(skipped),
    files: (parsed.suites ?? []).map((suite) => ({ file: `e2e/${suite.file}`, seconds: secondsOf(suite) })),
    output,
  });
}

type Suite = {
  file: string;
  suites?: Suite[];
  specs?: { tests: { results: { duration: number }[] }[] }[];
};

/** How long the journeys of a file took together. */
function secondsOf({ suites = [], specs = [] }: Suite): number {
  const results = specs.flatMap(({ tests }) => tests).flatMap((one) => one.results);
  const own = results.reduce((sum, { duration }) => sum + duration / 1000, 0);
  return own + suites.reduce((sum, suite) => sum + secondsOf(suite), 0);
}

/** A runner that fails without a failed test has crashed, or an error happened between the tests. */
function settle(code: number, outcome: StepResult): StepResult {
  if (code === 0 || outcome.failed > 0) return outcome;
  return { ...outcome, failed: 1, output: `${outcome.output}\nThe runner ended with exit code ${code}.\n` };
}

/** Path of a report that does not exist yet, so that a crash cannot show the numbers of the run before. */
function freshReport(name: string): string {
  const report = inProject(results, `${name}.json`);
  rmSync(report, { force: true });
  return report;
}

function readReport(path: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** Runs a command of `node_modules` with our own Node and returns everything it printed. */
function node([script = "", ...args]: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [inProject("node_modules", script), ...args], {
      cwd: projectRoot,
      env: environment(),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: stepTimeout,
    });
    const end = (): void => void child.kill("SIGTERM");
    process.once("SIGTERM", end);
    let output = "";
    const keep = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve({ code: 1, output: `${output}\n${error.message}` }));
    child.once("close", (code, signal) => {
      process.off("SIGTERM", end);
      resolve({ code: code ?? 1, output: signal ? `${output}\nended by ${signal}\n` : output });
    });
  });
}

/** Tests never use the developer's own database and data folder. */
function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, RAPPORT_DATA_DIR: __, ...env } = process.env;
  return {
    ...env,
    PATH: [inProject("node_modules/.bin"), env.PATH].filter(Boolean).join(delimiter),
    NEXT_TELEMETRY_DISABLED: "1",
    ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: "0" }),
  };
}
