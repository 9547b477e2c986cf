import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseFolder } from "#lib/testing/folders.ts";
import { startEmbedded } from "./embedded.ts";
import { isAlive, readPidFile } from "./server-processes.ts";
import { superviseEmbedded } from "./supervise.ts";

let dataDir: string;
const lines: string[] = [];
const log = (line: string) => void lines.push(line);
const start = () => startEmbedded({ dataDir, log });

/** The folder that holds the cluster: outside the data folder when the user that root runs it as cannot reach that. */
const home = () => {
  const { home } = JSON.parse(readFileSync(path.join(dataDir, "postgres.json"), "utf8")) as { home?: string };
  return home ?? path.join(dataDir, "postgres");
};

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

describe("the embedded database", () => {
  beforeAll(() => {
    dataDir = databaseFolder("rapport-embedded-");
    chmodSync(dataDir, 0o711);
  });
  afterAll(async () => {
    const server = await start();
    await server.stop();
    const folder = home();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it("is created with a role that owns its database and obeys row level security", async () => {
    const server = await start();
    const [row] = await ask(
      server.url,
      `SELECT rolsuper, rolbypassrls, rolcreaterole, pg_get_userbyid(datdba) AS owner, pg_encoding_to_char(encoding) AS encoding,
              current_setting('fsync') AS fsync, current_setting('listen_addresses') AS listens, 'ä' ~ '[[:alpha:]]' AS letters
       FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`,
    );
    expect(row).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      owner: "rapport",
      encoding: "UTF8",
      fsync: "on",
      listens: "127.0.0.1",
      letters: true,
    });
    expect(statSync(path.join(dataDir, "postgres.json")).mode & 0o777).toBe(0o600);
    await ask(server.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  });

  it("keeps its data and its port", async () => {
    const server = await start();
    expect(server.adopted).toBe(false);
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
    const again = await start();
    expect(again.port).toBe(server.port);
    await again.stop();
  });

  it("is shared: the last user stops it", async () => {
    const [first, second] = await Promise.all([start(), start()]);
    expect(first.pid).toBe(second.pid);
    expect([first.adopted, second.adopted].toSorted()).toEqual([false, true]);
    await first.stop();
    expect(await ask(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
    await second.stop();
    expect(isAlive(first.pid)).toBe(false);
  });

  it("distinguishes a crash from a stop", async () => {
    const server = await start();
    process.kill(server.pid, "SIGKILL");
    expect(await server.exited).toEqual({ asked: false });
    const next = await start();
    expect(next.pid).not.toBe(server.pid);
    expect(await ask(next.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
    await next.stop();
    expect(await next.exited).toEqual({ asked: true });
  });

  it("comes back on the same port when it crashes under the app", async () => {
    const server = await superviseEmbedded({ dataDir, log, onLost: (reason) => log(`lost: ${reason.message}`) });
    const data = path.join(home(), "data");
    const { pid } = readPidFile(data) ?? { pid: 0 };
    process.kill(pid, "SIGKILL");
    await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatch(/^the database server is back/);
    expect(readPidFile(data)?.pid).not.toBe(pid);
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
    expect(lines.filter((line) => line.startsWith("lost"))).toEqual([]);
  });

  it("is started again however often it crashes, and the operator is told", async () => {
    lines.length = 0;
    const server = await superviseEmbedded({ dataDir, log, onLost: (reason) => log(`lost: ${reason.message}`) });
    for (let death = 1; death <= 6; death++) {
      const { pid } = readPidFile(path.join(home(), "data")) ?? { pid: 0 };
      process.kill(pid, "SIGKILL");
      await expect
        .poll(() => lines.filter((line) => line.startsWith("the database server is back")).length, { timeout: 30_000 })
        .toBe(death);
    }
    expect(lines.filter((line) => line.includes("5 times in a row; Rapport goes on starting it again"))).toHaveLength(
      1,
    );
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
    expect(lines.filter((line) => line.startsWith("lost"))).toEqual([]);
  });

  it("is started again after a failed start, until the problem is fixed", async () => {
    lines.length = 0;
    const server = await superviseEmbedded({ dataDir, log, onLost: (reason) => log(`lost: ${reason.message}`) });
    const data = path.join(home(), "data");
    const version = path.join(data, "PG_VERSION");
    const kept = readFileSync(version, "utf8");
    rmSync(version);
    process.kill(readPidFile(data)?.pid ?? 0, "SIGKILL");
    const failed = () => lines.filter((line) => line.includes("cannot be started; Rapport goes on trying"));
    await expect.poll(() => failed().length, { timeout: 30_000 }).toBe(1);
    expect(failed()[0]).toMatch(/is not a Postgres database/);
    await new Promise((resolve) => setTimeout(resolve, 1_500)); // a second try fails alike: not reported again
    writeFileSync(version, kept);
    chmodSync(version, 0o644);
    await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatch(/^the database server is back/);
    expect(failed()).toHaveLength(1);
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it("does not keep a stop waiting while it cannot be started", async () => {
    const server = await superviseEmbedded({ dataDir, log, onLost: (reason) => log(`lost: ${reason.message}`) });
    const version = path.join(home(), "data", "PG_VERSION");
    const kept = readFileSync(version, "utf8");
    rmSync(version);
    process.kill(readPidFile(path.join(home(), "data"))?.pid ?? 0, "SIGKILL");
    await expect.poll(() => lines.at(-1), { timeout: 30_000 }).toMatch(/cannot be started/);
    await server.stop();
    writeFileSync(version, kept);
    chmodSync(version, 0o644);
  });

  it("is not fooled by a process id that was given to someone else", async () => {
    const file = path.join(home(), "data", "postmaster.pid");
    writeFileSync(file, `${process.pid}\n/elsewhere\n1700000000\n1\n\n127.0.0.1\n1 2\nready\n`);
    chmodSync(file, 0o644);
    const server = await start();
    expect(server.adopted).toBe(false);
    await server.stop();
  });

  it("gets new passwords when the remembered ones are lost", async () => {
    const file = path.join(dataDir, "postgres.json");
    const state = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...state, password: "another", superuserPassword: "another" }));
    const server = await start();
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it("is not stopped by another command that it does not answer while someone uses it", async () => {
    const server = await start();
    process.kill(server.pid, "SIGSTOP");
    const other = start();
    await expect(other)
      .rejects.toThrow(/does not answer/)
      .finally(() => process.kill(server.pid, "SIGCONT"));
    expect(await ask(server.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await server.stop();
  });

  it.each([
    ["17", /was made by Postgres 17, this release of Rapport brings 18/],
    [undefined, /is not a Postgres database/],
  ])("refuses a cluster of version %s in one line", async (version, line) => {
    const file = path.join(home(), "data", "PG_VERSION");
    const ours = readFileSync(file, "utf8");
    if (version) writeFileSync(file, version);
    else rmSync(file);
    await expect(start()).rejects.toThrow(line);
    writeFileSync(file, ours);
    chmodSync(file, 0o644);
    expect(existsSync(file)).toBe(true);
  });
});
