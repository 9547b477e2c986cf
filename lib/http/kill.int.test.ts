/** Callers and providers while app and database are killed under them: the answers they get, and what is there in the end. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECORDER_SECRET, recorded } from "#lib/testing/inbound.fixture.ts";
import {
  createInstallation,
  type Installation,
  KILLS,
  moments,
  PATIENCE_MS,
} from "#lib/testing/installation.fixture.ts";

// One installation for all of it: each test works in a workspace of its own.
let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation({ FATHOM_WEBHOOK_SECRET: RECORDER_SECRET, RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

test("a killed database means 503 for reads and writes, and nothing is lost or doubled", {
  timeout: PATIENCE_MS,
}, async () => {
  const SENDERS = 8;
  const CONTACTS = 20;
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

test("of captures while app and database are killed, each that was answered is there exactly once", {
  timeout: PATIENCE_MS,
}, async () => {
  const CAPTURES = 200 * (KILLS + 1);
  const PEOPLE = 20;
  const AT_ONCE = 16;
  const { key } = await installation.createWorkspace();
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answered = new Map<string, { person: number; activity: string }>();
  let next = 0;

  /** Sends one again and again until it is answered, as a careful caller would. */
  const capture = async (index: number): Promise<void> => {
    const person = index % PEOPLE;
    const type = ["email_sent", "website_visit", "email_received", "meeting_held"][index % 4];
    const body = JSON.stringify({ email: `p${person}@acme.com`, type, source: "test", external_id: `x${index}` });
    for (;;) {
      const answer = await fetch(`${installation.url()}/api/v1/capture`, { method: "POST", headers, body }).then(
        async (response) => (response.ok ? ((await response.json()) as { activity_id: string }) : null),
        () => null,
      );
      if (answer) return void answered.set(`x${index}`, { person, activity: answer.activity_id });
      await sleep(30);
    }
  };
  const sender = async () => {
    while (next < CAPTURES) await capture(next++);
  };
  const sending = Promise.all(Array.from({ length: AT_ONCE }, sender));
  await installation.killAt(moments(), () => answered.size / CAPTURES);
  await sending;

  for (let person = 0; person < PEOPLE; person++) {
    const address = `${installation.url()}/v2/accounts/p${person}@acme.com`;
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await fetch(`${address}/timeline?limit=50${cursor}`, { headers });
      const { events, next_cursor } = (await page.json()) as { events: { id: string }[]; next_cursor: string | null };
      found.push(...events.map(({ id }) => id));
      if (next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(next_cursor)}`;
    }
    const expected = [...answered.values()].filter((each) => each.person === person).map(({ activity }) => activity);
    expect(found.sort()).toEqual(expected.sort());
    const account = (await (await fetch(address, { headers })).json()) as { pipeline_stage: string };
    expect(account.pipeline_stage).toBe(["identified", "aware", "interested", "evaluating"][person % 4]);
  }
});

type Workspace = { id: string; key: string };

async function ask<T>({ key }: Workspace, address: string, body?: unknown): Promise<T> {
  const answer = await fetch(installation.url() + address, {
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${address} answers ${answer.status}`).toBe(true);
  return (await answer.json()) as T;
}

/** Everything of a list, by its cursor. */
async function all<T>(workspace: Workspace, address: string, name: string): Promise<T[]> {
  const found: T[] = [];
  let cursor = "";
  do {
    const page: Record<string, unknown> = await ask(workspace, `${address}${cursor}`);
    found.push(...(page[name] as T[]));
    cursor = page.next_cursor ? `&cursor=${encodeURIComponent(String(page.next_cursor))}` : "";
  } while (cursor !== "");
  return found;
}

/** Delivers as the provider does: again, with the same id, until the delivery is acknowledged. */
async function deliverUntilTaken({ id }: Workspace, recording: number, emails: readonly string[]): Promise<void> {
  const payload = {
    id: `rec_${recording}`,
    title: `Call ${recording}`,
    recording_start_time: new Date(Date.UTC(2026, 0, 1) + recording * 60_000).toISOString(),
    default_summary: { markdown_formatted: `Summary of call ${recording}` },
    calendar_invitees: emails.map((email) => ({ email })),
  };
  for (;;) {
    const { body, headers } = recorded(payload, { id: `msg_${recording}` });
    const taken = await fetch(`${installation.url()}/inbound/fathom/${id}`, {
      method: "POST",
      headers,
      body: body as string,
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.status === 200;
      },
      () => false,
    );
    if (taken) return;
    await sleep(50);
  }
}

test("of deliveries while app and database are killed, each is stored exactly once", {
  timeout: PATIENCE_MS,
}, async () => {
  const WEBHOOKS = 40 * (KILLS + 1);
  const AT_ONCE = 8;
  const EMAILS = ["anna@acme.example", "ben@acme.example"];
  const workspace = await installation.createWorkspace();
  for (const email of EMAILS) await ask(workspace, "/v2/people", { email });

  let next = 0;
  let taken = 0;
  const sender = async () => {
    while (next < WEBHOOKS) {
      await deliverUntilTaken(workspace, next++, EMAILS);
      taken++;
    }
  };
  const sending = Promise.all(Array.from({ length: AT_ONCE }, sender));
  await installation.killAt(moments(), () => taken / WEBHOOKS);
  await sending;

  const waiting = () => all(workspace, "/v2/workspace/inbound-deliveries?status=pending&limit=200", "deliveries");
  while ((await waiting()).length > 0) await sleep(200);
  type Delivery = { status: string; answer: unknown };
  const deliveries = await all<Delivery>(workspace, "/v2/workspace/inbound-deliveries?limit=200", "deliveries");
  expect(deliveries).toHaveLength(WEBHOOKS);
  expect(new Set(deliveries.map(({ status, answer }) => JSON.stringify([status, answer])))).toEqual(
    new Set([JSON.stringify(["processed", { ok: true, logged: EMAILS.length }])]),
  );

  const expected = Array.from({ length: WEBHOOKS }, (_, recording) => `Call ${recording}`).sort();
  for (const email of EMAILS) {
    const notes = await all<{ metadata: { title: string } }>(workspace, `/v2/notes?focus=${email}&limit=200`, "notes");
    expect(notes.map(({ metadata }) => metadata.title).sort()).toEqual(expected);
    type Event = { type: string; summary: string };
    const events = await all<Event>(workspace, `/v2/accounts/${email}/timeline?limit=200`, "events");
    const held = events.filter(({ type }) => type.endsWith("meeting_held"));
    expect(held.map(({ summary }) => summary).sort()).toEqual(expected.map((title) => `Meeting: ${title}`));
  }
});
