import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runningInstance } from "#lib/db/embedded/instance.ts";
import { freePort } from "#lib/db/embedded/launch.ts";
import { isAlive, readPidFile } from "#lib/db/embedded/server-processes.ts";
import { databaseFolder } from "#lib/testing/folders.ts";
import { listen } from "./listening.ts";
import { inProject } from "./project.ts";

let dataDir: string;
const started = new Set<ChildProcess>();

interface Run {
  child: ChildProcess;
  output(): string;
  /** The server's address. */
  address: Promise<string>;
  exit: Promise<number | null>;
}

const stub = inProject("bin/stub-start.fixture.ts");

interface Command {
  port?: number;
  env?: Record<string, string>;
  /** What to run instead of the launcher itself, in a separate process group. */
  command?: [string, ...string[]];
}

function run({ port = 0, env = {}, command = [process.execPath, stub, String(port)] }: Command = {}): Run {
  const [file, ...parameters] = command;
  const child = spawn(file, parameters, {
    detached: true,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "test",
      RAPPORT_DATA_DIR: dataDir,
      DATABASE_URL: "",
      HOST: "127.0.0.1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.add(child);
  let output = "";
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
      const found = /answers at (http:\S+)/.exec(output)?.[1];
      if (found) resolve(found);
    });
  }
  const exit = once(child, "close").then(([code]) => {
    started.delete(child);
    reject(new Error(`ended without an answer: ${output}`));
    return code as number | null;
  });
  address.catch(() => undefined);
  return { child, output: () => output, address, exit };
}

const ask = async (address: string, where = "/") => (await fetch(address + where)).json() as Promise<{ role: string }>;

const home = () => {
  const { home } = JSON.parse(readFileSync(path.join(dataDir, "postgres.json"), "utf8")) as { home?: string };
  return home ?? path.join(dataDir, "postgres");
};

const parentOf = (pid: number) => Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));

const postmaster = () => readPidFile(path.join(home(), "data"))?.pid ?? 0;

it("answers the API without pages, and says so where a page would be", async () => {
  dataDir = databaseFolder("rapport-pageless-");
  chmodSync(dataDir, 0o711);
  const app = run({ env: { PAGES: "off" }, command: [process.execPath, inProject("bin/start.ts"), "--port", "0"] });
  const address = await app.address;
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await fetch(`${address}/v2/people`)).status).toBe(401);
  const ready = await fetch(`${address}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('"ready"')]);
  const page = await fetch(`${address}/sign-in`);
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("PAGES=off")]);
  expect(app.output()).toContain("It has no pages");
  app.child.kill("SIGTERM");
  expect(await app.exit).toBe(0);
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe("npm start", () => {
  beforeAll(() => {
    dataDir = databaseFolder("rapport-start-");
    chmodSync(dataDir, 0o711);
  });
  afterEach(async () => {
    const ends = [...started].map((child) => once(child, "close"));
    for (const child of started) child.kill("SIGTERM");
    await Promise.all(ends);
  });
  afterAll(() => {
    const folder = home();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it("answers, ends running requests on SIGTERM and stops the database", async () => {
    const app = run();
    const address = await app.address;
    expect(await ask(address)).toMatchObject({ role: "rapport" });
    const pid = postmaster();
    const slow = ask(address, "/slow");
    await expect.poll(app.output).toContain("a slow request came");
    app.child.kill("SIGTERM");
    expect(await slow).toMatchObject({ role: "rapport" });
    expect(await app.exit).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(app.output()).toMatch(/Open http:\/\/localhost:\d+ and create your account/);
  });

  it("refuses a second instance on the same data folder", async () => {
    const first = run();
    await first.address;
    const second = run();
    expect(await second.exit).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`^Rapport is already running on the data folder .* \\(process ${first.child.pid}, .*\\n$`),
    );
  });

  it("takes over after a killed launcher and its database", async () => {
    const first = run();
    await first.address;
    const pid = postmaster();
    first.child.kill("SIGKILL");
    await first.exit;
    expect(isAlive(pid)).toBe(true);

    const second = run();
    expect(await ask(await second.address)).toMatchObject({ role: "rapport" });
    expect(postmaster()).toBe(pid);
    second.child.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    await second.exit;

    const third = run();
    expect(await ask(await third.address)).toMatchObject({ role: "rapport" });
  });

  it("stops the database and exits 1 after an uncaught error", async () => {
    const app = run();
    const address = await app.address;
    const pid = postmaster();
    await ask(address, "/crash").catch(() => undefined);
    expect(await app.exit).toBe(1);
    expect(app.output()).toContain("a fault of the app");
    expect(isAlive(pid)).toBe(false);
  });

  it("names a port in use", async () => {
    const other = createServer();
    const port = await listen(other, 0, "127.0.0.1");
    const app = run({ port });
    expect(await app.exit).toBe(1);
    expect(app.output()).toBe(
      `Port ${port} is in use. Stop the program that uses it, or choose another: PORT=${port + 1} npm start\n`,
    );
    other.close();
  });

  it("names a data folder that cannot be written", async () => {
    const file = path.join(dataDir, "a-file");
    writeFileSync(file, "");
    const app = run({ env: { RAPPORT_DATA_DIR: path.join(file, "data") } });
    expect(await app.exit).toBe(1);
    expect(app.output()).toMatch(/^Cannot write to the data folder .*\n$/);
    expect(existsSync(file)).toBe(true);
  });

  it("names a database that cannot be reached, without the password", async () => {
    const port = await freePort();
    const app = run({ env: { DATABASE_URL: `postgres://me:sekret@127.0.0.1:${port}/rapport` } });
    expect(await app.exit).toBe(1);
    expect(app.output()).toBe(`DATABASE_URL: cannot connect to 127.0.0.1:${port}/rapport: nothing listens there.\n`);
  });

  it("names invalid variables", async () => {
    const app = run({ env: { SIGNUPS: "maybe", RAPPORT_PROT: "1" } });
    expect(await app.exit).toBe(1);
    expect(app.output().trim().split("\n")).toHaveLength(2);
  });
});

/** A supervisor that signals only its own child: here npm, which runs the launcher in a shell. */
describe.skipIf(process.platform === "win32")("npm start under a supervisor", () => {
  let folder: string;
  beforeAll(() => {
    dataDir = databaseFolder("rapport-start-npm-");
    chmodSync(dataDir, 0o711);
    folder = path.join(dataDir, "project");
    mkdirSync(folder);
    const scripts = { start: `"${process.execPath}" "${stub}" 0` };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "supervised", version: "1.0.0", scripts }));
  });
  afterAll(() => {
    const database = home();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(database, { recursive: true, force: true });
  });

  const launcher = () => runningInstance(dataDir)?.pid ?? 0;
  const ended = (...pids: number[]) => expect.poll(() => pids.filter(isAlive)).toEqual([]);
  const underNpm = () => run({ command: ["npm", "--prefix", folder, "start"] });

  it.each([
    ["SIGTERM to npm", (npm: ChildProcess) => npm.kill("SIGTERM")],
    ["kill -9 of npm", (npm: ChildProcess) => npm.kill("SIGKILL")],
    ["Ctrl-C in the terminal", (npm: ChildProcess) => process.kill(-(npm.pid as number), "SIGINT")],
  ])("stops with its database after %s", async (_, signal) => {
    const npm = underNpm();
    const address = await npm.address;
    const pids = [launcher(), postmaster()];
    expect(pids.every(isAlive)).toBe(true);
    const slow = ask(address, "/slow");
    await expect.poll(npm.output).toContain("a slow request came");
    signal(npm.child);
    expect(await slow).toMatchObject({ role: "rapport" });
    await ended(...pids);
    await expect(fetch(address)).rejects.toThrow();
    await npm.exit;
  });

  it("stops when the shell between them is killed", async () => {
    const npm = underNpm();
    await npm.address;
    const pids = [launcher(), postmaster()];
    process.kill(parentOf(launcher()), "SIGKILL");
    await ended(...pids);
    await npm.exit;
  });

  it("goes on without its parent when it was started by hand", async () => {
    const shell = run({ command: ["sh", "-c", `"${process.execPath}" "${stub}" 0 & wait`] });
    const address = await shell.address;
    const pids = [launcher(), postmaster()];
    shell.child.kill("SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await ask(address)).toMatchObject({ role: "rapport" });
    process.kill(launcher(), "SIGTERM");
    await ended(...pids);
  });
});
