/**
 * 32 writers and 4 readers at random: every reader gets exactly what was committed, in one and the same order. So many writes
 * run with the tests, whatever the machine's speed; CHANGES_WRITES says how many otherwise.
 */
import { spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { committedChanges, nameOfChange, settled } from "#lib/testing/changes.fixture.ts";
import { database, inspect } from "#lib/testing/database.ts";
import { type Events, eventsOf, type StreamEvent } from "#lib/testing/events.fixture.ts";
import { useServer } from "#lib/testing/server.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Change, ChangesPage } from "./contract.ts";

const WRITES = Number(process.env.CHANGES_WRITES ?? 400);
/** How often the reader that is killed dies at least. */
const DEATHS = 3;
const WRITERS = 32;
/** Of these so many hold a transaction open for a while, so that it commits after others that began later. */
const SLOW = 8;
/** What is recorded when all writers have ended. */
const LAST = "the.end";

const { call, url } = useServer();
const folder = mkdtempSync(path.join(tmpdir(), "changes-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A page as it was kept; null when the reader was killed while it wrote. */
function pageOf(line: string): ChangesPage | null {
  try {
    return JSON.parse(line) as ChangesPage;
  } catch {
    return null;
  }
}

const chance = (n: number) => Math.floor(Math.random() * n);

test(`${WRITERS} writers, 4 readers, one of them killed, for ${WRITES} writes`, {
  timeout: WRITES * 300 + 120_000,
}, async () => {
  const workspace = await createTestWorkspace();
  const other = await createTestWorkspace();
  const key = await workspace.key();
  const foreign = await other.key();
  let [written, kills] = [0, 0];
  const isWriting = () => written < WRITES || kills < DEATHS;
  let done = false;

  const people = Array.from({ length: 40 }, (_, n) => `p${n}@c${n % 7}.com`);
  const somebody = () => people[chance(people.length)] as string;
  const first = await call("/v2/observations", {
    key,
    body: { focus: somebody(), observations: [{ kind: "state", property: "first_name", value: "Anna" }] },
  });
  /** Its answer; null for a merge with who is not there yet, and when it waited for a connection in vain, as on a slow machine. */
  const write = async (path: string, body: object, as = key) => {
    const answer = await call(path, { key: as, body });
    expect([200, 201, 404, 503], JSON.stringify(answer.body)).toContain(answer.status);
    if (answer.status >= 400) return null;
    written++;
    return answer.body;
  };
  const writes = [
    () => write("/api/v1/capture", { email: somebody(), type: "email_received" }),
    () => write("/api/v1/capture", { email: `${newId()}@acme.com`, type: "call" }),
    () =>
      write("/v2/observations", {
        focus: somebody(),
        observations: [{ kind: "state", property: "job_title", value: newId() }],
      }),
    () => write("/v2/notes", { focus: somebody(), content: "Wants SSO." }),
    () => write("/v2/workspace/facts", { section: "ICP", content: newId() }),
    () => write("/api/v1/capture", { email: somebody(), type: "call" }, foreign),
    async () => {
      const drop = (await write("/v2/people", { email: `${newId()}@gmail.com` }))?.person as { id: string } | undefined;
      const merged = drop && (await write("/v2/accounts/merge", { keep: somebody(), drop: drop.id }));
      if (merged && chance(2) === 0) await write("/v2/accounts/unmerge", { merge_id: merged.merge_id });
    },
  ];
  const writer = async () => {
    while (isWriting()) await writes[chance(writes.length)]?.();
  };
  const slowWriter = async () => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    while (isWriting()) {
      await client.query("BEGIN");
      for (let n = chance(3); n >= 0; n--) {
        await client.query(
          `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at, actor)
           VALUES ($1, $2, $3, 'event', 'slow', '{}', 'test', 'observed', now(), 'test:test')`,
          [workspace.id, newId(), first.body.entity_id],
        );
        await sleep(chance(60));
      }
      await client.query(chance(5) === 0 ? "ROLLBACK" : "COMMIT");
    }
    await client.end();
  };

  const page = async (query: string): Promise<ChangesPage> => {
    const { status, body } = await call(`/v2/changes?${query}`, { key });
    expect([status, body.error]).toEqual([200, undefined]);
    return body as unknown as ChangesPage;
  };
  /** Reads on until nothing comes any more after all writers have ended. */
  const paging = async (wait: number): Promise<string[]> => {
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const last = done;
      const query = `limit=${1 + chance(200)}${wait > 0 && !last ? `&wait=${wait}` : ""}${cursor}`;
      const { changes, next_cursor, has_more } = await page(query);
      seen.push(...changes.map(nameOfChange));
      cursor = `&cursor=${next_cursor}`;
      if (last && !has_more && changes.length === 0) return seen;
      if (wait === 0) await sleep(chance(30));
    }
  };
  /** Is cut off now and then, and comes back with the id of the last event. */
  const streaming = async (): Promise<string[]> => {
    const seen: string[] = [];
    let lastId: string | null = null;
    for (;;) {
      const stream: Events<Change> = await eventsOf(`${url()}/v2/changes?limit=50`, {
        authorization: `Bearer ${key}`,
        ...(lastId === null ? {} : { "last-event-id": lastId }),
      });
      let left = 50 + chance(400);
      for (; left > 0; left--) {
        const told: StreamEvent<Change> | null = await stream.next();
        if (told === null) break;
        lastId = told.id;
        if (told.event === "change") seen.push(nameOfChange(told.data));
        if (told.data.property === LAST) {
          stream.leave();
          return seen;
        }
      }
      stream.leave();
    }
  };
  /** A process of its own that keeps each page in a file, is killed now and then, and goes on from the file. */
  const killed = async (): Promise<string[]> => {
    const file = path.join(folder, "seen");
    appendFileSync(file, "");
    const pages = () =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => (line.endsWith("}") ? [pageOf(line)] : []))
        .filter((found) => found !== null);
    for (;;) {
      const last = done;
      // A line that was cut off would hide the next one.
      appendFileSync(file, "\n");
      const cursor = pages().at(-1)?.next_cursor ?? "";
      const reader = spawn(
        process.execPath,
        ["-e", READER, `${url()}/v2/changes`, key, file, cursor, last ? "end" : ""],
        {
          stdio: "inherit",
        },
      );
      const closed = new Promise((resolve) => reader.once("close", resolve));
      if (!last) {
        await sleep(300 + chance(1_000));
        reader.kill("SIGKILL");
        kills++;
      }
      await closed;
      if (!last) continue;
      return pages().flatMap(({ changes }) => changes.map(nameOfChange));
    }
  };
  /** How one would read without knowing which transactions are under way. */
  const naive = async (): Promise<Set<string>> => {
    const seen = new Set<string>();
    for (let after = 0; ; await sleep(5)) {
      const last = done;
      const rows = await inspect<{ id: string; seq: number }>(
        "SELECT id, seq FROM observations WHERE workspace_id = $1 AND seq > $2 ORDER BY seq",
        [workspace.id, after],
      );
      for (const { id } of rows) seen.add(id);
      after = Number(rows.at(-1)?.seq ?? after);
      if (last) return seen;
    }
  };

  const readers = [paging(0), paging(2), streaming(), killed()];
  const guess = naive();
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => (n < SLOW ? slowWriter() : writer())));
  await call("/v2/observations", {
    key,
    body: { focus: somebody(), observations: [{ kind: "event", property: LAST, value: {} }] },
  });
  // It is final when everything before it has ended, beside this test too.
  await settled(workspace.id);
  done = true;

  const all = await Promise.all(readers);
  const committed = await committedChanges(workspace.id);
  expect(committed.length).toBeGreaterThan(WRITES / 2);
  for (const seen of all) {
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(committed);
  }
  // The load is one that such a reading does not survive.
  expect((await guess).size).toBeLessThan(committed.filter((name) => name.startsWith("observation ")).length);
});

const READER = `
const { appendFileSync } = require("node:fs");
const [address, key, file, from, end] = process.argv.slice(1);
(async () => {
  for (let cursor = from; ; ) {
    const query = new URLSearchParams({ limit: "100", ...(end ? {} : { wait: "1" }), ...(cursor ? { cursor } : {}) });
    const answer = await fetch(address + "?" + query, { headers: { authorization: "Bearer " + key } });
    if (answer.status !== 200) throw new Error(await answer.text());
    const page = await answer.json();
    appendFileSync(file, JSON.stringify(page) + "\\n");
    cursor = page.next_cursor;
    if (end && !page.has_more && page.changes.length === 0) return;
  }
})();`;
