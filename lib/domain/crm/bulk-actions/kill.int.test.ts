/** A bulk action that is killed again and again ends as one that was left alone, and so does its undo. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";
import type { BulkAction } from "./contract.ts";

/** `BULK_PEOPLE=20000 KILLS=10` for the long run. */
const PEOPLE = Number(process.env.BULK_PEOPLE ?? 3_000);
const KILLS = Number(process.env.KILLS ?? 3);

let installation: Installation;
let key = "";
beforeAll(async () => {
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
  key = (await installation.createWorkspace()).key;
});
afterAll(() => installation.remove());

/** Sends a request until it is answered: the server is away now and then. */
async function ask<T>(path: string, body?: unknown): Promise<T> {
  for (;;) {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(installation.url() + path, init).catch(() => null);
    if (answer?.ok) return (await answer.json()) as T;
    if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await sleep(50);
  }
}

const seen = async (id: string) => (await ask<{ bulk_action: BulkAction }>(`/v2/bulk-actions/${id}`)).bulk_action;

async function until(id: string, state: string): Promise<BulkAction> {
  for (;;) {
    const found = await seen(id);
    expect(found.state, found.message ?? "").not.toBe("failed");
    if (found.state === state) return found;
    await sleep(50);
  }
}

/** Ends the app or its database when so many records are done. */
async function strike(id: string, doneOf: (found: BulkAction) => number): Promise<void> {
  for (let kill = 0; kill < KILLS; kill++) {
    const goal = Math.floor((PEOPLE * (kill + Math.random())) / (KILLS + 1));
    while (doneOf(await seen(id)) < goal) await sleep(10);
    await (kill % 2 === 0 ? installation.crashApp() : installation.crashDatabase());
  }
}

async function stages(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { people: { pipeline_stage: string }[]; next_cursor: string | null } = await ask(
      `/v2/people?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    for (const { pipeline_stage: stage } of page.people) counts[stage] = (counts[stage] ?? 0) + 1;
    cursor = page.next_cursor;
  }
  return counts;
}

test("killed at random moments it changes each record once, and puts each back once", {
  timeout: 300_000 + KILLS * 60_000,
}, async () => {
  for (let first = 0; first < PEOPLE; first += 1_000)
    await ask("/v2/people/bulk", {
      people: Array.from({ length: Math.min(1_000, PEOPLE - first) }, (_, n) => ({
        email: `p${first + n}@acme.com`,
        pipeline_stage: (first + n) % 3 === 0 ? "aware" : "interested",
      })),
    });
  const before = await stages();

  const body = { what: "people", filters: { search: "acme" }, action: "set_stage", pipeline_stage: "evaluating" };
  const { id } = (await ask<{ bulk_action: BulkAction }>("/v2/bulk-actions", body)).bulk_action;
  await strike(id, ({ done }) => done);
  expect(await until(id, "done")).toMatchObject({ total: PEOPLE, changed: PEOPLE, unchanged: 0, skipped: 0 });
  expect(await stages()).toEqual({ evaluating: PEOPLE });
  await ask(`/v2/bulk-actions/${id}/undo`, {});
  await strike(id, ({ undo }) => undo?.done ?? 0);
  expect((await until(id, "undone")).undo).toEqual({ done: PEOPLE, restored: PEOPLE, kept: 0 });
  expect(await stages()).toEqual(before);
});
