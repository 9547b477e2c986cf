import { describe, expect, test } from "vitest";
import { withWorkspace } from "#lib/db/transaction.ts";
import { captureSignals } from "#lib/domain/crm/activities/service.ts";
import {
  activities,
  booked,
  changed,
  connected,
  connectionOf,
  notes,
  people,
  recorded,
  useInbound,
} from "#lib/testing/inbound.fixture.ts";
import cancelledSample from "#lib/testing/samples/cal/docs.booking_cancelled.json" with { type: "json" };
import createdSample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import rescheduledSample from "#lib/testing/samples/cal/docs.booking_rescheduled.json" with { type: "json" };
import pingSample from "#lib/testing/samples/cal/ping.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import fullSample from "#lib/testing/samples/fathom/webhook.new_meeting_content_ready.full.json" with { type: "json" };
import { getInboundDelivery, replayInboundDelivery } from "./service.ts";

const { contact, deliver, list, server } = useInbound();

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
