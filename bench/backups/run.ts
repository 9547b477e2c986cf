/**
 * Backups against their goals. Under captures at a steady rate: a backup, kills of app and database, and restores to random moments,
 * each of which must have every capture that was answered before it once, and none that began after it. Then the time of a
 * backup of many people, and what lists cost meanwhile: into a folder, sealed, and both in a bucket of an S3 server on this machine.
 * `PEOPLE`, `SECONDS`, `MOMENTS` and `PER_SECOND` change the sizes, `KINDS` chooses among the kinds of backups.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ListedBackup, listBackups } from "#lib/db/backup/manifest.ts";
import { openStorage } from "#lib/db/backup/open-storage.ts";
import { endRecovery, momentsOf } from "#lib/db/backup/recovery.ts";
import { restoreBackup } from "#lib/db/backup/restore.ts";
import { makeKey } from "#lib/db/backup/seal.ts";
import { connected } from "#lib/db/connected.ts";
import { clusterHome, type EmbeddedServer, startEmbedded } from "#lib/db/embedded/embedded.ts";
import { readEnv } from "#lib/settings/env.ts";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import { startS3 } from "#lib/testing/s3.fixture.ts";
import { generateContacts } from "../generate.ts";
import { say } from "../report.ts";

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);
const PER_SECOND = setting("PER_SECOND", 500);
const SECONDS = setting("SECONDS", 60);
const MOMENTS = setting("MOMENTS", 20);
const PEOPLE = setting("PEOPLE", 250_000);
const GOALS = { seconds: 60, slower: 2 };
/** What may be under way at once; a capture that finds no place is left out. */
const AT_ONCE = 64;
/** Moments are so close to the answer to some capture. */
const NEAR_MS = 50;

const root = mkdtempSync(path.join(tmpdir(), "rapport-bench-backups-"));
const backups = path.join(root, "backups");
const storage = openStorage(backups, {});
const installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0", BACKUP_TO: backups });
const missed: string[] = [];
try {
  await installation.start();
  const { id, key } = await installation.createWorkspace();
  if (MOMENTS > 0 && !(await proveMoments(installation, id, key))) missed.push("moments");
  if (PEOPLE > 0) missed.push(...(await measureSpeed(installation, id, key)));
} finally {
  await installation.remove();
  rmSync(root, { recursive: true, force: true });
}
say(missed.length === 0 ? "every goal met" : `missed: ${missed.join(", ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** When a capture was sent and answered, in milliseconds; `answered` is null where it is not known whether it was made. */
type Capture = { sent: number; answered: number | null };

function startCaptures(url: () => string, key: string): { captures: Capture[]; stop(): Promise<void> } {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const captures: Capture[] = [];
  const underWay = new Set<Promise<void>>();
  const capture = async (n: number): Promise<void> => {
    const body = JSON.stringify({
      email: `p${n % 2_000}@bench.example`,
      type: "call",
      source: "bench",
      external_id: `n-${n}`,
    });
    const record: Capture = { sent: Date.now(), answered: null };
    captures.push(record);
    const answer = await fetch(`${url()}/api/v1/capture`, { method: "POST", headers, body }).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok) record.answered = Date.now();
  };
  const began = performance.now();
  let isOver = false;
  let due = 0;
  const sending = (async () => {
    for (; !isOver; await sleep(10)) {
      const until = Math.floor(((performance.now() - began) / 1_000) * PER_SECOND);
      for (; due < until; due++) {
        if (underWay.size >= AT_ONCE) continue;
        const sent: Promise<void> = capture(captures.length).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
    }
    await Promise.all(underWay);
  })();
  return {
    captures,
    stop: () => {
      isOver = true;
      return sending;
    },
  };
}

async function onServer<T>(dataDir: string, work: (server: EmbeddedServer) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, log: () => undefined });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

async function proveMoments(app: Installation, workspaceId: string, key: string): Promise<boolean> {
  const { captures, stop } = startCaptures(app.url, key);
  const answered = () => captures.filter((each) => each.answered !== null).length;
  const part = (SECONDS * 1_000) / 4;
  await sleep(part);
  const before = answered();
  await app.command("admin", "backup", backups);
  const [backup] = await listBackups(storage);
  if (!backup) throw new Error("there is no backup");
  await sleep(part);
  await app.crashDatabase();
  await sleep(part);
  await app.crashApp();
  await sleep(part);
  await stop();
  const end = Date.now();
  const reach = async () => Date.parse((await momentsOf(backup, backup.manifest))?.until ?? backup.manifest.made_at);
  while ((await reach()) < end) await sleep(1_000);
  say(
    `${answered()} captures answered, ${Math.round((before * 1_000) / part)} a second before the backup; ${captures.length - answered()} sent without an answer, at two kills`,
  );

  const from = Date.parse(backup.manifest.wal?.from ?? "");
  const times = captures.flatMap(({ answered: time }) => (time !== null && time > from + NEAR_MS ? [time] : []));
  let wrong = 0;
  for (let n = 0; n < MOMENTS; n++) {
    const near = times[Math.floor(Math.random() * times.length)] ?? end;
    const at = near + (Math.random() * 2 - 1) * NEAR_MS;
    wrong += await proveMoment(backup, workspaceId, captures, Math.min(at, end));
  }
  say(`${MOMENTS} moments restored, ${wrong} of them wrong`);
  return wrong === 0;
}

/** Restores to a moment; 1 when what is there is wrong. */
async function proveMoment(
  backup: ListedBackup,
  workspaceId: string,
  captures: readonly Capture[],
  moment: number,
): Promise<number> {
  const at = Math.floor(moment);
  const dataDir = path.join(root, `at-${at}`);
  const began = performance.now();
  await restoreBackup(backup, dataDir, new Date(at).toISOString());
  const counts = await onServer(dataDir, async ({ superuserUrl, url }) => {
    await endRecovery(superuserUrl);
    const ids = new URL(superuserUrl);
    ids.pathname = new URL(url).pathname;
    const rows = await connected(
      { connectionString: ids.href },
      async (client) =>
        (
          await client.query<{ id: string; count: string }>(
            "SELECT external_id AS id, count(*) FROM observations WHERE workspace_id = $1 AND external_id IS NOT NULL GROUP BY 1",
            [workspaceId],
          )
        ).rows,
    );
    return new Map(rows.map(({ id, count }) => [id, Number(count)]));
  });
  rmSync(clusterHome(dataDir), { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
  const of = (n: number) => counts.get(`n-${n}`) ?? 0;
  const lost = captures.filter(({ answered }, n) => answered !== null && answered <= at && of(n) !== 1).length;
  const late = captures.filter(({ sent }, n) => sent > at && of(n) > 0).length;
  say(
    `${new Date(at).toISOString()}: ${counts.size} captures, ${lost} missing or twice, ${late} too late, ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  );
  return lost + late > 0 || counts.size === 0 ? 1 : 0;
}

async function measureSpeed(app: Installation, workspaceId: string, key: string): Promise<string[]> {
  await onServer(app.dataDir, async ({ superuserUrl, url }) => {
    const tables = new URL(superuserUrl);
    tables.pathname = new URL(url).pathname;
    const size = { people: PEOPLE, companies: PEOPLE / 5, observationsPerPerson: 5, workspaces: 0 };
    await generateContacts({ url: tables.href, workspaceId, ...size });
  });
  const sealing = { BACKUP_KEY: await makeKey() };
  const s3 = await startS3(path.join(root, "s3"));
  const bucket = `s3://${s3.bucket}/bench`;
  const kinds: Record<string, { place: string; settings: Record<string, string> }> = {
    folder: { place: path.join(root, "plain"), settings: {} },
    "folder, sealed": { place: path.join(root, "sealed"), settings: sealing },
    S3: { place: `${bucket}/plain`, settings: s3.settings },
    "S3, sealed": { place: `${bucket}/sealed`, settings: { ...s3.settings, ...sealing } },
  };
  const missed: string[] = [];
  try {
    for (const [kind, { place, settings }] of Object.entries(kinds)) {
      if (process.env.KINDS && !process.env.KINDS.split(";").includes(kind)) continue;
      const alone = await listsDuring(app.url(), key, sleep(20_000));
      const began = performance.now();
      const making = app.commandWith(settings, "admin", "backup", place);
      const beside = await listsDuring(app.url(), key, making);
      const seconds = (performance.now() - began) / 1_000;
      const [made] = await listBackups(openStorage(place, readEnv(settings as unknown as NodeJS.ProcessEnv)));
      const megabytes = (bytes = 0) => Math.round(bytes / 1e6);
      const { bytes, unpacked } = made?.manifest.database ?? {};
      say(
        `${PEOPLE} people, ${kind}: ${seconds.toFixed(1)} s, ${megabytes(unpacked)} MB in ${megabytes(bytes)} MB; p95 of lists ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms meanwhile`,
      );
      if (seconds > GOALS.seconds) missed.push(`seconds (${kind})`);
      if (beside > GOALS.slower * alone) missed.push(`p95 (${kind})`);
    }
  } finally {
    await s3.close();
  }
  return missed;
}

/** The p95 of lists of people that four readers ask for while something else is done. */
async function listsDuring(url: string, key: string, work: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  const reader = async () => {
    while (!isOver) {
      const began = performance.now();
      const answer = await fetch(`${url}/v2/people?limit=50`, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the list answered ${answer.status}`);
      times.push(performance.now() - began);
    }
  };
  const readers = Promise.all([reader(), reader(), reader(), reader()]);
  await work.finally(() => {
    isOver = true;
  });
  await readers;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? 0;
}
