import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/core/ids.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals } from "#lib/domain/crm/activities/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import {
  connectIntegration,
  disconnectIntegration,
  listIntegrations,
} from "#lib/domain/integrations/connections/service.ts";
import { listJobs } from "#lib/domain/integrations/jobs/service.ts";
import { patience } from "#lib/providers/request.ts";
import { bookingOf, CalComStandIn, ORGANIZER } from "#lib/testing/cal-com.fixture.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { hurryJobs, restOfJobs } from "#lib/testing/jobs.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import type { Backfill } from "./contract.ts";
import { queueComparison, reconcile } from "./service/reconcile.ts";
import {
  bookedSignals,
  cancelBackfill,
  listBackfillContacts,
  listBackfills,
  resumeBackfill,
  startBackfill,
} from "./service.ts";

const standIn = new CalComStandIn();
beforeAll(async () => {
  await standIn.start();
  bootWith({ CAL_COM_API_URL: standIn.url });
  await startWorker();
});
afterAll(async () => {
  await stopWorker();
  await standIn.stop();
});
afterEach(() => {
  standIn.calm();
  standIn.bookings.length = 0;
  Object.assign(standIn, { paging: "cursor", pageSize: 100, loose: false });
});

async function connected(emails: readonly string[] = []) {
  const workspace = await createTestWorkspace();
  const { caller, id } = workspace;
  const apiKey = standIn.account(undefined, { email: ORGANIZER });
  const { connection } = (await connectIntegration.execute(caller, {
    provider: "cal_com",
    credentials: { api_key: apiKey },
  })) as { connection: { id: string } };
  const contacts: Record<string, string> = {};
  for (const email of emails)
    contacts[email] = ((await upsertPerson.execute(caller, { email })) as { person: { id: string } }).person.id;
  const timeline = () =>
    inspect<{ email: string; property: string; external_id: string; description: string; observed_at: Date }>(
      `SELECT i.value AS email, o.property, o.external_id, o.value ->> 'description' AS description, o.observed_at
       FROM observations o JOIN identifiers i ON i.workspace_id = o.workspace_id AND i.entity_id = o.entity_id AND i.kind = 'email'
       WHERE o.workspace_id = $1 AND o.source = 'cal_com' AND o.property LIKE 'interaction.%' ORDER BY email, o.external_id`,
      [id],
    );
  const logged = async () =>
    (await timeline()).map(({ email, property, external_id }) => [
      email,
      property.replace("interaction.", ""),
      external_id,
    ]);
  const latest = async () =>
    ((await listBackfills.execute(caller, {})) as { backfills: Backfill[] }).backfills[0] as Backfill;
  const until = (state: string) => expect.poll(async () => (await latest()).state).toBe(state);
  /** The same, without the pauses between attempts. */
  const soon = async (state: string) => {
    const stateNow = async () => {
      await hurryJobs(id);
      return (await latest()).state;
    };
    await expect.poll(stateNow, { timeout: 30_000 }).toBe(state);
  };
  const start = (input: object = {}) => startBackfill.execute(caller, input) as Promise<{ backfill: Backfill }>;
  const found = async () => {
    const { contacts: rows } = (await listBackfillContacts.execute(caller, { id: (await latest()).id })) as {
      contacts: { email: string; logged: number; present: number; skipped: number; problem: string | null }[];
    };
    return Object.fromEntries(
      rows.map(({ email, logged: now, present, skipped, problem }) => [email, problem ?? [now, present, skipped]]),
    );
  };
  const card = async () =>
    ((await listIntegrations.execute(caller, {})) as { integrations: { provider: string }[] }).integrations.find(
      ({ provider }) => provider === "cal_com",
    );
  const run = {
    caller: { ...caller, actor: { type: "job" as const, id: "1" } },
    attempt: 1,
    last: false,
    signal: new AbortController().signal,
  };
  return {
    ...workspace,
    connectionId: connection.id,
    apiKey,
    contacts,
    timeline,
    logged,
    latest,
    until,
    soon,
    start,
    found,
    card,
    run,
  };
}

describe("a backfill", () => {
  test("logs each contact's bookings once, in the form of the webhook, and counts honestly", async () => {
    const [anna, ben, cleo] = ["anna@acme.example", "ben@acme.example", "cleo@acme.example"];
    const ws = await connected([anna, ben, cleo]);
    standIn.loose = true;
    standIn.bookings.push(
      bookingOf("b1", anna.toUpperCase()),
      bookingOf("b2", anna, { status: "cancelled", cancellationReason: "ill" }),
      bookingOf("b3", anna, { status: "pending" }),
      bookingOf("b4", ben, { status: "rejected" }),
      bookingOf("b5", ben, { status: "cancelled", rescheduledToUid: "b6" }),
      bookingOf("b6", ben, { rescheduledFromUid: "b5" }),
      bookingOf("b7", "stranger@else.example"),
      bookingOf("b8", ben, { attendees: [{ email: ben }, { email: anna }, { email: ORGANIZER }, { email: null }] }),
    );
    const known = bookedSignals(
      { uid: "b1", status: "accepted", start: new Date("2026-11-01T10:00:00Z"), attendees: [{ email: anna }] },
      new Set(),
    );
    await withWorkspace(ws.id, (db) => captureSignals({ ...ws.caller, db }, known));
    const { backfill } = await ws.start();
    expect(backfill).toMatchObject({ state: "queued", everyone: true, contacts: 3, looked_up: 0 });
    await ws.until("done");
    expect(await ws.logged()).toEqual([
      [anna, "meeting_scheduled", "cal_com_book_b1"],
      [anna, "meeting_scheduled", "cal_com_book_b8"],
      [anna, "meeting_cancelled", "cal_com_cancel_b2"],
      [ben, "meeting_scheduled", "cal_com_book_b6"],
      [ben, "meeting_scheduled", "cal_com_book_b8"],
    ]);
    expect(await ws.found()).toEqual({ [anna]: [2, 1, 5], [ben]: [2, 0, 6], [cleo]: [0, 0, 8] });
    expect(await ws.latest()).toMatchObject({
      contacts: 3,
      looked_up: 3,
      logged: 4,
      present: 1,
      skipped: 19,
      failed: 0,
      message: null,
      finished_at: expect.any(String),
    });
    for (const { query, headers } of standIn.received.filter(({ path }) => path === "/bookings")) {
      expect(query).toEqual({ attendeeEmail: expect.stringMatching(/@acme\.example$/), limit: "100" });
      expect(headers["cal-api-version"]).toBe("2026-05-01");
    }
    const [people] = await inspect<{ count: number }>(
      "SELECT count(*)::int AS count FROM people WHERE workspace_id = $1",
      [ws.id],
    );
    expect(people?.count).toBe(3);

    await ws.start({ contact_ids: [ws.contacts[ben]] });
    await ws.until("done");
    expect(await ws.latest()).toMatchObject({ everyone: false, contacts: 1, logged: 0, present: 2 });
    expect(await ws.logged()).toHaveLength(5);
  });

  test("keeps under 100 calls a minute", async () => {
    const emails = Array.from({ length: 6 }, (_, index) => `p${index}@acme.example`);
    const ws = await connected(emails);
    await ws.start();
    await ws.until("done");
    const asked = standIn.received.filter(({ path, query }) => path === "/bookings" && query.attendeeEmail);
    const times = asked.map(({ at }) => at); // the hourly comparison may ask for all of them meanwhile
    expect(times).toHaveLength(6);
    // Five pauses of 600 ms. On a busy machine a call arrives late, and the first one late shortens the span.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(2_000);
  });

  test("waits as long as the provider asks, and says so", async () => {
    const ws = await connected(["anna@acme.example"]);
    standIn.bookings.push(bookingOf("b1", "anna@acme.example"));
    standIn.trouble({ path: "/bookings", status: 429, headers: { "retry-after": "60" } });
    await ws.start();
    await ws.until("waiting");
    expect((await ws.latest()).message).toContain("Rapport waits and tries again automatically");
    expect(await ws.card()).toMatchObject({
      is_verified: true,
      message: expect.stringContaining("asks us to slow down"),
    });
    const [first] = standIn.received.filter(({ path }) => path === "/bookings").map(({ at }) => at);
    let due: number[] = [];
    await expect.poll(async () => (due = await hurryJobs(ws.id)), { interval: 20 }).toHaveLength(1);
    expect((due[0] ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(59_900);
    await ws.until("done");
    expect(await ws.latest()).toMatchObject({ logged: 1, message: null });
    expect(await ws.card()).not.toHaveProperty("message");
  });

  test("goes on after faults of the provider, and past an address it will not look up", async () => {
    const ws = await connected(["anna@acme.example", "ben@acme.example"]);
    standIn.bookings.push(bookingOf("b1", "anna@acme.example"), bookingOf("b2", "ben@acme.example"));
    standIn.trouble({ path: "/bookings", status: 400 });
    standIn.trouble({ path: "/bookings", status: 503 });
    standIn.trouble({ path: "/bookings", drops: true });
    await ws.start();
    await ws.soon("done");
    expect(await ws.latest()).toMatchObject({ looked_up: 2, logged: 1, failed: 1 });
    expect(Object.values(await ws.found()).filter((one) => typeof one === "string")).toEqual([
      expect.stringContaining("refused the request"),
    ]);
  });

  test("stops at a revoked key, shows it on the card, and goes on when it is resumed", async () => {
    const ws = await connected(["anna@acme.example"]);
    standIn.bookings.push(bookingOf("b1", "anna@acme.example"));
    standIn.trouble({ path: "/bookings", status: 401 });
    await ws.start();
    await ws.until("failed");
    expect(await ws.card()).toMatchObject({
      connected: true,
      is_verified: false,
      message: expect.stringContaining("connect again with a new one"),
    });
    const { id } = await ws.latest();
    await resumeBackfill.execute(ws.caller, { id });
    await ws.until("done");
    expect(await ws.card()).toMatchObject({ is_verified: true });
    expect(await ws.logged()).toHaveLength(1);
  });

  test("is stopped by people, and by disconnecting", async () => {
    const emails = Array.from({ length: 5 }, (_, index) => `p${index}@acme.example`);
    const ws = await connected(emails);
    standIn.trouble({ path: "/bookings", status: 429, headers: { "retry-after": "60" } }); // it cannot be done before
    const { backfill } = await ws.start();
    await cancelBackfill.execute(ws.caller, { id: backfill.id });
    await restOfJobs(ws.id);
    standIn.calm();
    expect((await ws.latest()).state).toBe("cancelled");
    expect((await ws.latest()).looked_up).toBeLessThan(5);
    await resumeBackfill.execute(ws.caller, { id: backfill.id });
    await disconnectIntegration.execute(ws.caller, { provider: "cal_com" });
    await ws.until("failed");
    await expect(resumeBackfill.execute(ws.caller, { id: backfill.id })).rejects.toMatchObject({
      code: "not_connected",
    });
    await expect(ws.start()).rejects.toMatchObject({ code: "not_connected" });
  });

  test("of everyone runs once at a time", async () => {
    const ws = await connected(["anna@acme.example", "ben@acme.example", "cleo@acme.example"]);
    const outcomes = await Promise.allSettled([ws.start(), ws.start(), ws.start()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    await expect(startBackfill.execute(ws.caller, {})).rejects.toMatchObject({ code: "backfill_running" });
    await ws.until("done");
  });
});

describe("the hourly comparison", () => {
  test("records once what no webhook reported, and continues from where it was", async () => {
    const ws = await connected(["known@acme.example"]);
    standIn.pageSize = 2;
    standIn.bookings.push(
      bookingOf("n1", "new@acme.example"),
      bookingOf("n2", "known@acme.example", { rescheduledFromUid: "n0" }),
      bookingOf("n3", "moved@acme.example", { rescheduledFromUid: "n0" }),
      bookingOf("n4", "known@acme.example", { status: "cancelled" }),
      bookingOf("old", "before@acme.example", { createdAt: "2026-01-01T00:00:00Z" }),
    );
    const expected = [
      ["known@acme.example", "meeting_scheduled", "cal_com_book_n2"],
      ["known@acme.example", "meeting_cancelled", "cal_com_cancel_n4"],
      ["new@acme.example", "meeting_scheduled", "cal_com_book_n1"],
    ];
    await reconcile.run(ws.run, { connection_id: ws.connectionId });
    expect(await ws.logged()).toEqual(expected);
    await reconcile.run(ws.run, { connection_id: ws.connectionId });
    expect(await ws.logged()).toEqual(expected);
    const [first, ...rest] = standIn.received.filter(({ path }) => path === "/bookings");
    expect(first?.query).toMatchObject({ sortUpdatedAt: "asc", limit: "100", afterUpdatedAt: expect.any(String) });
    expect(Date.parse(rest.at(-1)?.query.afterUpdatedAt ?? "")).toBeGreaterThanOrEqual(
      Date.parse(first?.query.afterUpdatedAt ?? ""),
    );
    const [row] = await inspect<{ reconciled_to: Date }>(
      "SELECT reconciled_to FROM connections WHERE workspace_id = $1",
      [ws.id],
    );
    expect(Date.now() - (row?.reconciled_to.getTime() ?? 0)).toBeLessThan(60_000);
  });

  test("a new person who booked and moved the meeting before it looked becomes a contact", async () => {
    const ws = await connected();
    standIn.bookings.push(
      bookingOf("m3", "mover@acme.example", { rescheduledFromUid: "m2" }),
      bookingOf("m2", "mover@acme.example", { rescheduledFromUid: "m1", rescheduledToUid: "m3", status: "cancelled" }),
      bookingOf("m1", "mover@acme.example", { rescheduledToUid: "m2", status: "cancelled" }),
      bookingOf("q1", "earlier@acme.example", { rescheduledToUid: "q2", createdAt: "2026-01-01T00:00:00Z" }),
      bookingOf("q2", "earlier@acme.example", { rescheduledFromUid: "q1" }),
    );
    for (const _time of [1, 2]) await reconcile.run(ws.run, { connection_id: ws.connectionId });
    const logged = (await ws.logged()).toSorted((a, b) => String(a[2]).localeCompare(String(b[2])));
    expect(logged).toEqual(
      ["m1", "m2", "m3"].map((uid) => ["mover@acme.example", "meeting_scheduled", `cal_com_book_${uid}`]),
    );
    const superseded = await inspect<{ property: string; value: string }>(
      "SELECT property, value FROM claims WHERE workspace_id = $1 AND property LIKE 'superseded.%' ORDER BY property",
      [ws.id],
    );
    expect(superseded).toEqual([
      { property: "superseded.cal_com.cal_com_book_m1", value: "cal_com_book_m2" },
      { property: "superseded.cal_com.cal_com_book_m2", value: "cal_com_book_m3" },
    ]);
  });

  test.each<[string, Parameters<typeof standIn.trouble>[0], string]>([
    [
      "is down",
      { drops: true },
      "Cal.com cannot be reached: it closed the connection without an answer. Rapport tries again automatically. If it keeps failing, check the network and Cal.com's status page.",
    ],
    ["is slow", { hangs: true }, "Cal.com did not answer in time. Rapport tries again automatically."],
    [
      "slows us down",
      { status: 429, headers: { "retry-after": "2" } },
      "Cal.com asks us to slow down: It was told to. Rapport waits and tries again automatically.",
    ],
    [
      "has a fault",
      { status: 500 },
      "Cal.com has a fault of its own: It was told to. Rapport tries again automatically.",
    ],
    [
      "revoked the key",
      { status: 401 },
      "Cal.com does not accept the credentials: It was told to. The key was revoked or may not do this: connect again with a new one.",
    ],
  ])("says on the card that the provider %s, and what to do", async (_what, trouble, message) => {
    const ws = await connected();
    standIn.trouble({ path: "/bookings", ...trouble });
    const { answerMs } = patience;
    if ("hangs" in trouble) patience.answerMs = 1_000;
    await reconcile.run(ws.run, { connection_id: ws.connectionId }).catch(() => undefined);
    patience.answerMs = answerMs;
    expect(await ws.card()).toMatchObject({ connected: true, message: `Bookings cannot be compared: ${message}` });
    await reconcile.run(ws.run, { connection_id: ws.connectionId });
    expect(await ws.card()).not.toHaveProperty("message");
  });

  test("shows a provider that is away on the card and is tried again; a revoked key is not", async () => {
    const ws = await connected();
    standIn.trouble({ path: "/bookings", status: 500 });
    await expect(reconcile.run(ws.run, { connection_id: ws.connectionId })).rejects.toThrow(
      "Cal.com has a fault of its own",
    );
    expect(await ws.card()).toMatchObject({ message: expect.stringContaining("Bookings cannot be compared") });
    standIn.trouble({ path: "/bookings", status: 401 });
    await reconcile.run(ws.run, { connection_id: ws.connectionId });
    expect(await ws.card()).toMatchObject({ is_verified: false });
    await reconcile.run(ws.run, { connection_id: ws.connectionId });
    expect(await ws.card()).toMatchObject({ is_verified: true });
  });

  test("is queued for a workspace with a booking provider, and for no other", async () => {
    const [one, other] = [await connected(), await connected()];
    const without = await createTestWorkspace();
    standIn.calm();
    for (const { id } of [one, other, without]) await queueComparison(id);
    const compared = () =>
      standIn.received.filter(({ path }) => path === "/bookings").map(({ headers }) => headers.authorization);
    for (const { apiKey } of [one, other])
      await expect.poll(compared, { timeout: 30_000 }).toContain(`Bearer ${apiKey}`);
    const { jobs } = (await listJobs.execute(without.caller, {})) as { jobs: unknown[] };
    expect(jobs).toEqual([]);
  });

  test("has nothing to do for a connection that is gone", async () => {
    const ws = await connected();
    standIn.calm();
    await reconcile.run(ws.run, { connection_id: newId() });
    expect(standIn.received).toEqual([]);
  });
});
