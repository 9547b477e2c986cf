/** Callers and providers while app and database are killed under them: the answers they get, and what is there in the end. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RECORDER_SECRET, recorded } from "#lib/testing/inbound.fixture.ts";
import { createInstallation, type Installation } from "#lib/testing/installation.fixture.ts";

/** `KILLS=70` for a long run. */
const KILLS = Number(process.env.KILLS ?? 5);
/** How many are answered before each kill, at least. */
const EACH = { captures: 200, deliveries: 60 };
const SENDERS = { captures: 12, deliveries: 8 };
const PEOPLE = 20;
const TYPES = ["email_sent", "website_visit", "email_received", "meeting_held"];
const STAGES = ["identified", "aware", "interested", "evaluating"];
/** Who is in each recorded call. */
const GUESTS = ["anna@acme.example", "ben@acme.example"];

let installation: Installation;
beforeAll(async () => {
  installation = await createInstallation({ FATHOM_WEBHOOK_SECRET: RECORDER_SECRET, RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

test("what was answered while app and database are killed is there exactly once, and what was not is 503 or cut off with the app", {
  timeout: 180_000 + KILLS * 30_000,
}, async () => {
  const { id, key } = await installation.createWorkspace();
  const app = { deaths: 0, isAway: false };
  const statuses = new Set<number>();
  const unclear: unknown[] = [];
  const cutOff: unknown[] = [];

  type Heard = { ok: boolean; body: Record<string, unknown> };
  /** One request, and what was heard of its answer: only a killed app gives none. */
  async function send(path: string, init: RequestInit): Promise<Heard | null> {
    const before = { ...app };
    try {
      const answer = await fetch(installation.url() + path, init);
      const body = (await answer.json()) as Heard["body"];
      statuses.add(answer.status);
      if (answer.status === 503 && !(body.error === "not_ready" && answer.headers.get("retry-after")))
        unclear.push(body);
      return { ok: answer.ok, body };
    } catch (error) {
      if (!before.isAway && app.deaths === before.deaths) cutOff.push(error);
      return null;
    }
  }
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const ask = (path: string, body?: unknown) =>
    send(path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
  /** Sends again and again until it is answered, as a careful caller would, and a provider. */
  async function untilTaken(attempt: () => Promise<Heard | null>): Promise<Heard["body"]> {
    for (;;) {
      const heard = await attempt();
      if (heard?.ok) return heard.body;
      await sleep(30);
    }
  }
  for (const email of GUESTS) await untilTaken(() => ask("/v2/people", { email }));
  statuses.clear(); // they were created

  let stop = false;
  const captured: { person: number; activity: unknown }[] = [];
  const sent = { captures: 0, deliveries: 0 };
  const taken = { deliveries: 0 };
  const capturing = Array.from({ length: SENDERS.captures }, async () => {
    while (!stop) {
      const index = sent.captures++;
      const person = index % PEOPLE;
      const type = TYPES[index % TYPES.length];
      const body = { email: `p${person}@acme.com`, type, source: "test", external_id: `x${index}` };
      captured.push({ person, activity: (await untilTaken(() => ask("/api/v1/capture", body))).activity_id });
    }
  });
  const delivering = Array.from({ length: SENDERS.deliveries }, async () => {
    while (!stop) {
      const recording = sent.deliveries++;
      const payload = {
        id: `rec_${recording}`,
        title: `Call ${recording}`,
        recording_start_time: new Date(Date.UTC(2026, 0, 1) + recording * 60_000).toISOString(),
        default_summary: { markdown_formatted: `Summary of call ${recording}` },
        calendar_invitees: GUESTS.map((email) => ({ email })),
      };
      await untilTaken(() => {
        const { body, headers } = recorded(payload, { id: `msg_${recording}` });
        return send(`/inbound/fathom/${id}`, { method: "POST", headers, body: body as string });
      });
      taken.deliveries++;
    }
  });
  const reading = ["/v2/people", "/v2/workspace/facts", "/v2/attention"].map(async (path) => {
    for (; !stop; await sleep(20)) await ask(path);
  });
  async function untilMore(): Promise<void> {
    const goal = { captures: captured.length + EACH.captures, deliveries: taken.deliveries + EACH.deliveries };
    while (captured.length < goal.captures || taken.deliveries < goal.deliveries) await sleep(5);
  }
  for (let kill = 0; kill < KILLS; kill++) {
    await untilMore();
    if (kill % 2 === 1) await installation.crashDatabase();
    else {
      app.deaths++;
      app.isAway = true;
      await installation.crashApp();
      app.isAway = false;
    }
  }
  await untilMore();
  stop = true;
  await Promise.all([...capturing, ...delivering, ...reading]);

  expect([...statuses].toSorted()).toEqual([200, 503]);
  expect({ unclear, cutOff }).toEqual({ unclear: [], cutOff: [] });

  /** Everything of a list, by its cursor. */
  async function all<T>(address: string, name: string): Promise<T[]> {
    const found: T[] = [];
    for (let cursor = ""; ; ) {
      const page = await untilTaken(() => ask(address + cursor));
      found.push(...(page[name] as T[]));
      if (!page.next_cursor) return found;
      cursor = `&cursor=${encodeURIComponent(String(page.next_cursor))}`;
    }
  }
  type Event = { id: string; type: string; summary: string };
  const eventsOf = (email: string) => all<Event>(`/v2/accounts/${email}/timeline?limit=200`, "events");

  for (let person = 0; person < PEOPLE; person++) {
    const expected = captured.filter((each) => each.person === person).map(({ activity }) => activity);
    expect((await eventsOf(`p${person}@acme.com`)).map((event) => event.id).sort()).toEqual(expected.sort());
    const account = await untilTaken(() => ask(`/v2/accounts/p${person}@acme.com`));
    expect(account.pipeline_stage).toBe(STAGES[person % STAGES.length]);
  }

  const waiting = () => all("/v2/workspace/inbound-deliveries?status=pending&limit=200", "deliveries");
  while ((await waiting()).length > 0) await sleep(200);
  type Delivery = { status: string; answer: unknown };
  const deliveries = await all<Delivery>("/v2/workspace/inbound-deliveries?limit=200", "deliveries");
  expect(deliveries).toHaveLength(sent.deliveries);
  expect(new Set(deliveries.map(({ status, answer }) => JSON.stringify([status, answer])))).toEqual(
    new Set([JSON.stringify(["processed", { ok: true, logged: GUESTS.length }])]),
  );
  const titles = Array.from({ length: sent.deliveries }, (_, recording) => `Call ${recording}`).sort();
  for (const email of GUESTS) {
    const notes = await all<{ metadata: { title: string } }>(`/v2/notes?focus=${email}&limit=200`, "notes");
    expect(notes.map(({ metadata }) => metadata.title).sort()).toEqual(titles);
    const held = (await eventsOf(email)).filter(({ type }) => type.endsWith("meeting_held"));
    expect(held.map(({ summary }) => summary).sort()).toEqual(titles.map((title) => `Meeting: ${title}`));
  }
});
