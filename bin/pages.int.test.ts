/** Builds that are killed, run at the same time, or are overtaken by newer sources. Only the compiler is a stand-in. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isAlive } from "#lib/db/embedded/server-processes.ts";
import { inProject } from "./project.ts";

/** Writes what it read, takes as long as set in the file `pace`, and logs that it ran. */
const compiler = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
const folder = process.env.PAGES_FOLDER;
console.log("Creating an optimized production build");
appendFileSync("runs", process.pid + "\\n");
const source = readFileSync("app/page.tsx", "utf8");
if (source === "broken") { console.error("Module not found: a mistake"); process.exit(1); }
mkdirSync(folder, { recursive: true });
writeFileSync(folder + "/half", source);
await sleep(Number(readFileSync("pace", "utf8")));
writeFileSync(folder + "/whole", source);
process.exit(0);
`;

const driver = `
import { ensureBuilt } from "./bin/pages.ts";
const { folder, ran, lock } = await ensureBuilt({ onStep: (step) => console.log("step " + step), log: console.log });
console.log("got " + folder + " " + ran);
process.stdin.on("data", () => process.exit(0));
`;

let root: string;
const started: ChildProcess[] = [];
const at = (...names: string[]) => path.join(root, ...names);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const runs = () => (existsSync(at("runs")) ? readFileSync(at("runs"), "utf8").trim().split("\n").map(Number) : []);
const builds = () => readdirSync(at(".next")).filter((name) => /^pages-[0-9a-f]+$/.test(name));

/** A process that waits for the pages; then it runs until `leave`. */
function want() {
  const child = spawn(process.execPath, ["driver.ts"], { cwd: root, stdio: ["pipe", "pipe", "pipe"] });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const exit = once(child, "close");
  const pages = () => {
    const [, folder = "", ran] = /got (\S+) (true|false)/.exec(output) ?? [];
    return folder && { folder, ran: ran === "true", made: readFileSync(at(folder, "whole"), "utf8") };
  };
  return {
    child,
    exit,
    output: () => output,
    pages: () =>
      expect
        .poll(pages, { timeout: 40_000 })
        .toBeTruthy()
        .then(() => pages() as Exclude<ReturnType<typeof pages>, "">),
    leave() {
      child.stdin.write("\n");
      return exit;
    },
  };
}

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "rapport-pages-"));
  for (const name of [
    "bin/build.ts",
    "bin/built.ts",
    "bin/pages.ts",
    "bin/project.ts",
    "bin/sources.ts",
    "lib/settings/operator-error.ts",
    "lib/settings/write-atomically.ts",
    "lib/db/embedded/lock.ts",
    "package.json",
    "tsconfig.json",
  ])
    cpSync(inProject(name), at(name));
  mkdirSync(at("node_modules/next/dist/bin"), { recursive: true });
  write("node_modules/next/package.json", '{"type":"module"}');
  write("node_modules/next/dist/bin/next", compiler);
  mkdirSync(at("app"));
  write("app/page.tsx", "one");
  write("driver.ts", driver);
  write("pace", "200");
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "close");
  }
  await expect.poll(() => runs().filter(isAlive), { timeout: 10_000 }).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

describe("the pages", () => {
  it("are built once, and found by the next start, whatever tests have installed meanwhile", async () => {
    expect(await want().pages()).toMatchObject({ ran: true, made: "one" });
    for (const folder of ["lib/testing/tools", "lib/html/node_modules/tool"]) {
      mkdirSync(at(folder), { recursive: true });
      write(`${folder}/index.js`, "two");
    }
    expect(await want().pages()).toMatchObject({ ran: false, made: "one" });
    expect(runs()).toHaveLength(1);
  });

  it("are built by only one of two simultaneous starts", async () => {
    write("pace", "2000");
    const both = [want(), want()];
    const made = await Promise.all(both.map(({ pages }) => pages()));
    expect(made.map(({ made }) => made)).toEqual(["one", "one"]);
    expect(runs()).toHaveLength(1);
    expect(both.filter(({ output }) => output().includes("step waiting"))).toHaveLength(1);
  });

  it("are built again after kill -9 of the start, whose build ends with it", async () => {
    write("pace", "60000");
    const first = want();
    await expect.poll(() => runs().length, { timeout: 20_000 }).toBe(1);
    first.child.kill("SIGKILL");
    await expect.poll(() => runs().filter(isAlive), { timeout: 10_000 }).toEqual([]);
    write("pace", "0");
    expect(await want().pages()).toMatchObject({ ran: true, made: "one" });
  });

  it("are built again after kill -9 of the build", async () => {
    write("pace", "60000");
    const start = want();
    await expect.poll(() => runs().length, { timeout: 20_000 }).toBe(1);
    write("pace", "0");
    process.kill(runs()[0] as number, "SIGKILL");
    expect(await start.pages()).toMatchObject({ ran: true, made: "one" });
    expect(runs()).toHaveLength(2);
  });

  it("are built from the sources as they are when the build ends", async () => {
    write("pace", "3000");
    const start = want();
    await expect.poll(() => runs().length, { timeout: 20_000 }).toBe(1);
    await expect.poll(() => builds().length, { timeout: 20_000 }).toBe(1);
    write("app/page.tsx", "two");
    write("pace", "0");
    expect(await start.pages()).toMatchObject({ ran: true, made: "two" });
  });

  it("stay while a server uses them and newer ones are built, and are removed afterwards", async () => {
    const old = want();
    const { folder } = await old.pages();
    write("app/page.tsx", "two");
    const newer = want();
    expect(await newer.pages()).toMatchObject({ made: "two" });
    expect(readFileSync(at(folder, "whole"), "utf8")).toBe("one");
    await Promise.all([old.leave(), newer.leave()]);
    write("app/page.tsx", "three");
    expect(await want().pages()).toMatchObject({ made: "three" });
    expect(builds()).toHaveLength(1);
  });

  it("say what is wrong when they cannot be built", async () => {
    write("app/page.tsx", "broken");
    const start = want();
    await start.exit;
    expect(start.output()).toContain("Module not found: a mistake");
    expect(builds()).toEqual([]);
  });

  it("serve from a folder that cannot be written", async () => {
    const { folder } = await want().pages();
    const isRoot = process.getuid?.() === 0; // who may write everywhere, and has to become another user
    const script = `import { holdBuild } from ${JSON.stringify(at("bin/built.ts"))};
      ${isRoot ? "process.setuid(65534);" : ""} console.log(Boolean(holdBuild({ folder: ${JSON.stringify(folder)} })));`;
    execFileSync("chmod", ["-R", isRoot ? "a+rX" : "a-w", root]);
    try {
      const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
      expect(said).toBe("true\n");
    } finally {
      if (!isRoot) execFileSync("chmod", ["-R", "u+w", root]);
    }
  });
});
