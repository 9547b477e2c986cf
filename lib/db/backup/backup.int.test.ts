import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clusterHome, type EmbeddedServer, startEmbedded } from "#lib/db/embedded/embedded.ts";
import { databaseFolder } from "#lib/testing/folders.ts";
import { type S3Fixture, startS3 } from "#lib/testing/s3.fixture.ts";
import { archiveLog, endArchive } from "./archive.ts";
import { backUpBeforeUpgrade } from "./before-upgrade.ts";
import { makeBackup } from "./make.ts";
import { DATABASE, listBackups, MANIFEST, type Manifest, removeBackup } from "./manifest.ts";
import { openBackup, openStorage } from "./open-storage.ts";
import { endRecovery, momentsOf } from "./recovery.ts";
import { restoreBackup } from "./restore.ts";
import { makeKey } from "./seal.ts";
import { addressIn, type Backup, readWhole, type Storage } from "./storage.ts";
import { folderOf } from "./wal.ts";

const root = databaseFolder("rapport-backup-");
const backups = path.join(root, "backups");
const storage = openStorage(backups, {});
const start = (dataDir: string) => startEmbedded({ dataDir, log: () => undefined });
const homes = new Set<string>();
let server: EmbeddedServer;
/** the folder of one */
let backup: string;

beforeAll(async () => {
  chmodSync(root, 0o711);
  server = await start(path.join(root, "data"));
  homes.add(clusterHome(path.join(root, "data")));
});
afterAll(async () => {
  await server.stop();
  for (const folder of [root, ...homes]) rmSync(folder, { recursive: true, force: true });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Writes numbers one after the other until it is told to stop; `acknowledged` is the last one that was committed. */
async function writer(url: string) {
  const client = await connect(url);
  const state = { acknowledged: -1, times: [] as number[], over: false };
  const done = (async () => {
    for (let n = 0; !state.over; n++) {
      await client.query("INSERT INTO written VALUES ($1::int, repeat(md5($1::int::text), 50))", [n]);
      if (n % 10 === 0) await client.query("UPDATE written SET text = md5(text) WHERE n = $1", [n]);
      state.acknowledged = n;
      state.times.push(Date.now());
    }
    await client.end();
  })();
  return {
    state,
    stop: () => {
      state.over = true;
      return done;
    },
  };
}

describe("a backup of a database that is written to", () => {
  test("has everything that was acknowledged before it ended, in order and without a gap", async () => {
    const client = await connect(server.url);
    await client.query("CREATE TABLE written (n int PRIMARY KEY, text text)");
    await client.end();
    const { state, stop } = await writer(server.url);
    await expect.poll(() => state.acknowledged).toBeGreaterThan(20);
    const made = await makeBackup(server.superuserUrl, storage);
    backup = addressIn(storage, made.name);
    const [due, most] = [
      state.times.filter((at) => at < Date.parse(made.manifest.made_at)).length,
      state.acknowledged + 2,
    ];
    await stop();

    const dataDir = path.join(root, "restored");
    await restoreBackup(openBackup(backup, {}), dataDir);
    homes.add(clusterHome(dataDir));
    const restored = await start(dataDir);
    const reader = await connect(restored.url);
    const { rows } = await reader.query<{ n: number; at: number }>(
      "SELECT n, row_number() OVER (ORDER BY n) - 1 AS at FROM written ORDER BY n",
    );
    await reader.end();
    await restored.stop();
    expect(rows.map(({ n }) => n)).toEqual(rows.map((_, place) => place));
    expect(due).toBeGreaterThan(20);
    expect(rows.length).toBeGreaterThanOrEqual(due);
    expect(rows.length).toBeLessThanOrEqual(most);
  });

  test("is listed, and what a killed one left is cleared away by the next", async () => {
    const left = path.join(backups, "rapport-2026-01-01T00-00-00Z");
    mkdirSync(left);
    copyFileSync(path.join(backup, DATABASE), path.join(left, `${DATABASE}.tmp`));
    const other = path.join(backups, "rapport-data"); // another folder beside backups
    mkdirSync(other);
    const names = async () => (await listBackups(storage)).map(({ name }) => name);
    expect(await names()).toEqual([path.basename(backup)]);
    const [next, another] = await Promise.all([1, 2].map(() => makeBackup(server.superuserUrl, storage)));
    expect([existsSync(left), existsSync(other)]).toEqual([false, true]);
    expect((await names()).sort()).toEqual([path.basename(backup), next?.name, another?.name].sort());
    const reader = await connect(server.superuserUrl);
    expect((await reader.query("SELECT FROM pg_replication_slots")).rowCount).toBe(0);
    await reader.end();
  });
});

test("a backup whose database is killed leaves nothing", async () => {
  const before = readdirSync(backups);
  const making = makeBackup(server.superuserUrl, storage);
  making.catch(() => undefined);
  await expect.poll(() => readdirSync(backups).length).toBeGreaterThan(before.length);
  process.kill(server.pid, "SIGKILL");
  await expect(making).rejects.toThrow();
  expect(readdirSync(backups)).toEqual(before);
  await server.stop();
  server = await start(path.join(root, "data"));
});

describe("a restore", () => {
  const target = () => path.join(root, "never");
  const restore = (from = backup, to = target()) => restoreBackup(openBackup(from, {}), to);

  test("refuses a folder that has anything, and a folder in use", async () => {
    await expect(restore(backup, root)).rejects.toThrow(/is not empty \(backups\)/);
    await expect(restore(backup, path.join(root, "restored"))).rejects.toThrow(/There is a database in .* already/);
  });

  test("names what is wrong with a backup before anything is written", async () => {
    await expect(restore(backups)).rejects.toThrow(/is no backup, or one that did not finish/);
    const file = path.join(backup, DATABASE);
    const whole = readFileSync(file);
    const changed = Buffer.from(whole);
    changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, changed);
    await expect(restore()).rejects.toThrow(/was changed since it was written/);
    truncateSync(file, whole.length - 1);
    await expect(restore()).rejects.toThrow(/has \d+ bytes, and backup.json says \d+/);
    rmSync(file);
    await expect(restore()).rejects.toThrow(/database.tar.zst is missing/);
    writeFileSync(file, whole);
    const manifest = path.join(backup, MANIFEST);
    const text = readFileSync(manifest, "utf8");
    writeFileSync(manifest, text.replace(/"postgres": "\d+/, '"postgres": "17'));
    await expect(restore()).rejects.toThrow(/made by Postgres 17.*restore it with Rapport/);
    writeFileSync(manifest, "{}");
    await expect(restore()).rejects.toThrow(/backup.json is damaged/);
    writeFileSync(manifest, text);
    expect(existsSync(target())).toBe(false);
    expect(readdirSync(root)).not.toContain("never");
  });
});

describe("a restore to a moment", () => {
  let s3: S3Fixture;
  let archived: Storage;
  const unused = () => path.join(root, "unused");
  const archive = () => archiveLog(server.superuserUrl, archived);
  const log = () => folderOf({ stream: base.manifest.wal?.stream ?? "" });
  const segmentsIn = async (folder = log()) =>
    (await archived.files(folder)).filter((name) => name.endsWith(".zst")).sort();
  let base: Backup & { manifest: Manifest };
  let whole: string[];

  beforeAll(async () => {
    s3 = await startS3(path.join(root, "s3"));
    archived = openStorage(`s3://${s3.bucket}/rapport`, { ...s3.settings, BACKUP_KEY: [await makeKey()] });
  });
  afterAll(() => s3.close());

  test("has what was acknowledged before it and nothing that began after it, across a killed database", async () => {
    const client = await connect(server.url);
    await client.query("CREATE TABLE moments (n int PRIMARY KEY)");
    await archive();
    base = { storage: archived, ...(await makeBackup(server.superuserUrl, archived)) };
    for (let n = 0; n < 100; n++) await client.query("INSERT INTO moments VALUES ($1)", [n]);
    await archive();
    process.kill(server.pid, "SIGKILL");
    await server.stop();
    server = await start(path.join(root, "data"));

    const again = await connect(server.url);
    const acknowledged = new Map<number, number>();
    for (let n = 100; n < 400; n++) {
      if (n === 200) await archive();
      if (n === 300) await again.query("SELECT pg_logical_emit_message(false, 'fill', repeat('x', 20 * 1024 * 1024))");
      await again.query("INSERT INTO moments VALUES ($1)", [n]);
      acknowledged.set(n, Date.now());
      if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await again.end();
    await archive();
    whole = await segmentsIn();
    expect((await listBackups(archived))[0]?.manifest.wal?.stream).toBe(base.manifest.wal?.stream);
    const at = acknowledged.get(350) ?? 0; // 5 ms before the next one begins

    const dataDir = path.join(root, "moment");
    await restoreBackup(base, dataDir, new Date(at + 1).toISOString());
    homes.add(clusterHome(dataDir));
    const restored = await start(dataDir);
    await endRecovery(restored.superuserUrl);
    const reader = await connect(restored.url);
    const { rows } = await reader.query<{ n: number }>("SELECT n FROM moments ORDER BY n");
    await reader.end();
    expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 351 }, (_, n) => n));

    // It is another database now: its log is a stream of its own, and the backup's stays as it was.
    await archiveLog(restored.superuserUrl, archived);
    await restored.stop();
    expect(await segmentsIn()).toEqual(whole);
    expect(readdirSync(path.join(root, "s3", s3.bucket, "rapport/wal"))).toHaveLength(2);
  });

  test("is refused outside of the archived log, before anything is written", async () => {
    const moments = await momentsOf(base, base.manifest);
    if (!moments) throw new Error("no log");
    const range = `from ${moments.from} to ${moments.until}`;
    for (const at of [base.manifest.made_at, new Date(Date.parse(moments.until) + 1).toISOString()])
      await expect(restoreBackup(base, unused(), at)).rejects.toThrow(`${range}, not to ${at}`);
    await expect(restoreBackup(openBackup(backup, {}), unused(), "latest")).rejects.toThrow(
      /no log is archived beside it/,
    );

    await expect(restoreBackup(openBackup(addressIn(archived, base.name), s3.settings), unused())).rejects.toThrow(
      /backup.json is sealed: set BACKUP_KEY/,
    );

    const segment = `${log()}/${whole.at(-1)}`;
    const bytes = (await readWhole(archived, segment)) as Buffer;
    await archived.write(segment, [bytes.subarray(0, -4)]);
    await expect(restoreBackup(base, unused(), "latest")).rejects.toThrow(/archived log is broken: .*zst/);
    await archived.remove([segment]);
    await expect(restoreBackup(base, unused(), "latest")).rejects.toThrow(/not complete: .*zst is missing/);
    await archived.write(segment, [bytes]);
    expect(existsSync(unused())).toBe(false);
  });

  test("needs the log since the oldest backup only, and none is kept when the archive ends", async () => {
    await removeBackup(base);
    const next = await makeBackup(server.superuserUrl, archived);
    const first = `${next.manifest.wal?.segment}.zst`;
    expect(await segmentsIn()).toEqual(whole.filter((name) => name >= first));
    await endArchive(server.superuserUrl);
    const reader = await connect(server.superuserUrl);
    expect((await reader.query("SELECT FROM pg_replication_slots")).rowCount).toBe(0);
    await reader.end();
  });
});

test("before an upgrade a database that is used is backed up, and the last two such backups are kept", async () => {
  const folder = path.join(root, "upgrades");
  const lines: string[] = [];
  const backUp = (into = folder) =>
    backUpBeforeUpgrade(server.superuserUrl, openStorage(into, {}), (line) => lines.push(line));
  await backUp();
  expect([lines, existsSync(folder)]).toEqual([[], false]);

  const client = await connect(server.url);
  await client.query("CREATE TABLE workspaces AS SELECT 1 AS id");
  await client.query(
    "CREATE TABLE audit_log (workspace_id int, id uuid, at timestamptz, actor text, client text, request_id text, action text, detail jsonb)",
  );
  await client.end();
  const [older] = await listBackups(storage);
  for (const [name, reason] of [["2026-01-01"], ["2026-01-02", "upgrade"], ["2026-01-03", "upgrade"]]) {
    mkdirSync(path.join(folder, name ?? ""), { recursive: true });
    const manifest = { ...older?.manifest, made_at: `${name}T00:00:00.000Z`, reason };
    writeFileSync(path.join(folder, name ?? "", MANIFEST), JSON.stringify(manifest));
  }
  await backUp();
  const [made] = await listBackups(openStorage(folder, {}));
  expect(made?.manifest).toMatchObject({ reason: "upgrade", counts: { after: { workspaces: 1 } } });
  expect(lines.at(-1)).toContain(`to go back: rapport admin restore ${folder}/${made?.name} --into`);
  expect(readdirSync(folder)).toEqual(["2026-01-01", "2026-01-03", made?.name]);

  const reader = await connect(server.superuserUrl.replace(/[^/]*$/, "rapport"));
  const { rows: noted } = await reader.query("SELECT action, actor, client, detail FROM audit_log");
  await reader.end();
  const detail = { backup: made?.name, reason: "upgrade" };
  expect(noted).toEqual([{ action: "backup.made", actor: "job:backups", client: null, detail }]);

  await backUp(path.join(folder, "2026-01-01", MANIFEST));
  expect(lines.at(-1)).toMatch(/^no backup before the upgrade: /);
});
