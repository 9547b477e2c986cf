/**
 * The feed of changes of two tenants, written and read at random, while apps are killed, connections of the database are
 * ended and readers are cut off. In the end each reader has exactly what its own tenant committed, in the order of the feed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { newId } from "#lib/core/ids.ts";
import { together } from "#lib/core/together.ts";
import type { Change, ChangesPage } from "#lib/domain/knowledge/changes/contract.ts";
import { committedChanges, nameOfChange, settled } from "../changes.fixture.ts";
import { database } from "../database.ts";
import { type Events, eventsOf, type StreamEvent } from "../events.fixture.ts";
import { type App, startApp } from "./app.ts";
import type { Chance } from "./chance.ts";
import type { Tenant } from "./requests.ts";
import type { Verdict } from "./verdict.ts";

export type Playing = {
  pool: number;
  tenants: readonly [Tenant, Tenant];
  chance: Chance;
  admin: pg.Client;
  verdict: Verdict;
};

type Reading = Playing & { apps: App[]; isWriting(): boolean; isDone(): boolean };

/** Of each tenant. */
const WRITERS = 4;
const SLOW = 2;
/** A request to an app that was killed may hang in the system for longer than anyone waits. */
const PATIENCE_MS = 10_000;

export async function playChanges(ms: number, playing: Playing): Promise<void> {
  const { pool, tenants, chance, verdict } = playing;
  const apps = [await startApp({ pool }), await startApp({ pool })];
  const until = performance.now() + ms;
  let done = false;
  let failed = false;
  const on: Reading = { ...playing, apps, isWriting: () => !failed && performance.now() < until, isDone: () => done };
  /** None goes on into the next test when another one has failed. */
  const endingAll = (branch: Promise<void>) =>
    branch.catch((error: unknown) => {
      failed = true;
      throw error;
    });
  try {
    const readers = tenants.flatMap((tenant) =>
      [paging(tenant, 0, on), paging(tenant, 1, on), streaming(tenant, on)].map((seen) => ({ tenant, seen })),
    );
    const all = Promise.all(readers.map(({ seen }) => seen));
    all.catch(() => undefined); // is thrown below, when the writers have ended
    const writers = tenants.flatMap((tenant) => [
      ...Array.from({ length: WRITERS }, () => write(tenant, chance.fork(), on)),
      ...Array.from({ length: SLOW }, () => writeSlowly(tenant, chance.fork(), on)),
    ]);
    await together([...writers, killApps(chance.fork(), on), endConnections(chance.fork(), on)].map(endingAll));
    for (const { stage } of tenants) await settled(stage.id);
    done = true;
    await all;
    for (const { stage, letter } of tenants) {
      const committed = await committedChanges(stage.id);
      verdict.count(`changes of ${letter}`, committed.length);
      for (const { tenant, seen } of readers)
        if (tenant.letter === letter) compare(letter, await seen, committed, verdict);
    }
    for (const app of apps) for (const name of await app.underWay()) verdict.wrong("under way for ever", name);
    for (const app of apps) for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
  } finally {
    done = true;
    for (const app of apps) await app.stop();
  }
}

/** Says where a reader's changes first differ from what was committed. */
function compare(letter: string, seen: readonly string[], committed: readonly string[], verdict: Verdict): void {
  const place = committed.findIndex((name, index) => seen[index] !== name);
  if (place < 0 && seen.length === committed.length) return;
  const at = place < 0 ? committed.length : place;
  const twice = seen.length - new Set(seen).size;
  verdict.wrong(
    "feed",
    `a reader of ${letter} has ${seen.length} changes (${twice} twice), ${committed.length} are committed; the first difference is at ${at}: ${seen[at]} instead of ${committed[at]}`,
  );
}

const headersOf = ({ key }: Tenant) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" });

async function write(tenant: Tenant, chance: Chance, { apps, isWriting, verdict }: Reading): Promise<void> {
  const somebody = () => `p${chance.int(0, 20)}@c${chance.int(0, 4)}.com`;
  const writes = [
    () => ["/api/v1/capture", { email: somebody(), type: "email_received" }],
    () => ["/api/v1/capture", { email: `${newId()}@acme.com`, type: "call" }],
    () => ["/v2/people", { email: somebody(), job_title: newId() }],
    () => ["/v2/notes", { focus: "anna@acme.com", content: newId() }],
    () => ["/v2/workspace/facts", { section: "ICP", content: newId() }],
    () => ["/v2/accounts/merge", { keep: somebody(), drop: somebody() }],
  ] as const;
  while (isWriting()) {
    const [path, body] = chance.pick(writes)() as [string, unknown];
    const answer = await fetch(chance.pick(apps).url + path, {
      method: "POST",
      headers: headersOf(tenant),
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch(() => null);
    await answer?.text().catch(() => undefined);
    verdict.count(answer?.ok ? "writes" : "writes refused or cut off");
    if (!answer) await sleep(20);
  }
}

/** Holds a transaction open, so that it commits after others that began later, or not at all. */
async function writeSlowly({ stage }: Tenant, chance: Chance, { isWriting, verdict }: Reading): Promise<void> {
  while (isWriting()) {
    const client = new pg.Client({ connectionString: database.adminUrl });
    client.on("error", () => undefined); // it is lost on purpose
    await client.connect();
    await client.query("BEGIN");
    for (let n = chance.int(1, 3); n > 0; n--) {
      await client.query(
        `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
         SELECT $1, $2, id, 'event', 'slow', '{}', 'test', 'observed', now(), 'test:test' FROM entities WHERE workspace_id = $1 AND type = 'person' ORDER BY id LIMIT 1`,
        [stage.id, newId()],
      );
      await sleep(chance.int(0, 80));
    }
    if (chance.percent(80)) await client.query("COMMIT");
    else verdict.count("transactions lost");
    await client.end();
  }
}

/** Kills one of the apps now and then, and starts another in its place. */
async function killApps(chance: Chance, { apps, pool, isWriting, verdict }: Reading): Promise<void> {
  while (isWriting()) {
    await sleep(chance.int(500, 3_000));
    const place = chance.int(0, apps.length - 1);
    const app = apps[place] as App;
    await app.kill();
    for (const complaint of app.complaints()) verdict.wrong("unhandled rejection", complaint);
    verdict.count("apps killed");
    apps[place] = await startApp({ pool });
  }
}

async function endConnections(chance: Chance, { admin, isWriting, verdict }: Reading): Promise<void> {
  while (isWriting()) {
    await sleep(chance.int(100, 500));
    const { rowCount } = await admin.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rapport' ORDER BY random() LIMIT 1",
    );
    verdict.count("connections ended", rowCount ?? 0);
  }
}

/** Pages of any size; a page that is cut off is asked for again. With `wait` it waits for the next change. */
async function paging(tenant: Tenant, wait: number, on: Reading): Promise<string[]> {
  const chance = on.chance.fork();
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const last = on.isDone();
    const query = `limit=${chance.int(1, 200)}${wait > 0 && !last ? `&wait=${wait}` : ""}${cursor}`;
    const page = await pageOf(`${chance.pick(on.apps).url}/v2/changes?${query}`, tenant, chance, on);
    if (!page) continue;
    seen.push(...page.changes.map(nameOfChange));
    cursor = `&cursor=${page.next_cursor}`;
    if (last && !page.has_more && page.changes.length === 0) return seen;
    if (wait === 0) await sleep(chance.int(0, 30));
  }
}

/** Null when it was cut off, by the harness or because no one was there. */
async function pageOf(
  address: string,
  tenant: Tenant,
  chance: Chance,
  { verdict }: Reading,
): Promise<ChangesPage | null> {
  const patience = chance.percent(10) ? chance.int(0, 20) : PATIENCE_MS;
  try {
    const response = await fetch(address, { headers: headersOf(tenant), signal: AbortSignal.timeout(patience) });
    const body = (await response.json()) as ChangesPage & { error?: string };
    if (response.ok) verdict.count("pages");
    else if (response.status !== 503 && response.status !== 500)
      verdict.wrong("false refusal", `${response.status} ${body.error}`);
    if (response.ok) return body;
  } catch {
    verdict.count("pages cut off");
  }
  await sleep(20);
  return null;
}

/** Follows the stream of one app after another, each from the last event it has. */
async function streaming(tenant: Tenant, on: Reading): Promise<string[]> {
  const chance = on.chance.fork();
  const seen: string[] = [];
  let lastId: string | null = null;
  for (;;) {
    const last = on.isDone();
    const came = seen.length;
    try {
      const stream: Events<Change> = await eventsOf<Change>(`${chance.pick(on.apps).url}/v2/changes?limit=50`, {
        authorization: `Bearer ${tenant.key}`,
        ...(lastId === null ? {} : { "last-event-id": lastId }),
      });
      const over = setTimeout(stream.leave, last ? 3_000 : chance.int(50, 2_000));
      try {
        for (;;) {
          const event: StreamEvent<Change> | null = await stream.next();
          if (event === null) break;
          lastId = event.id;
          if (event.event === "change") seen.push(nameOfChange(event.data));
        }
      } finally {
        clearTimeout(over);
      }
    } catch {
      on.verdict.count("streams cut off");
      await sleep(20);
    }
    if (last && seen.length === came && lastId !== null) return seen;
  }
}
