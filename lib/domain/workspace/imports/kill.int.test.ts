/** An import that is killed again and again ends as one that was left alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import type { Import } from "./contract.ts";

/** `IMPORT_ROWS=20000 KILLS=10` for the long run. */
const ROWS = Number(process.env.IMPORT_ROWS ?? 3_000);
const KILLS = Number(process.env.KILLS ?? 4);

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

/** Every third row is about someone above it, every fiftieth about no one. */
const FILE = [
  "Email,First Name,Title,Company",
  ...Array.from({ length: ROWS }, (_, n) => {
    const who = n % 3 === 0 ? Math.floor(n / 2) : n;
    return n % 50 === 0
      ? `,Nobody ${n},,`
      : `p${who}@company${who % 200}.example,First ${n},Title ${n % 7},Company ${who % 200}`;
  }),
].join("\n");

type Caller = { get<T>(path: string): Promise<T>; post<T>(path: string, body: unknown): Promise<T> };

/** Sends requests until they are answered: the server is away now and then. */
function callerOf(key: string): Caller {
  const ask = async <T>(path: string, init: RequestInit): Promise<T> => {
    for (;;) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const answer = await fetch(installation.url() + path, { ...init, headers }).catch(() => null);
      if (answer?.ok) return (await answer.json()) as T;
      if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      await sleep(50);
    }
  };
  return {
    get: (path) => ask(path, {}),
    post: (path, body) => ask(path, { method: "POST", body: JSON.stringify(body) }),
  };
}

async function stateOf(caller: Caller, id: string): Promise<Import> {
  return (await caller.get<{ import: Import }>(`/v2/imports/${id}`)).import;
}

async function until(caller: Caller, id: string, state: string): Promise<Import> {
  for (;;) {
    const found = await stateOf(caller, id);
    expect(found.state, found.problem ?? "").not.toBe("failed");
    if (found.state === state) return found;
    await sleep(100);
  }
}

async function uploaded(caller: Caller): Promise<string> {
  const { import: made } = await caller.post<{ import: Import }>("/v2/imports", { content: FILE });
  await until(caller, made.id, "ready");
  return made.id;
}

/** What the workspace has in the end, without ids and times. */
async function resultOf(caller: Caller) {
  const all: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { people: Record<string, unknown>[]; next_cursor: string | null } = await caller.get(
      `/v2/people?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { email, first_name, job_title, company } of page.people)
      all.push(JSON.stringify([email, first_name, job_title, company]));
    cursor = page.next_cursor;
  }
  const { companies } = await caller.get<{ companies: Record<string, unknown>[] }>("/v2/companies?limit=1000");
  return {
    people: all.sort(),
    companies: companies.map(({ domain, people_count }) => `${domain} ${people_count}`).sort(),
  };
}

async function outcomesOf(caller: Caller, id: string): Promise<string[]> {
  const all: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { rows: { row: number; outcome: string }[]; next_cursor: string | null } = await caller.get(
      `/v2/imports/${id}/rows?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { row, outcome } of page.rows) all.push(`${row} ${outcome}`);
    cursor = page.next_cursor;
  }
  return all;
}

test("killed at random moments it imports each row once", { timeout: 300_000 + KILLS * 60_000 }, async () => {
  const calm = callerOf((await installation.createWorkspace()).key);
  const calmId = await uploaded(calm);
  await calm.post(`/v2/imports/${calmId}/run`, {});
  const left = await until(calm, calmId, "done");

  const struck = callerOf((await installation.createWorkspace()).key);
  const id = await uploaded(struck);
  await struck.post(`/v2/imports/${id}/run`, {});
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = Math.floor((ROWS * (kill + Math.random())) / (KILLS + 1));
    while (((await stateOf(struck, id)).run?.rows_done ?? 0) < goal) await sleep(20);
    await (kill % 2 === 0 ? installation.crashApp() : installation.crashDatabase());
  }
  const done = await until(struck, id, "done");

  const { created, updated, unchanged, skipped, rows_done } = left.run as NonNullable<Import["run"]>;
  expect(done.run).toMatchObject({ created, updated, unchanged, skipped, rows_done });
  expect(await outcomesOf(struck, id)).toEqual(await outcomesOf(calm, calmId));
  expect(await resultOf(struck)).toEqual(await resultOf(calm));
});
