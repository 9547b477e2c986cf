import { describe, expect, test } from "vitest";
import { inspect } from "#lib/testing/database.ts";
import {
  activities,
  booked,
  changed,
  connected,
  connectionOf,
  notes,
  recorded,
  useInbound,
} from "#lib/testing/inbound.fixture.ts";
import createdSample from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import minimalSample from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import { getInboundDelivery, replayInboundDelivery, retryDelivery } from "./service.ts";

const { contact, deliver, list } = useInbound();

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
