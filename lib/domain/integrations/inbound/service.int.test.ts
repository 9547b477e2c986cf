import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "#lib/core/plans.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals } from "#lib/domain/crm/activities/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { booked, connectProvider, type ProviderRequest, recorded } from "#lib/testing/inbound.fixture.ts";
import cancelledSample from "#lib/testing/samples/cal/docs.booking_cancelled.json" with { type: "json" };
import createdSample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import rescheduledSample from "#lib/testing/samples/cal/docs.booking_rescheduled.json" with { type: "json" };
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import fullSample from "#lib/testing/samples/fathom/webhook.new_meeting_content_ready.full.json" with { type: "json" };
import { useServer } from "#lib/testing/server.fixture.ts";
import { answers, WebhookTarget } from "#lib/testing/webhook-target.fixture.ts";
import { createTestWorkspace, type TestWorkspace } from "#lib/testing/workspace.fixture.ts";
import {
  endRetention,
  getInboundDays,
  getInboundDelivery,
  listInboundDeliveries,
  replayInboundDelivery,
  retryDelivery,
  sendTestDelivery,
} from "./service.ts";

beforeAll(() => bootWith({ WORKER: "separate" })); // attempts are made here, one by one
const server = useServer();

async function connected(ownAddresses: string[] = []): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  await connectProvider(workspace.id, "cal_com", { ownAddresses });
  await connectProvider(workspace.id, "fathom");
  return workspace;
}

const deliver = async ({ id }: TestWorkspace, { body, headers }: ProviderRequest) => {
  const provider = "webhook-id" in headers ? "fathom" : "cal_com";
  return server.call(`/inbound/${provider}/${id}`, { raw: body, headers });
};

const contact = async (workspace: TestWorkspace, ...emails: string[]) => {
  const key = await workspace.key();
  for (const email of emails) await server.call("/v2/people", { key, body: { email } });
};

type Activity = {
  email: string;
  type: string;
  value: { description?: string; metadata?: Record<string, unknown> };
  external_id: string;
  observed_at: Date;
  source: string;
};

/** The timeline's activities of everyone, by person. */
const activities = ({ id }: TestWorkspace) =>
  inspect<Activity>(
    `SELECT i.value AS email, substr(o.property, 13) AS type, o.value, o.external_id, o.observed_at, o.source
     FROM observations o JOIN identifiers i ON i.workspace_id = o.workspace_id AND i.entity_id = o.entity_id AND i.kind = 'email'
     WHERE o.workspace_id = $1 AND o.property LIKE 'interaction.%' ORDER BY o.seq`,
    [id],
  );

const notes = ({ id }: TestWorkspace) =>
  inspect<{ email: string; type: string; title: string; content: string; date: Date; source: string }>(
    `SELECT i.value AS email, n.type::text, n.title, n.content, n.date, n.source FROM notes n
     JOIN identifiers i ON i.workspace_id = n.workspace_id AND i.entity_id = n.entity_id AND i.kind = 'email'
     WHERE n.workspace_id = $1 ORDER BY i.value`,
    [id],
  );

const people = async ({ id }: TestWorkspace) =>
  (
    await inspect<{ value: string }>(
      "SELECT value FROM identifiers WHERE workspace_id = $1 AND kind = 'email' ORDER BY value",
      [id],
    )
  ).map(({ value }) => value);

const list = async (workspace: TestWorkspace, input: Record<string, unknown> = {}) =>
  listInboundDeliveries.execute(workspace.caller, input);

/** Sets the age in days of the workspace's delivery at `offset`, oldest first. */
const age = ({ id }: TestWorkspace, offset: number, days: number, more = "") =>
  inspect(
    `UPDATE inbound_deliveries SET received_at = now() - make_interval(days => $3) ${more} WHERE id = (
       SELECT id FROM inbound_deliveries WHERE workspace_id = $1 ORDER BY id OFFSET $2 LIMIT 1)`,
    [id, offset, days],
  );

const connectionOf = async ({ id }: TestWorkspace, provider: string) =>
  (
    await inspect<{ webhook_status: string; last_event_at: Date | null }>(
      "SELECT webhook_status, last_event_at FROM connections WHERE workspace_id = $1 AND provider = $2",
      [id, provider],
    )
  )[0];

describe("a recording", () => {
  test("is a meeting held on the timeline of each invitee who is a contact, with its summary as a note", async () => {
    const workspace = await connected();
    await contact(workspace, "jane.doe@acme.example", "john.smith@client.example");
    const answer = await deliver(workspace, recorded(fullSample));
    expect(answer).toMatchObject({ status: 200, body: { ok: true, logged: 2 } });
    const of = (email: string) => ({
      email,
      type: "meeting_held",
      external_id: "fathom_123456789",
      source: "fathom",
      observed_at: new Date("2025-03-01T16:01:12Z"),
      value: {
        description: "Meeting: Quarterly Business Review",
        metadata: expect.objectContaining({ share_url: "https://fathom.video/share/xyz123" }),
      },
    });
    expect(await activities(workspace)).toMatchObject([of("jane.doe@acme.example"), of("john.smith@client.example")]);
    const note = {
      type: "meeting_notes",
      title: "Quarterly Business Review",
      content: fullSample.default_summary.markdown_formatted,
      date: new Date("2025-03-01T16:01:12Z"),
      source: "fathom",
    };
    expect(await notes(workspace)).toEqual([
      { email: "jane.doe@acme.example", ...note },
      { email: "john.smith@client.example", ...note },
    ]);
    expect(await connectionOf(workspace, "fathom")).toMatchObject({ webhook_status: "live" });
  });

  test("creates no contacts", async () => {
    const workspace = await connected();
    expect((await deliver(workspace, recorded(minimalSample))).body).toEqual({ ok: true, logged: 0 });
    expect(await people(workspace)).toEqual([]);
    expect((await list(workspace)).deliveries[0]).toMatchObject({
      status: "processed",
      message: "None of the invitees is a contact.",
      contacts: 0,
    });
  });

  test("is listed as without a contact until one is found", async () => {
    const workspace = await connected();
    await deliver(workspace, recorded(minimalSample));
    const missed = () => list(workspace, { without_contact: true });
    const [delivery] = (await missed()).deliveries;
    expect(delivery).toMatchObject({ status: "processed", contacts: 0 });
    await contact(workspace, "jane@acme.example");
    await replayInboundDelivery.execute(workspace.caller, { id: delivery?.id });
    expect((await list(workspace)).deliveries[0]).toMatchObject({ contacts: 1, message: null });
    expect((await missed()).deliveries).toEqual([]);
  });

  test("without a summary leaves no note, and the summary that comes later is kept once", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    const plain = { ...minimalSample, default_summary: null };
    expect((await deliver(workspace, recorded(plain))).body).toEqual({ ok: true, logged: 1 });
    expect(await notes(workspace)).toEqual([]);
    for (const more of [{}, {}, { default_summary: { markdown_formatted: "Said otherwise." } }])
      expect((await deliver(workspace, recorded({ ...minimalSample, ...more }))).body).toEqual({ ok: true, logged: 1 });
    expect(await notes(workspace)).toMatchObject([{ content: minimalSample.default_summary.markdown_formatted }]);
    expect(await activities(workspace)).toHaveLength(1);
  });

  test.each<[string, unknown, object]>([
    ["no invitees", { ...minimalSample, calendar_invitees: undefined }, { ok: true, logged: 0 }],
    ["null e-mails", { ...minimalSample, calendar_invitees: [{ email: null }, null] }, { ok: true, logged: 0 }],
    ["no id", { title: "x" }, { ok: true, skipped: "no_recording_id" }],
    ["nothing at all", {}, { ok: true, skipped: "no_recording_id" }],
    ["text no database keeps", { ...minimalSample, title: "a\u0000\ud83d", id: "r\u0000" }, { ok: true, logged: 1 }],
    ["numbers no JSON carries", { ...minimalSample, extra: 1e300, id: 2 ** 60 }, { ok: true, logged: 1 }],
  ])("with %s is answered 200", async (_what, payload, expected) => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    expect(await deliver(workspace, recorded(payload))).toMatchObject({ status: 200, body: expected });
  });

  test("nested without end is read as far as it matters", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
    const body = `${JSON.stringify(minimalSample).slice(0, -1)},"deep":${deep}}`;
    expect(await deliver(workspace, recorded(body))).toMatchObject({ status: 200, body: { ok: true, logged: 1 } });
    const { deliveries } = await list(workspace);
    expect((await getInboundDelivery.execute(workspace.caller, { id: deliveries[0]?.id })).delivery.payload).toBe(body);
  });
});

const changed = (sample: { triggerEvent: string; payload: object }, more: Record<string, unknown>) => ({
  ...sample,
  payload: { ...sample.payload, ...more },
});

describe("a booking", () => {
  test("is a scheduled meeting of every attendee, who becomes a contact; its own side does not", async () => {
    const workspace = await connected(["connected@sender.example"]);
    const attendees = [
      ...createdSample.payload.attendees,
      { email: "Organizer@example.com", name: "Organizer" },
      { email: "connected@sender.example", name: "The account" },
      { email: "teammate@sender.example", name: "Team" },
      { email: null, name: "Nobody" },
    ];
    const team = { members: [{ email: "teammate@sender.example" }] };
    const answer = await deliver(workspace, booked(changed(createdSample, { attendees, team })));
    expect(answer).toMatchObject({ status: 200, body: { ok: true, logged: 2 } });
    expect(await people(workspace)).toEqual(["additional-guest@example.com", "guest@example.com"]);
    const of = (email: string) => ({
      email,
      type: "meeting_scheduled",
      external_id: "cal_com_book_unique-booking-id",
      source: "cal_com",
      observed_at: new Date("2024-01-01T10:00:00Z"),
      value: {
        description: "Booked: Strategy Session between Organizer and Guest",
        metadata: {
          start: "2024-01-01T10:00:00.000Z",
          end: "2024-01-01T10:15:00.000Z",
          title: "Strategy Session between Organizer and Guest",
          uid: "unique-booking-id",
          ical_uid: "unique-identifier-string@example.com",
          location: "integrations:video-provider",
        },
      },
    });
    expect(await activities(workspace)).toMatchObject([of("additional-guest@example.com"), of("guest@example.com")]);
    expect(await connectionOf(workspace, "cal_com")).toMatchObject({ webhook_status: "live" });
  });

  test("that moved is one at the new time, of contacts only", async () => {
    const workspace = await connected();
    await contact(workspace, "guest@example.com");
    const before = changed(createdSample, {
      uid: "previous-booking-unique-id",
      attendees: [createdSample.payload.attendees[0]],
    });
    await deliver(workspace, booked(before));
    expect((await deliver(workspace, booked(rescheduledSample))).body).toEqual({ ok: true, logged: 1 });
    expect(await people(workspace)).toEqual(["guest@example.com"]);
    expect(await activities(workspace)).toMatchObject([
      { type: "meeting_scheduled", external_id: "cal_com_book_previous-booking-unique-id" },
      {
        type: "meeting_scheduled",
        external_id: "cal_com_book_new-booking-unique-id",
        observed_at: new Date("2024-01-10T14:30:00Z"),
      },
    ]);
  });

  test.each([
    ["after", false],
    ["before", true],
  ])("that moved leaves the old slot marked, when the news of it comes %s that slot's", async (_order, first) => {
    const workspace = await connected();
    await contact(workspace, "guest@example.com");
    const [guest] = createdSample.payload.attendees;
    const before = changed(createdSample, { uid: "previous-booking-unique-id", attendees: [guest] });
    const news = [before, changed(rescheduledSample, { attendees: [guest] })];
    for (const sent of first ? news.reverse() : news) expect((await deliver(workspace, booked(sent))).status).toBe(200);
    type Event = { type: string; value: { metadata?: Record<string, unknown> } };
    const timeline = await server.call("/v2/accounts/guest@example.com/timeline", { key: await workspace.key() });
    const slots = (timeline.body.events as Event[])
      .filter(({ type }) => type.startsWith("meeting_"))
      .map(({ type, value }) => [type, value.metadata?.uid, value.metadata?.superseded_by]);
    expect(slots).toEqual(
      expect.arrayContaining([
        ["meeting_scheduled", "new-booking-unique-id", undefined],
        ["meeting_scheduled", "previous-booking-unique-id", "cal_com_book_new-booking-unique-id"],
      ]),
    );
    expect(slots).toHaveLength(2);
  });

  test("that moved from an unknown slot creates no contacts either", async () => {
    const workspace = await connected();
    await deliver(workspace, booked(changed(rescheduledSample, { rescheduleUid: null })));
    expect(await people(workspace)).toEqual([]);
  });

  test.each([
    [false, "Cancelled: Strategy Session"],
    [true, "Cancelled, reschedule requested: Strategy Session"],
  ])("that was cancelled (another time wanted: %s) is one of contacts only", async (requestReschedule, description) => {
    const workspace = await connected();
    await contact(workspace, "guest@example.com");
    const news = changed(cancelledSample, { requestReschedule, title: "Strategy Session" });
    expect((await deliver(workspace, booked(news))).body).toEqual({ ok: true, logged: 1 });
    expect(await people(workspace)).toEqual(["guest@example.com"]);
    expect(await activities(workspace)).toMatchObject([
      { type: "meeting_cancelled", external_id: "cal_com_cancel_unique-booking-identifier", value: { description } },
    ]);
  });

  test("a ping makes the webhook live and records nothing", async () => {
    const workspace = await connected();
    expect(await connectionOf(workspace, "cal_com")).toMatchObject({ webhook_status: "pending", last_event_at: null });
    expect(await deliver(workspace, booked(pingSample))).toMatchObject({ status: 200, body: { ok: true } });
    expect(await connectionOf(workspace, "cal_com")).toMatchObject({
      webhook_status: "live",
      last_event_at: expect.any(Date),
    });
    expect(await people(workspace)).toEqual([]);
    expect((await list(workspace)).deliveries).toMatchObject([{ event: "PING", status: "processed" }]);
  });

  test.each([
    ["an event nobody uses", { triggerEvent: "FORM_SUBMITTED", payload: {} }, "unknown_event"],
    ["a flat event", { triggerEvent: "MEETING_ENDED", uid: "u", startTime: "2026-01-01T00:00:00Z" }, "unknown_event"],
    ["no event", { hello: "world" }, "unknown_event"],
    ["no uid", changed(createdSample, { uid: null }), "no_booking_uid"],
    ["no start", changed(createdSample, { startTime: "" }), "no_start_time"],
  ])("%s is skipped, and in the log", async (_what, payload, skipped) => {
    const workspace = await connected();
    expect(await deliver(workspace, booked(payload))).toMatchObject({ status: 200, body: { ok: true, skipped } });
    expect((await list(workspace)).deliveries).toMatchObject([{ status: "skipped", message: expect.any(String) }]);
    expect(await people(workspace)).toEqual([]);
  });

  test("without attendees is answered all the same", async () => {
    const workspace = await connected();
    for (const attendees of [undefined, null, [], [null], [{ email: null }]])
      expect((await deliver(workspace, booked(changed(createdSample, { attendees })))).body).toEqual({
        ok: true,
        logged: 0,
      });
  });
});

describe("a delivery that comes again", () => {
  test("changes nothing and is answered as the first time", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    const first = recorded(minimalSample, { id: "msg_1", at: new Date(Date.now() - 60_000) });
    const answers = [first, recorded(minimalSample, { id: "msg_1" }), first].map((sent) => deliver(workspace, sent));
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ status: 200, body: { ok: true, logged: 1 } });
    for (let count = 0; count < 2; count++)
      expect((await deliver(workspace, booked(createdSample))).body).toEqual({ ok: true, logged: 2 });
    expect((await list(workspace)).deliveries).toMatchObject([
      { provider: "cal_com", attempts: 1 },
      { provider: "fathom", attempts: 1 },
    ]);
    expect(await activities(workspace)).toHaveLength(3);
    expect(await notes(workspace)).toHaveLength(1);
  });

  test.each([
    ["recordings", () => recorded(minimalSample, { id: "msg_race" })],
    ["bookings", () => booked(createdSample)],
  ])("twenty times at once is one: %s", async (_what, sent) => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(workspace, sent())));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect((await list(workspace)).deliveries).toMatchObject([{ status: "processed", attempts: 1 }]);
    const found = await activities(workspace);
    expect(new Set(found.map(({ email }) => email)).size).toBe(found.length);
  });

  test("as two different deliveries of one recording, ten times each at once, is one activity and one note", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    const sent = Array.from({ length: 20 }, (_, index) => recorded(minimalSample, { id: `msg_${index % 2}` }));
    const answers = await Promise.all(sent.map((one) => deliver(workspace, one)));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    expect((await list(workspace)).deliveries).toHaveLength(2);
    expect(await activities(workspace)).toHaveLength(1);
    expect(await notes(workspace)).toHaveLength(1);
  });

  test("and deliveries about the same people in another order, many at once, all arrive", async () => {
    const workspace = await connected();
    const emails = ["a@x.example", "b@y.example", "c@z.example"];
    const sent = Array.from({ length: 30 }, (_, index) =>
      booked(
        changed(createdSample, {
          uid: `u${index}`,
          attendees: (index % 2 ? emails : emails.toReversed()).map((email) => ({ email })),
        }),
      ),
    );
    for (const { status, body } of await Promise.all(sent.map((one) => deliver(workspace, one))))
      expect([status, body]).toEqual([200, { ok: true, logged: 3 }]);
    expect(await activities(workspace)).toHaveLength(90);
  });
});

/** Makes the database refuse writes about a person, as any bug of ours might. */
const breakRecording = () =>
  inspect(`CREATE OR REPLACE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF new.value::text LIKE '%unspeakable%' THEN RAISE EXCEPTION 'broken for a test'; END IF; RETURN new; END $$;
    CREATE TRIGGER break_it BEFORE INSERT ON observations FOR EACH ROW EXECUTE FUNCTION break_it()`);
const mendRecording = () => inspect("DROP TRIGGER break_it ON observations");

describe("a delivery that cannot be recorded now", () => {
  const unspeakable = { ...minimalSample, title: "unspeakable" };

  test("is kept and answered, and a retry brings it in whole", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    await breakRecording();
    try {
      const sent = recorded(unspeakable, { id: "msg_1" });
      for (const again of [sent, sent])
        expect(await deliver(workspace, again)).toMatchObject({ status: 200, body: { ok: true, queued: true } });
      const [kept] = (await list(workspace)).deliveries;
      expect(kept).toMatchObject({ status: "pending", message: "Something went wrong on our side.", attempts: 1 });
      expect(await activities(workspace)).toEqual([]);
      expect(await connectionOf(workspace, "fathom")).toMatchObject({ webhook_status: "live" });
      await expect(retryDelivery(workspace.caller, kept?.id ?? "", false)).rejects.toThrow();
      expect((await list(workspace)).deliveries).toMatchObject([{ status: "pending", attempts: 2 }]);
      await expect(retryDelivery(workspace.caller, kept?.id ?? "", true)).rejects.toThrow();
      expect((await list(workspace)).deliveries).toMatchObject([{ status: "failed", attempts: 3 }]);
      // Given up: its sender's next try starts another round.
      expect((await deliver(workspace, sent)).body).toEqual({ ok: true, queued: true });
      expect((await list(workspace)).deliveries).toMatchObject([{ status: "pending", attempts: 3 }]);
    } finally {
      await mendRecording();
    }
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    await retryDelivery(workspace.caller, id, false);
    await retryDelivery(workspace.caller, id, false);
    const { delivery } = await getInboundDelivery.execute(workspace.caller, { id });
    expect(delivery).toMatchObject({ status: "processed", answer: { ok: true, logged: 1 }, message: null });
    expect(delivery.attempts.map(({ by, status }) => `${by} ${status}`)).toEqual([
      "delivery pending",
      "retry pending",
      "retry failed",
      "retry processed",
    ]);
    expect(await activities(workspace)).toHaveLength(1);
    expect(await notes(workspace)).toHaveLength(1);
  });

  test("leaves those that came with it as they are", async () => {
    const workspace = await connected();
    const sent = Array.from({ length: 24 }, (_, index) =>
      booked(
        changed(createdSample, {
          uid: `u${index}`,
          title: index === 5 ? "unspeakable" : `Meeting ${index}`,
          attendees: [{ email: `p${index}@x.example` }],
        }),
      ),
    );
    await breakRecording();
    try {
      const answers = await Promise.all([...sent, ...sent].map((one) => deliver(workspace, one)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      for (const [place, { body }] of answers.entries())
        expect([place, body]).toEqual([
          place,
          place % sent.length === 5 ? { ok: true, queued: true } : { ok: true, logged: 1 },
        ]);
    } finally {
      await mendRecording();
    }
    const { deliveries } = await list(workspace);
    expect(deliveries.filter(({ status }) => status === "pending").map(({ title }) => title)).toEqual(["unspeakable"]);
    expect(deliveries).toHaveLength(24);
    expect(await activities(workspace)).toHaveLength(23);
  });

  test("is recorded for no one when one of its people cannot be", async () => {
    const workspace = await connected();
    await contact(workspace, "a@x.example", "z@x.example");
    await inspect(`CREATE FUNCTION break_notes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM notes) > 0 THEN RAISE EXCEPTION 'broken for a test'; END IF; RETURN new; END $$;
      CREATE TRIGGER break_notes BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION break_notes()`);
    const calendar_invitees = [{ email: "a@x.example" }, { email: "z@x.example" }];
    const answer = await deliver(workspace, recorded({ ...minimalSample, calendar_invitees }));
    await inspect("DROP TRIGGER break_notes ON notes");
    expect(answer.body).toEqual({ ok: true, queued: true });
    expect([await activities(workspace), await notes(workspace)]).toEqual([[], []]);
  });

  test("of many people waits for a job instead of keeping its sender waiting", async () => {
    const workspace = await connected();
    const attendees = Array.from({ length: 40 }, (_, index) => ({ email: `guest${index}@many.example` }));
    expect((await deliver(workspace, booked(changed(createdSample, { attendees })))).body).toEqual({
      ok: true,
      queued: true,
    });
    const [{ id = "", status } = {}] = (await list(workspace)).deliveries;
    expect(status).toBe("pending");
    await retryDelivery(workspace.caller, id, false);
    expect((await list(workspace)).deliveries).toMatchObject([
      { status: "processed", answer: { ok: true, logged: 40 } },
    ]);
  });
});

describe("the delivery log", () => {
  test("pages newest first, by provider and status, and tells one workspace's from another's", async () => {
    const workspace = await connected();
    const other = await connected();
    await deliver(other, booked(pingSample));
    for (let index = 0; index < 5; index++) await deliver(workspace, booked({ triggerEvent: "PING", index }));
    await deliver(workspace, recorded(minimalSample));
    await deliver(workspace, booked({ triggerEvent: "X" }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(workspace, { limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.deliveries.map(({ id }) => id));
      expect(page.deliveries.length).toBeLessThanOrEqual(2);
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(new Set(seen).size).toBe(7);
    expect((await list(workspace)).deliveries.map(({ id }) => id)).toEqual(seen);
    expect((await list(workspace, { provider: "fathom" })).deliveries).toHaveLength(1);
    expect((await list(workspace, { status: "skipped" })).deliveries).toMatchObject([{ event: "X" }]);
    expect((await list(workspace, { provider: "cal_com", status: "processed", limit: 3 })).has_more).toBe(true);
    const foreign = (await list(other)).deliveries[0]?.id;
    await expect(getInboundDelivery.execute(workspace.caller, { id: foreign })).rejects.toMatchObject({
      code: "delivery_not_found",
    });
  });

  test("shows the payload as it came, and the headers without the signature", async () => {
    const workspace = await connected();
    const body = `{ "triggerEvent" :"PING", "emoji":"🚀" }\n`;
    const { headers } = booked(body);
    await deliver(workspace, {
      body,
      headers: { ...headers, authorization: "Bearer x", cookie: "a=b", "user-agent": "Cal" },
    });
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    const { delivery } = await getInboundDelivery.execute(workspace.caller, { id });
    expect(delivery).toMatchObject({
      payload: body,
      headers: { "content-type": "application/json", "user-agent": "Cal", "x-cal-webhook-version": "2021-10-20" },
      attempts: [{ by: "delivery", status: "processed", message: null, at: delivery.received_at }],
    });
    expect(Object.keys(delivery.headers)).toHaveLength(3);
  });

  test("counts what was turned away", async () => {
    const workspace = await connected();
    for (let count = 0; count < 3; count++) await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await deliver(workspace, recorded(minimalSample, { at: new Date(0) }));
    await expect
      .poll(async () => (await list(workspace)).refusals.map(({ count }) => count).toSorted(), { timeout: 30_000 })
      .toEqual([1, 3]);
    const { refusals, deliveries } = await list(workspace);
    expect(deliveries).toEqual([]);
    expect(new Set(refusals)).toEqual(
      new Set([
        expect.objectContaining({ provider: "fathom", code: "timestamp_out_of_tolerance", count: 1, standing: 1 }),
        expect.objectContaining({ provider: "cal_com", code: "invalid_signature", count: 3, standing: 3 }),
      ]),
    );
  });

  test("says nothing about a person who was erased, and does not bring them back", async () => {
    const workspace = await connected();
    const key = await workspace.key();
    await deliver(workspace, booked(createdSample));
    const [, other] = [await contact(workspace, "jane@acme.example"), recorded(minimalSample)];
    await deliver(workspace, other);
    const erased = await server.call("/v2/accounts/erase", { key, body: { focus: "guest@example.com" } });
    expect(erased.status).toBe(200);
    const [kept, booking] = (await list(workspace)).deliveries;
    expect(kept).toMatchObject({ title: "Discovery call - Acme Corp", contacts: 1 });
    expect(booking).toMatchObject({ title: null, message: "It named a person who was erased.", answer: { logged: 2 } });
    expect(booking?.contacts).toBe(1);
    const { delivery } = await replayInboundDelivery.execute(workspace.caller, { id: booking?.id });
    const standing = { status: booking?.status, answer: booking?.answer, message: booking?.message };
    expect(delivery).toMatchObject({ payload: "{}", ...standing, attempts: [{}, { by: "replay" }] });
    expect((await deliver(workspace, booked(createdSample))).status).toBe(200);
    expect(await people(workspace)).toEqual(["additional-guest@example.com", "jane@acme.example"]);
  });

  test("goes with its workspace", async () => {
    const workspace = await connected();
    await deliver(workspace, booked(pingSample));
    await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await inspect("DELETE FROM workspaces WHERE id = $1", [workspace.id]);
    expect(await inspect("SELECT 1 FROM inbound_deliveries WHERE workspace_id = $1", [workspace.id])).toEqual([]);
    expect(await inspect("SELECT 1 FROM inbound_refusals WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("keeps deliveries for the days of the setting, and longer what still waits", async () => {
    const workspace = await connected();
    for (const index of [1, 2, 3, 4]) await deliver(workspace, booked({ triggerEvent: "PING", index }));
    await deliver(workspace, booked(pingSample, { secret: "forged" }));
    await age(workspace, 0, 31);
    await age(workspace, 1, 29);
    await age(workspace, 2, 31, ", status = 'pending'");
    await inspect("UPDATE inbound_refusals SET last_at = now() - interval '31 days' WHERE workspace_id = $1", [
      workspace.id,
    ]);
    await endRetention(workspace.id);
    expect((await list(workspace)).deliveries).toHaveLength(3);
    expect((await list(workspace)).refusals).toEqual([]);
    bootWith({ INBOUND_RETENTION_DAYS: "7" });
    await endRetention(workspace.id);
    expect((await list(workspace)).deliveries.map(({ status }) => status)).toEqual(["processed", "pending"]);
    bootWith();
  });
});

describe("how long the log is kept", () => {
  const set = async (workspace: TestWorkspace, body: unknown, scopes: Scope[] = ["admin"]) =>
    server.call("/v2/workspace/inbound-retention", { key: await workspace.key(scopes), method: "PATCH", body });

  test("is each workspace's own setting, else the server's", async () => {
    const [short, long, standard] = [await connected(), await connected(), await connected()];
    const all = [short, long, standard];
    for (const workspace of all) {
      for (const index of [1, 2, 3, 4]) await deliver(workspace, booked({ triggerEvent: "PING", index }));
      await deliver(workspace, booked(pingSample, { secret: "forged" }));
      await age(workspace, 0, 100);
      await age(workspace, 1, 8);
      await age(workspace, 2, 400, ", status = 'pending'");
      await inspect("UPDATE inbound_refusals SET last_at = now() - interval '8 days' WHERE workspace_id = $1", [
        workspace.id,
      ]);
    }
    expect(await set(short, { days: 7 })).toMatchObject({
      status: 200,
      body: { retention: { days: 7, default_days: 30, is_default: false } },
    });
    await set(long, { days: 365 });
    for (const { id } of all) await endRetention(id);
    const left = await Promise.all(all.map((workspace) => list(workspace)));
    expect(left.map(({ deliveries }) => deliveries.length)).toEqual([2, 4, 3]);
    expect(left.map(({ refusals }) => refusals.length)).toEqual([0, 1, 1]);
    expect(left.map(({ retention }) => retention)).toEqual([
      { days: 7, default_days: 30, is_default: false },
      { days: 365, default_days: 30, is_default: false },
      { days: 30, default_days: 30, is_default: true },
    ]);
    expect((await set(long, { days: null })).body).toEqual({
      retention: { days: 30, default_days: 30, is_default: true },
    });
    await endRetention(long.id);
    expect((await list(long)).deliveries).toHaveLength(3);
  });

  test("is in the audit log when it changes", async () => {
    const workspace = await createTestWorkspace();
    for (const days of [7, 7, null]) await set(workspace, { days });
    const entries = await inspect("SELECT action, detail FROM audit_log WHERE workspace_id = $1 ORDER BY at, id", [
      workspace.id,
    ]);
    const changed = (from: number | null, to: number | null) => ({
      action: "inbound_retention.changed",
      detail: { from, to },
    });
    expect(entries).toEqual([changed(null, 7), changed(7, null)]);
  });

  test.each([{ days: 0 }, { days: 366 }, { days: 1.5 }, { days: "7" }, { days: -1 }, {}, { days: 7, more: 1 }])(
    "refuses %j and changes nothing",
    async (body) => {
      const workspace = await createTestWorkspace();
      expect((await set(workspace, body)).status).toBe(400);
      expect((await list(workspace)).retention.is_default).toBe(true);
    },
  );

  test("is an administrator's affair", async () => {
    const workspace = await createTestWorkspace();
    expect(await set(workspace, { days: 7 }, ["write"])).toMatchObject({
      status: 403,
      body: { error: "insufficient_scope" },
    });
  });
});

describe("a replay", () => {
  test("records what could not be recorded when it came, and nothing twice", async () => {
    const workspace = await connected();
    await deliver(workspace, recorded(minimalSample));
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    await contact(workspace, "jane@acme.example");
    for (let count = 0; count < 3; count++) {
      const { delivery } = await replayInboundDelivery.execute(workspace.caller, { id });
      expect(delivery).toMatchObject({ status: "processed", answer: { ok: true, logged: 1 }, message: null });
      expect([delivery.contacts, delivery.contact_ids]).toEqual([1, [expect.any(String)]]);
      expect(delivery.attempts.at(-1)).toMatchObject({ by: "replay", status: "processed" });
    }
    expect(await activities(workspace)).toHaveLength(1);
    expect(await notes(workspace)).toHaveLength(1);
    // Its sender gets the current state.
    expect(
      (
        await inspect<{ action: string }>("SELECT action FROM audit_log WHERE workspace_id = $1 AND subject = $2", [
          workspace.id,
          id,
        ])
      ).length,
    ).toBe(3);
  });

  test("many times at once is one", async () => {
    const workspace = await connected();
    await deliver(workspace, recorded(minimalSample));
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    await contact(workspace, "jane@acme.example");
    await Promise.all(Array.from({ length: 10 }, () => replayInboundDelivery.execute(workspace.caller, { id })));
    expect(await activities(workspace)).toHaveLength(1);
    expect(await notes(workspace)).toHaveLength(1);
    const { delivery } = await getInboundDelivery.execute(workspace.caller, { id });
    expect(delivery.attempts).toHaveLength(11);
  });

  test("that fails is written down as such, and keeps the latest twenty attempts", async () => {
    const workspace = await connected();
    await contact(workspace, "jane@acme.example");
    await breakRecording();
    await deliver(workspace, recorded({ ...minimalSample, title: "unspeakable" }));
    const [{ id = "" } = {}] = (await list(workspace)).deliveries;
    for (let count = 0; count < 25; count++) await replayInboundDelivery.execute(workspace.caller, { id });
    await mendRecording();
    const { delivery } = await getInboundDelivery.execute(workspace.caller, { id });
    expect(delivery).toMatchObject({ status: "failed", message: "Something went wrong on our side." });
    expect(delivery.attempts).toHaveLength(20);
    const { delivery: mended } = await replayInboundDelivery.execute(workspace.caller, { id });
    expect(mended).toMatchObject({ status: "processed", answer: { ok: true, logged: 1 } });
  });
});

describe("a signed test", () => {
  test.each(["cal_com", "fathom"])("of %s is handled like any delivery and records nothing", async (provider) => {
    const workspace = await connected();
    const { ok, url, delivery } = await sendTestDelivery.execute(workspace.caller, { provider });
    expect(ok).toBe(true);
    expect(url).toBe(`${server.url().replace("127.0.0.1", "localhost")}/inbound/${provider}/${workspace.id}`);
    expect(delivery.headers).toMatchObject({ "user-agent": "Rapport signed test" });
    expect(delivery).toMatchObject({ provider, status: "processed", sample: true });
    expect((await sendTestDelivery.execute(workspace.caller, { provider })).delivery.id).not.toBe(delivery.id);
    expect((await list(workspace)).deliveries).toHaveLength(2);
    expect(await people(workspace)).toEqual([]);
    expect(await connectionOf(workspace, provider)).toMatchObject({ webhook_status: "pending", last_event_at: null });
  });

  describe("takes the way of APP_URL", () => {
    const target = new WebhookTarget();
    beforeAll(() => target.start());
    afterAll(() => target.stop());

    test.each<[string, () => string, string]>([
      ["where nothing listens", () => "http://127.0.0.1:1", "It refuses connections."],
      ["where something else accepts it", () => target.url(""), "Something else answers at this address."],
      ["where something else refuses it", () => target.url(""), "It answered 403."],
      ["that leads elsewhere", () => target.url(""), "It answered 301, a redirect, which is not followed."],
    ])("and says what is wrong with one %s", async (what, url, reason) => {
      const workspace = await connected();
      if (what.includes("refuses")) target.behave = answers(403, {}, "an internal page");
      if (what.includes("elsewhere")) target.behave = answers(301, { location: server.url() });
      bootWith({ WORKER: "separate", APP_URL: url() });
      const failure: unknown = await sendTestDelivery.execute(workspace.caller, { provider: "fathom" }).catch((e) => e);
      bootWith({ WORKER: "separate" });
      expect(failure).toMatchObject({ code: "test_not_received", extras: { reason } });
      expect((failure as Error).message).not.toContain("internal page");
      expect((await list(workspace)).deliveries).toEqual([]);
    });
  });

  test("is a test only with the secret: the name of its sender alone is turned away", async () => {
    const workspace = await connected();
    const { body, headers } = recorded(minimalSample, { secret: `whsec_${Buffer.alloc(32, 9).toString("base64")}` });
    const sent = await deliver(workspace, { body, headers: { ...headers, "user-agent": "Rapport signed test" } });
    expect(sent).toMatchObject({ status: 401, body: { error: "invalid_signature" } });
    expect((await list(workspace)).deliveries).toEqual([]);
  });

  test("needs a secret, and a provider that delivers", async () => {
    const workspace = await createTestWorkspace();
    const send = (provider: string) => sendTestDelivery.execute(workspace.caller, { provider });
    await expect(send("fathom")).rejects.toMatchObject({ code: "signing_secret_not_configured" });
    await expect(send("hubspot")).rejects.toMatchObject({ code: "unknown_provider" });
  });
});

test("a meeting logged by a backfill is not logged again by its webhook", async () => {
  const workspace = await connected();
  await withWorkspace(workspace.id, (db) =>
    captureSignals({ ...workspace.caller, db }, [
      {
        email: "guest@example.com",
        type: "meeting_scheduled",
        source: "cal_com",
        externalId: "cal_com_book_unique-booking-id",
        occurredAt: new Date("2024-01-01T10:00:00Z"),
        createContact: true,
      },
    ]),
  );
  expect((await deliver(workspace, booked(createdSample))).body).toEqual({ ok: true, logged: 2 });
  expect((await activities(workspace)).map(({ email }) => email).sort()).toEqual([
    "additional-guest@example.com",
    "guest@example.com",
  ]);
});

test("deliveries are counted by day, with those that failed, of all providers or one", async () => {
  const workspace = await connected();
  const insert = (provider: string, status: string, days: number, count: number) =>
    inspect(
      `INSERT INTO inbound_deliveries (workspace_id, id, provider, key, status, answer, headers, payload, received_at)
       SELECT $1, gen_random_uuid(), $2, gen_random_uuid()::text, $3::inbound_status, '{}', '{}', '', now() - make_interval(days => $4)
       FROM generate_series(1, $5)`,
      [workspace.id, provider, status, days, count],
    );
  await insert("fathom", "processed", 0, 3);
  await insert("fathom", "failed", 0, 1);
  await insert("cal_com", "skipped", 5, 2);
  await insert("cal_com", "processed", 40, 9);
  const { days, since } = await getInboundDays.execute(workspace.caller, {});
  expect(days).toHaveLength(30);
  expect([days.at(-1), days.at(-6)]).toMatchObject([
    { delivered: 3, failed: 1 },
    { delivered: 2, failed: 0 },
  ]);
  expect(days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(6);
  expect(since).toBeNull();
  const fathom = await getInboundDays.execute(workspace.caller, { provider: "fathom" });
  expect(fathom.days.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(3);
  await insert("fathom", "processed", 2, 10_000);
  const many = await getInboundDays.execute(workspace.caller, {});
  expect(many.since).not.toBeNull();
  expect(many.days.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(10_000);
});
