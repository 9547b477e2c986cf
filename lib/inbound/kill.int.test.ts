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

const WEBHOOKS = 40 * (KILLS + 1);
const AT_ONCE = 8;
const EMAILS = ["anna@acme.example", "ben@acme.example"];

let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation({ FATHOM_WEBHOOK_SECRET: RECORDER_SECRET, RATE_LIMIT_PER_MINUTE: "0" });
  await installation.start();
});
afterAll(() => installation.remove());

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
async function deliverUntilTaken({ id }: Workspace, recording: number): Promise<void> {
  const payload = {
    id: `rec_${recording}`,
    title: `Call ${recording}`,
    recording_start_time: new Date(Date.UTC(2026, 0, 1) + recording * 60_000).toISOString(),
    default_summary: { markdown_formatted: `Summary of call ${recording}` },
    calendar_invitees: EMAILS.map((email) => ({ email })),
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

test("deliveries while app and database are killed are each stored exactly once", {
  timeout: PATIENCE_MS,
}, async () => {
  const workspace = await installation.createWorkspace();
  for (const email of EMAILS) await ask(workspace, "/v2/people", { email });

  let next = 0;
  let taken = 0;
  const sender = async () => {
    while (next < WEBHOOKS) {
      await deliverUntilTaken(workspace, next++);
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
