/** Callers while the database is killed under them: the answers they get, and what is in the database in the end. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstallation, type Installation, KILLS, PATIENCE_MS } from "#lib/testing/installation.fixture.ts";

const SENDERS = 8;
const CONTACTS = 20;

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

test("a killed database means 503 for reads and writes, and nothing is lost or doubled", {
  timeout: PATIENCE_MS,
}, async () => {
  const { key } = await installation.createWorkspace();
  const ask = (path: string, body?: unknown) =>
    fetch(installation.url() + path, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const statuses = new Set<number>();
  const unclear: unknown[] = [];
  const heard = async (answer: Response): Promise<Record<string, unknown>> => {
    statuses.add(answer.status);
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.status === 503 && !(body.error === "not_ready" && answer.headers.get("retry-after"))) unclear.push(body);
    return body;
  };

  let stop = false;
  let sent = 0;
  const firstAnswers = new Map<string, string>();
  const captureUntilTaken = async (number: number) => {
    const external_id = `msg-${number}`;
    const email = `person${number % CONTACTS}@acme.example`;
    for (;;) {
      const answer = await ask("/api/v1/capture", { email, type: "email_received", source: "gmail", external_id });
      const body = await heard(answer);
      if (answer.ok) return void firstAnswers.set(external_id, String(body.activity_id));
      await sleep(20);
    }
  };
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!stop) await captureUntilTaken(sent++);
  });
  const readers = ["/v2/people", "/v2/workspace/facts", "/v2/attention"].map(async (path) => {
    for (; !stop; await sleep(10)) await heard(await ask(path));
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const before = firstAnswers.size;
    await expect.poll(() => firstAnswers.size, { timeout: 30_000 }).toBeGreaterThan(before + 20);
    await installation.crashDatabase();
  }
  stop = true;
  await Promise.all([...senders, ...readers]);

  expect([...statuses].toSorted()).toEqual([200, 503]);
  expect(unclear).toEqual([]);
  const stored = new Map<string, number>();
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = (await (
      await ask(`/v2/activities?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ).json()) as {
      activities: { id: string }[];
      next_cursor: string | null;
    };
    for (const { id } of page.activities) stored.set(id, (stored.get(id) ?? 0) + 1);
    cursor = page.next_cursor;
  }
  expect(new Set(firstAnswers.values()).size).toBe(sent);
  for (const id of firstAnswers.values()) expect(stored.get(id)).toBe(1);
});
