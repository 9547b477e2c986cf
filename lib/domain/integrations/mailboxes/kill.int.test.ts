/** The first sync of a mailbox and a calendar while the app and its database are killed: a small one, and the whole for `npm run torture`. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { letters } from "#lib/testing/correspondence.fixture.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import { calendarOf, eventOf, guestOf, inDays } from "#lib/testing/ics.fixture.ts";
import {
  createInstallation,
  type Installation,
  KILLS,
  moments,
  PATIENCE_MS,
} from "#lib/testing/installation.fixture.ts";
import { dovecot, leftOut, radicale } from "#lib/testing/outside-servers.ts";
import { useRadicale } from "#lib/testing/radicale.fixture.ts";

const US = "ada@rapport.example";
const user = { user: US, password: "ada's password" };
const isWhole = process.env.TORTURE_KILLS !== undefined;
const MESSAGES = Number(process.env.TORTURE_MESSAGES ?? (isWhole ? 20_000 : 1_200));
const EVENTS = MESSAGES / 10;
/** Events are an hour long, none at the time of another; the first half is over. */
const OVER = EVENTS / 2;
const event = (n: number) => {
  const place = n < OVER ? n : n - OVER;
  const start = inDays((n < OVER ? -60 : 5) + (place % 50), Math.floor(place / 50));
  const people = [guestOf(`p${n % 300}@customer${(n % 300) % 40}.example`), guestOf(US)];
  return calendarOf(eventOf(`e${n}@rapport.example`, start, `ORGANIZER:mailto:${US}`, `SUMMARY:Call ${n}`, ...people));
};

/** When nothing was read for so long, no one tries any more. */
const GIVEN_UP_MS = 60_000;

type Report = { folders: { path: string; read: number; missing: number | null; at_server: number | null }[] };

type View = { id: string; state: string; synced_at: string | null; meetings?: number; message: string | null };

describe.skipIf(leftOut(dovecot) || leftOut(radicale))("a first sync", () => {
  const server = useDovecot(user);
  const events = useRadicale(user);
  let installation: Installation;
  beforeAll(async () => {
    installation = await createInstallation({
      PRIVATE_MAIL_SERVERS: "127.0.0.1",
      NODE_EXTRA_CA_CERTS: "lib/testing/samples/tls/loopback.cert.pem",
      RATE_LIMIT_PER_MINUTE: "0",
    });
    await installation.start();
    const { sent, received } = letters(MESSAGES, US);
    await server.fill(US, sent, "Sent");
    await server.fill(US, received);
    await events.addCalendar("work");
    await events.fill("work", new Map(Array.from({ length: EVENTS }, (_, n) => [`${n}.ics`, event(n)])));
  }, 600_000);
  afterAll(() => installation.remove());

  test(`of ${MESSAGES} messages and ${EVENTS} events, killed ${KILLS} times, brings each exactly once`, {
    timeout: PATIENCE_MS + 600_000,
  }, async () => {
    const { id, key } = await installation.createWorkspace();
    await installation.ownersLogin(id);
    /** Asks until it is answered: the app is away now and then. */
    const ask = async <T>(path: string, body?: unknown): Promise<T> => {
      for (;;) {
        const answer = await fetch(`${installation.url()}/v2/me/${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }).catch(() => null);
        if (answer?.ok) return (await answer.json()) as T;
        if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
        await sleep(50);
      }
    };
    const { mailbox } = await ask<{ mailbox: View }>("mailboxes", {
      ...{ address: US, password: user.password, server: server.address, days: 3_650 },
    });
    const { calendar } = await ask<{ calendar: View }>("calendars", { ...user, server: events.url });
    const report = () => ask<Report>(`mailboxes/${mailbox.id}/report`);
    const messagesRead = async () => (await report()).folders.reduce((sum, { read }) => sum + read, 0);
    const calendars = async () => (await ask<{ calendars: View[] }>("calendars")).calendars[0] as View;
    /** A job that was killed as often as it has attempts is given up: it runs again by the hour, or when its member asks. */
    const askAgain = async () => {
      await ask(`mailboxes/${mailbox.id}/sync`, {});
      await ask(`calendars/${calendar.id}/sync`, {});
    };
    let progress = { part: 0, at: performance.now() };
    const done = async () => {
      const part = ((await messagesRead()) / MESSAGES + ((await calendars()).meetings ?? 0) / EVENTS) / 2;
      const isStill = part === progress.part;
      if (isStill && performance.now() - progress.at < GIVEN_UP_MS) return part;
      if (isStill) await askAgain();
      progress = { part, at: performance.now() };
      return part;
    };
    const began = performance.now();
    await installation.killAt(moments(), done);
    const mailboxes = async () => (await ask<{ mailboxes: View[] }>("mailboxes")).mailboxes[0] as View;
    // What a kill left waiting is read when it is due, or when its member asks.
    while ((await mailboxes()).state !== "current" || (await messagesRead()) < MESSAGES) {
      await ask(`mailboxes/${mailbox.id}/sync`, {});
      await sleep(500);
    }
    while ((await calendars()).state !== "current") {
      await ask(`calendars/${calendar.id}/sync`, {});
      await sleep(500);
    }
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(`${MESSAGES} messages and ${EVENTS} events with ${KILLS} kills in ${seconds} s`);
    const { folders } = await report();
    const [sent, received] = [Math.ceil(MESSAGES / 4), MESSAGES - Math.ceil(MESSAGES / 4)];
    expect(folders).toMatchObject([
      { path: "INBOX", at_server: received, read: received, missing: 0 },
      { path: "Sent", at_server: sent, read: sent, missing: 0 },
    ]);
    const [rows] = await installation.inspect(
      `SELECT (SELECT count(*)::int FROM messages WHERE workspace_id = $1) AS messages,
         (SELECT count(DISTINCT key)::int FROM messages WHERE workspace_id = $1) AS keys,
         (SELECT count(*)::int FROM message_holders WHERE workspace_id = $1) AS holders,
         (SELECT count(*)::int FROM mail_items WHERE workspace_id = $1 AND outcome = 'kept') AS kept,
         (SELECT count(DISTINCT activity)::int FROM message_contacts WHERE workspace_id = $1) AS told,
         (SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND kind = 'event' AND source = 'email') AS activities,
         (SELECT count(*)::int FROM meetings WHERE workspace_id = $1) AS meetings,
         (SELECT count(DISTINCT uid)::int FROM meetings WHERE workspace_id = $1) AS uids,
         (SELECT count(*)::int FROM meeting_copies WHERE workspace_id = $1) AS copies,
         (SELECT count(*)::int FROM meeting_activities WHERE workspace_id = $1 AND NOT hidden) AS told_meetings,
         (SELECT count(*)::int FROM observations WHERE workspace_id = $1 AND kind = 'event' AND source = 'calendar') AS of_meetings`,
      [id],
    );
    const each = MESSAGES;
    expect(rows).toEqual({
      ...{ messages: each, keys: each, holders: each, kept: each, told: each, activities: each },
      ...{ meetings: EVENTS, uids: EVENTS, copies: EVENTS },
      // Each was planned, and those that are over were held.
      ...{ told_meetings: EVENTS + OVER, of_meetings: EVENTS + OVER },
    });
    expect((await calendars()).meetings).toBe(EVENTS);
  });
});
