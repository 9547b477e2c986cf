/** Reading calendars, and what timelines then tell: against a stand-in that leaves out what servers leave out, and a real Radicale. */
import { beforeEach, describe, expect, test } from "vitest";
import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { capture } from "#lib/domain/crm/activities/service.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { settleMeetingsNow } from "#lib/domain/knowledge/meetings/service.ts";
import { CALENDAR_LOGIN, useCalDavServer } from "#lib/testing/caldav.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { calendarOf, eventOf, exceptionOf, guestOf, inDays } from "#lib/testing/ics.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { leftOut, radicale } from "#lib/testing/outside-servers.ts";
import { useRadicale } from "#lib/testing/radicale.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { meetingsIn } from "#lib/text/calendar/meetings.ts";
import { runSync } from "./service/sync.ts";
import {
  connectCalendar,
  disconnectCalendar,
  listCalendars,
  listServerCalendars,
  testCalendar,
  updateCalendar,
} from "./service.ts";

const server = useCalDavServer();
beforeEach(() => {
  server.calm();
  server.add("work", "Work");
});

const ANNA = "anna@acme.example";
const guest = (answer = "ACCEPTED", address = ANNA) => guestOf(address, answer, "Anna Smith");
const event = (uid: string, start: Date, ...lines: string[]): string =>
  eventOf(uid, start, "ORGANIZER:mailto:ada@rapport.example", "SUMMARY:Secret plan", ...lines);

async function setUp() {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada", "owner", `ada-${workspace.id}@rapport.example`);
  const job = (await jobAuthority(workspace.id, newId())) as Caller;
  const read = async (id: string, signal = new AbortController().signal) => {
    await runSync.run({ caller: job, attempt: 1, last: false, signal }, { calendar_id: id });
  };
  const events = async (focus = ANNA) => {
    const page = await getTimeline.execute(ada.caller, { focus, limit: 500 });
    return "events" in page ? page.events : [];
  };
  /** What Anna's timeline tells: types with days from now, those that were replaced with a star. */
  const told = async (focus = ANNA) =>
    (await events(focus))
      .map(({ type, observed_at: at, value }) => {
        const { metadata } = value as { metadata?: { superseded_by?: string } };
        const days = Math.floor((Date.parse(at) - +inDays(0, 0)) / 86_400_000);
        return `${type.replace("meeting_", "")} ${days}${metadata?.superseded_by ? "*" : ""}`;
      })
      .toSorted();
  const connect = async (more: object = {}, member = ada) => {
    const login = { server: server.url, ...CALENDAR_LOGIN };
    const { calendar } = await connectCalendar.execute(member.caller, { ...login, ...more });
    return calendar.id;
  };
  const calendar = async (member = ada) => {
    const [first] = (await listCalendars.execute(member.caller, {})).calendars;
    if (!first) throw new Error("no calendar");
    return first;
  };
  return { workspace, ada, read, events, told, connect, calendar };
}

/** What this thread has worked, in milliseconds. */
const cpuMs = (): number => process.threadCpuUsage().user / 1_000;

/** The longest time for which this thread worked without a pause, in milliseconds of CPU: others waited for so long. */
function watchTurns(): () => number {
  let [before, longest] = [cpuMs(), 0];
  const timer = setInterval(() => {
    const now = cpuMs();
    [longest, before] = [Math.max(longest, now - before), now];
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

describe("connecting", () => {
  test("is tried before it is kept, by server or by private address, and by members alone", async () => {
    const { ada, connect } = await setUp();
    server.add("home", "Home");
    const login = { server: server.url, ...CALENDAR_LOGIN };
    const { calendars } = await testCalendar.execute(ada.caller, login);
    expect(calendars.map(({ name }) => name).toSorted()).toEqual(["Home", "Work"]);
    const tried = (input: object) => connectCalendar.execute(ada.caller, input as typeof login);
    await expect(tried({ ...login, password: "wrong" })).rejects.toMatchObject({ code: "invalid_credentials" });
    await expect(tried({ server: server.url })).rejects.toMatchObject({ code: "calendar_login_required" });
    await expect(tried({ address: `${server.url}/none.ics` })).rejects.toMatchObject({ code: "invalid_parameter" });
    expect((await listCalendars.execute(ada.caller, {})).calendars).toEqual([]);
    const key = { ...ada.caller, viewer: undefined } as unknown as Caller;
    await expect(connectCalendar.execute(key, login)).rejects.toMatchObject({ code: "member_required" });
    await connect();
    await expect(connect()).rejects.toMatchObject({ code: "calendar_connected" });
  });

  test("the password and the private address are nowhere but sealed", async () => {
    const { workspace, ada, connect } = await setUp();
    await connect();
    await connectCalendar.execute(ada.caller, { address: `${server.url}/work.ics` });
    const rows = await inspect<{ all: string }>(
      `SELECT (SELECT string_agg(c::text, ' ') FROM calendars c WHERE workspace_id = $1) || ' ' ||
         coalesce((SELECT string_agg(a::text, ' ') FROM audit_log a WHERE workspace_id = $1), '') AS all`,
      [workspace.id],
    );
    expect(rows[0]?.all).not.toContain(CALENDAR_LOGIN.password);
    expect(rows[0]?.all).not.toContain("work.ics");
  });
});

describe("a calendar", () => {
  test("is told on timelines once, and says nothing of what a meeting is about", async () => {
    const { workspace, read, told, events, connect, calendar } = await setUp();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.put("work", "past.ics", calendarOf(event("past@acme", inDays(-3), guest())));
    server.put("work", "team.ics", calendarOf(event("team@acme", inDays(4), guest("ACCEPTED", "ben@rapport.example"))));
    server.put("work", "own.ics", calendarOf(event("own@acme", inDays(5), guest(), "CLASS:PRIVATE")));
    const id = await connect();
    await read(id);
    expect(await told()).toEqual(["held -3", "scheduled -3", "scheduled 3"]);
    expect(JSON.stringify(await events())).not.toContain("Secret");
    expect(await calendar()).toMatchObject({
      ...{ state: "current", meetings: 2 },
      calendars: [{ name: "Work", outcomes: { guests: 2, internal: 1, private: 1 } }],
    });
    await read(id);
    await read(id);
    expect((await told()).length).toBe(3);
    const stored = await inspect<{ all: string }>(
      "SELECT coalesce(string_agg(c::text, ' '), '') AS all FROM meeting_copies c WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(stored[0]?.all).not.toContain("Secret");
    expect(stored[0]?.all).not.toContain("Smith");
  });

  test.each([
    ["with sync tokens", {}],
    ["without sync tokens", { noSync: true }],
    ["without tokens and etags", { noSync: true, noEtags: true, noCtag: true }],
    ["that forgets tokens", { forgetsTokens: true }],
  ])("%s tells what was moved, declined, called off and taken out", async (_, leaves) => {
    const { read, told, connect } = await setUp();
    server.leaves = leaves;
    for (const [name, days] of Object.entries({ moved: 5, off: 3, declined: 8, out: 4 }))
      server.put("work", `${name}.ics`, calendarOf(event(`${name}@acme`, inDays(days), guest())));
    const id = await connect();
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4", "scheduled 5", "scheduled 8"]);
    server.put("work", "moved.ics", calendarOf(event("moved@acme", inDays(6), guest(), "SEQUENCE:1")));
    server.put("work", "off.ics", calendarOf(event("off@acme", inDays(3), guest(), "STATUS:CANCELLED")));
    server.put("work", "declined.ics", calendarOf(event("declined@acme", inDays(8), guest("DECLINED"))));
    server.remove("work", "out.ics");
    await read(id);
    const after = [
      ...["cancelled 3", "cancelled 4", "cancelled 8"],
      ...["scheduled 3", "scheduled 4", "scheduled 5*", "scheduled 6", "scheduled 8"],
    ];
    expect(await told()).toEqual(after);
    await read(id);
    expect(await told()).toEqual(after);
  });

  test("tells each time of a repeated meeting, one that was moved, and all of them", async () => {
    const { read, told, connect } = await setUp();
    const weekly = (start: Date) => event("weekly@acme", start, guest(), "RRULE:FREQ=WEEKLY;COUNT=3");
    server.put("work", "weekly.ics", calendarOf(weekly(inDays(2))));
    const id = await connect();
    await read(id);
    expect(await told()).toEqual(["scheduled 16", "scheduled 2", "scheduled 9"]);
    const exception = event("weekly@acme", inDays(10), guest(), exceptionOf(inDays(9)));
    server.put("work", "weekly.ics", calendarOf(weekly(inDays(2)), exception));
    await read(id);
    expect(await told()).toEqual(["scheduled 10", "scheduled 16", "scheduled 2", "scheduled 9*"]);
    server.put("work", "weekly.ics", calendarOf(weekly(inDays(2, 15))));
    await read(id);
    expect((await told()).filter((one) => !one.endsWith("*"))).toEqual(["scheduled 16", "scheduled 2", "scheduled 9"]);
    expect((await told()).filter((one) => one.startsWith("cancelled"))).toEqual([]);
  });

  test("by a private address is read by its etag, and tells what is gone", async () => {
    const { ada, read, told } = await setUp();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.put("work", "two.ics", calendarOf(event("two@acme", inDays(4), guest())));
    const { calendar } = await connectCalendar.execute(ada.caller, { address: `${server.url}/work.ics` });
    expect(calendar).toMatchObject({ kind: "ics", server: "127.0.0.1", user: null });
    await read(calendar.id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4"]);
    server.requests.length = 0;
    await read(calendar.id);
    expect(server.requests.map(({ method }) => method)).toEqual(["GET"]);
    server.remove("work", "two.ics");
    await read(calendar.id);
    expect(await told()).toEqual(["cancelled 4", "scheduled 3", "scheduled 4"]);
  });

  test("of five megabytes keeps no one else waiting while it is read", async () => {
    const { ada, read, calendar } = await setUp();
    const agenda = "Where we are, what is open, and who does what until when. ".repeat(14);
    const long = (n: number) =>
      event(`m${n}@acme`, inDays(-700 + (n % 800)), `DESCRIPTION:${agenda}`, guest("ACCEPTED", "ben@rapport.example"));
    const events = Array.from({ length: 5_000 }, (_, n) => long(n));
    for (const [n, one] of events.entries()) server.put("work", `${n}.ics`, calendarOf(one));
    const { calendar: connected } = await connectCalendar.execute(ada.caller, { address: `${server.url}/work.ics` });
    const longest = watchTurns();
    await read(connected.id);
    const longestTurn = longest();
    const before = cpuMs();
    meetingsIn(calendarOf(...events), { from: inDays(-90), to: inDays(60) });
    expect(longestTurn).toBeLessThan((cpuMs() - before) / 3);
    expect((await calendar()).calendars[0]?.outcomes.internal).toBeGreaterThan(800);
  });

  test("without news asks for each calendar once", async () => {
    const { read, connect } = await setUp();
    const id = await connect();
    await read(id);
    server.requests.length = 0;
    await read(id);
    expect(server.requests.map(({ method }) => method)).toEqual(["PROPFIND"]);
  });

  test("adds no one by an invitation that its member has not answered, nor where its member adds nobody", async () => {
    const { read, told, connect } = await setUp();
    const theirs = event("theirs@acme", inDays(3), guest()).replace("ada@rapport", "anna@acme");
    server.put("work", "one.ics", calendarOf(theirs));
    const id = await connect();
    await read(id);
    await expect(told()).rejects.toMatchObject({ code: "entity_not_found" });
    server.put("work", "two.ics", calendarOf(event("ours@acme", inDays(4), guest())));
    await read(id);
    expect(await told()).toEqual(["scheduled 4"]);
  });

  test("of those at the server others may be chosen later, and what came from the rest goes", async () => {
    const { ada, read, told, connect, calendar } = await setUp();
    server.add("home", "Home");
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.put("home", "two.ics", calendarOf(event("two@acme", inDays(4), guest())));
    const urls = Object.fromEntries(
      (await testCalendar.execute(ada.caller, { server: server.url, ...CALENDAR_LOGIN })).calendars.map(
        ({ name, url }) => [name, url],
      ),
    ) as { Work: string; Home: string };
    await expect(connect({ calendars: ["https://elsewhere.example/"] })).rejects.toMatchObject({
      ...{ code: "invalid_parameter", extras: { parameter: "calendars" } },
    });
    const id = await connect({ calendars: [urls.Work] });
    await read(id);
    expect(await told()).toEqual(["scheduled 3"]);
    expect((await calendar()).calendars.map(({ name }) => name)).toEqual(["Work"]);
    const there = await listServerCalendars.execute(ada.caller, { id });
    expect(there.calendars.map(({ name }) => name).toSorted()).toEqual(["Home", "Work"]);
    await expect(
      updateCalendar.execute(ada.caller, { id, calendars: [urls.Home, "https://elsewhere.example/"] }),
    ).rejects.toMatchObject({ code: "invalid_parameter" });
    await updateCalendar.execute(ada.caller, { id, calendars: [urls.Home] });
    await read(id);
    expect(await told()).toEqual(["scheduled 4"]);
    expect((await calendar()).calendars.map(({ name }) => name)).toEqual(["Home"]);
    await updateCalendar.execute(ada.caller, { id, calendars: [] });
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4"]);
    server.calendars.delete("home");
  });

  test("that fails says so, and goes on where it was", async () => {
    const { read, told, connect, calendar } = await setUp();
    const id = await connect();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.instead = (_, response) => response.writeHead(500).end();
    await read(id);
    expect(await calendar()).toMatchObject({ state: "failing", message: expect.stringContaining("tried again") });
    await read(id);
    expect(await calendar()).toMatchObject({ state: "current", message: null });
    expect(await told()).toEqual(["scheduled 3"]);
    server.instead = (_, response) => response.writeHead(401).end();
    await read(id);
    expect(await calendar()).toMatchObject({ state: "failing", message: expect.stringContaining("password") });
  });

  test("with an object that cannot be read keeps what it had, and reads the others", async () => {
    const { workspace, read, told, connect } = await setUp();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    const id = await connect();
    await read(id);
    server.put(
      "work",
      "one.ics",
      `nonsense\r\nDTSTART:${inDays(3)
        .toISOString()
        .replace(/[-:]|\.\d+/g, "")}\r\n`,
    );
    server.put("work", "two.ics", calendarOf(event("two@acme", inDays(4), guest())));
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4"]);
    await inspect("UPDATE calendar_collections SET read_to = now() WHERE workspace_id = $1", [workspace.id]);
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4"]);
  });

  test("counts what it has at each look", async () => {
    const { read, connect, calendar } = await setUp();
    const outcomes = async () => (await calendar()).calendars[0]?.outcomes;
    const twice = event("team@acme", inDays(4), guest("ACCEPTED", "ben@rapport.example"), "RRULE:FREQ=DAILY;COUNT=2");
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.put("work", "team.ics", calendarOf(twice));
    const id = await connect();
    await read(id);
    expect(await outcomes()).toEqual({ guests: 1, internal: 2 });
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest(), "CLASS:PRIVATE")));
    server.put("work", "two.ics", calendarOf(event("two@acme", inDays(5), guest())));
    await read(id);
    expect(await outcomes()).toEqual({ guests: 1, internal: 2, private: 1 });
    server.put("work", "two.ics", "nonsense");
    server.remove("work", "team.ics");
    await read(id);
    expect(await outcomes()).toEqual({ private: 1, unreadable: 1 });
    await read(id);
    expect(await outcomes()).toEqual({ private: 1, unreadable: 1 });
  });

  test("that was not read for a while tells all that took place since, in one look", async () => {
    const { workspace, read, connect } = await setUp();
    const COUNT = 60;
    for (let n = 0; n < COUNT; n++) {
      const start = inDays(1 + Math.floor(n / 8), (n % 8) * 3);
      server.put("work", `${n}.ics`, calendarOf(event(`m${n}@acme`, start, guest())));
    }
    const id = await connect();
    await read(id);
    const past = "starts_at = starts_at - interval '20 days', ends_at = ends_at - interval '20 days'";
    await inspect(`UPDATE meetings SET ${past}, due_at = due_at - interval '20 days' WHERE workspace_id = $1`, [
      workspace.id,
    ]);
    await inspect(`UPDATE meeting_copies SET ${past} WHERE workspace_id = $1`, [workspace.id]);
    await read(id);
    const held = "SELECT count(*)::int FROM meeting_activities WHERE workspace_id = $1 AND type = 'meeting_held'";
    expect(await inspect(held, [workspace.id])).toEqual([{ count: COUNT }]);
  });

  test("moves its window by the day", async () => {
    const { workspace, read, told, connect } = await setUp();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    const id = await connect();
    await read(id);
    await inspect("UPDATE calendar_collections SET read_to = read_to - interval '1 day' WHERE workspace_id = $1", [
      workspace.id,
    ]);
    server.requests.length = 0;
    await read(id);
    expect(server.requests.filter(({ body }) => body.includes("calendar-query")).length).toBeGreaterThan(0);
    expect(await told()).toEqual(["scheduled 3"]);
    const rows = await inspect("SELECT read_to FROM calendar_collections WHERE workspace_id = $1 AND read_to > $2", [
      workspace.id,
      inDays(59),
    ]);
    expect(rows.length).toBe(1);
  });
});

describe("the same meeting", () => {
  test("in the calendars of two members is one, until the last of them shares it no more", async () => {
    const { workspace, ada, read, told, connect } = await setUp();
    const ben = await addTestMember(workspace, "Ben", "member", `ben-${workspace.id}@rapport.example`);
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    const [first, second] = [await connect(), await connect({}, ben)];
    await read(first);
    await read(second);
    expect(await told()).toEqual(["scheduled 3"]);
    await disconnectCalendar.execute(ada.caller, { id: first, meetings: "remove" });
    while ((await settleMeetingsNow(ada.caller)) > 0);
    expect(await told()).toEqual(["scheduled 3"]);
    await updateCalendar.execute(ben.caller, { id: second, share: "nothing" });
    while ((await settleMeetingsNow(ben.caller)) > 0);
    expect(await told()).toEqual([]);
    await updateCalendar.execute(ben.caller, { id: second, share: "metadata" });
    while ((await settleMeetingsNow(ben.caller)) > 0);
    expect(await told()).toEqual(["scheduled 3"]);
  });

  test("is not told twice when an agent or a provider reports it, before or after", async () => {
    const { ada, read, told, connect } = await setUp();
    const booked = (external_id: string, days: number, more: object = {}) =>
      capture.execute(ada.caller, {
        ...{ email: ANNA, type: "meeting_scheduled", source: "cal_com", external_id, metadata: more },
        occurred_at: inDays(days).toISOString(),
      } as never);
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    server.put("work", "two.ics", calendarOf(event("two@acme", inDays(4), guest())));
    server.put("work", "three.ics", calendarOf(event("three@acme", inDays(5), guest())));
    await booked("before", 3);
    const id = await connect();
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4", "scheduled 5"]);
    await booked("after", 4);
    const { deduplicated } = await capture.execute(ada.caller, {
      ...{ email: ANNA, type: "meeting_scheduled", source: "calendar", external_id: "three@acme" },
    } as never);
    expect(deduplicated).toBe(true);
    await read(id);
    expect(await told()).toEqual(["scheduled 3", "scheduled 4", "scheduled 5"]);
    // The calendar says later that the agent's time is not right any more.
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest(), "STATUS:CANCELLED")));
    await read(id);
    expect(await told()).toEqual(["cancelled 3", "scheduled 3", "scheduled 4", "scheduled 5"]);
  });

  test("that was recorded is held once", async () => {
    const { ada, read, told, connect } = await setUp();
    server.put("work", "one.ics", calendarOf(event("one@acme", inDays(-3), guest())));
    server.put("work", "two.ics", calendarOf(event("two@acme", inDays(-1, 0), guest())));
    server.put("work", "three.ics", calendarOf(event("three@acme", inDays(-2), guest("NEEDS-ACTION"))));
    const recorded = (days: number, hour: number) =>
      capture.execute(ada.caller, {
        ...{ email: ANNA, type: "meeting_held", source: "fathom", external_id: `f${days}` },
        occurred_at: new Date(+inDays(days, hour) + 120_000).toISOString(),
      } as never);
    await recorded(-3, 10);
    const id = await connect();
    await read(id);
    const all = ["held -1", "held -3", "scheduled -1", "scheduled -2", "scheduled -3"];
    expect(await told()).toEqual(all);
    await recorded(-1, 0);
    await read(id);
    expect(await told()).toEqual(all);
  });
});

test("a meeting that nobody shares is no activity, and adds no contact", async () => {
  const { ada, read, told, connect } = await setUp();
  server.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
  const id = await connect({ share: "nothing" });
  await read(id);
  await expect(told()).rejects.toMatchObject({ code: "entity_not_found" });
  await updateCalendar.execute(ada.caller, { id, share: "metadata" });
  await read(id);
  expect(await told()).toEqual(["scheduled 3"]);
});

test("a run that is stopped goes on later, and doubles nothing", async () => {
  const { read, told, connect } = await setUp();
  for (let place = 0; place < 120; place++)
    server.put(
      "work",
      `${place}.ics`,
      calendarOf(event(`m${place}@acme`, inDays(1 + (place % 50), place % 23), guest())),
    );
  const id = await connect();
  const stop = new AbortController();
  const reading = read(id, stop.signal);
  setTimeout(() => stop.abort(), 50);
  await reading;
  await read(id);
  await read(id);
  expect((await told()).length).toBe(120);
});

describe.skipIf(leftOut(radicale))("Radicale", () => {
  const login = { user: "ada", password: "ada's password" };
  const real = useRadicale(login);

  test("is found by its address, and tells what is new, moved and taken out", async () => {
    const { ada, read, told, calendar } = await setUp();
    await real.addCalendar("work");
    const weekly = event("weekly@acme", inDays(2), guest(), "RRULE:FREQ=WEEKLY;COUNT=2");
    await real.put("work", "weekly.ics", calendarOf(weekly));
    await real.put("work", "one.ics", calendarOf(event("one@acme", inDays(3), guest())));
    const { calendar: connected } = await connectCalendar.execute(ada.caller, { server: real.url, ...login });
    await read(connected.id);
    expect(await calendar()).toMatchObject({ state: "current", meetings: 3 });
    expect(await told()).toEqual(["scheduled 2", "scheduled 3", "scheduled 9"]);
    const moved = event("weekly@acme", inDays(10), guest(), exceptionOf(inDays(9)));
    await real.put("work", "weekly.ics", calendarOf(weekly, moved));
    await real.remove("work", "one.ics");
    await read(connected.id);
    const after = ["cancelled 3", "scheduled 10", "scheduled 2", "scheduled 3", "scheduled 9*"];
    expect(await told()).toEqual(after);
    await read(connected.id);
    expect(await told()).toEqual(after);
  });
});
