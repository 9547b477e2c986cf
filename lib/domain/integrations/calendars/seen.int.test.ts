/** Who sees what of meetings, and what becomes of them when people and members go. */
import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { previewRemoval, removeMember } from "#lib/domain/access/members/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { listAttention } from "#lib/domain/knowledge/attention/service.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import {
  getMeeting,
  listMeetings,
  settleMeetingsNow,
  shareMeeting,
  tidyMeetings,
} from "#lib/domain/knowledge/meetings/service.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { setMailCeiling, shareMailOf } from "#lib/domain/knowledge/sharing/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { addCalendar, calendarOf, eventOf, guestOf, inDays } from "#lib/testing/calendar.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";

const ANNA = "anna@acme.example";

async function setUp(settings: Parameters<typeof addCalendar>[1] = {}) {
  const workspace = await createTestWorkspace();
  const member = async (name: string, role: "owner" | "member") => ({
    ...(await addTestMember(workspace, name, role, `${name.toLowerCase()}@${workspace.id}.example`)),
    workspaceId: workspace.id,
  });
  const [ada, grace] = [await member("Ada", "owner"), await member("Grace", "member")];
  const calendar = await addCalendar(ada, settings);
  const meet = (uid: string, days: number, ...more: string[]) =>
    calendar.put(
      uid,
      calendarOf(
        eventOf(
          ...([uid, inDays(days), `ORGANIZER:mailto:${ada.email}`, guestOf(ANNA, "ACCEPTED", "Anna Smith")] as const),
          ...["SUMMARY:Secret plan", "DESCRIPTION:Agenda", "LOCATION:Room 4", ...more],
        ),
      ),
    );
  const key = { ...workspace.caller, viewer: undefined } as unknown as Caller;
  const seen = async (caller: Caller, focus = ANNA) => {
    const page = await listMeetings.execute(caller, { focus });
    return "meetings" in page ? page.meetings : [];
  };
  const told = async (focus = ANNA) => {
    const page = await getTimeline.execute(ada.caller, { focus, limit: 500 });
    return "events" in page ? page.events.map(({ type }) => type).toSorted() : [];
  };
  const settled = async () => {
    while ((await settleMeetingsNow(ada.caller)) > 0);
  };
  return { workspace, ada, grace, key, calendar, meet, seen, told, settled };
}

describe("a meeting", () => {
  test.each([
    ["metadata", null, null],
    ["subject", "Secret plan", null],
    ["everything", "Secret plan", "Agenda"],
  ] as const)("of a calendar that shares %s", async (share, title, description) => {
    const { ada, grace, key, meet, seen } = await setUp({ share });
    await meet("one@acme", 3);
    const [mine] = await seen(ada.caller);
    expect(mine).toMatchObject({ title: "Secret plan", description: "Agenda", location: "Room 4", mine: true });
    expect(mine).toMatchObject({ guests: [{ address: ANNA, name: "Anna Smith" }, { address: ada.email }] });
    for (const caller of [grace.caller, key]) {
      const [theirs] = await seen(caller);
      expect(theirs).toMatchObject({ id: mine?.id, title, description, visible: share, mine: false });
      expect((await getMeeting.execute(caller, { id: String(mine?.id) })).meeting).toEqual(theirs);
    }
  });

  test("that is shared with nobody is its member's alone: on the record, by its id and in attention", async () => {
    const { ada, grace, key, meet, seen, told } = await setUp();
    await meet("shared@acme", 2);
    const attention = async (caller: Caller) =>
      (await listAttention.execute(caller, { kinds: ["upcoming_meeting"] })).items.map(({ what }) => what);
    expect((await attention(ada.caller)).join()).toContain("Secret plan");
    const own = await addCalendar(ada, { share: "nothing", login: "other@x.example" });
    await own.put("own@acme", calendarOf(eventOf("own@acme", inDays(1), guestOf(ANNA), "SUMMARY:Only mine")));
    expect((await seen(ada.caller)).map(({ title }) => title)).toEqual(["Only mine", "Secret plan"]);
    expect(await told()).toEqual(["meeting_scheduled"]);
    const [{ id } = { id: "" }] = await seen(ada.caller);
    // Of each person the next meeting is told.
    expect((await attention(ada.caller)).join()).toContain("Only mine");
    for (const caller of [grace.caller, key]) {
      expect((await seen(caller)).map(({ title }) => title)).toEqual([null]);
      expect((await attention(caller)).join()).not.toMatch(/Secret|Only mine/);
      expect(await attention(caller)).toHaveLength(1);
      const asked = getMeeting.execute(caller, { id });
      await expect(asked).rejects.toMatchObject({ code: "meeting_not_found" });
    }
  });

  test("may be shared otherwise than its calendar, by who has it", async () => {
    const { ada, grace, meet, seen, told, settled } = await setUp();
    await meet("one@acme", 3);
    const [{ id } = { id: "" }] = await seen(ada.caller);
    const tried = shareMeeting.execute(grace.caller, { id, share: "everything" });
    await expect(tried).rejects.toMatchObject({ code: "meeting_not_found" });
    await shareMeeting.execute(ada.caller, { id, share: "everything" });
    expect((await seen(grace.caller))[0]).toMatchObject({ title: "Secret plan", description: "Agenda" });
    await shareMeeting.execute(ada.caller, { id, share: "nothing" });
    expect(await seen(grace.caller)).toEqual([]);
    await settled();
    expect(await told()).toEqual([]);
    await shareMeeting.execute(ada.caller, { id, share: null });
    expect((await seen(grace.caller))[0]).toMatchObject({ title: null });
    expect(await told()).toEqual(["meeting_scheduled"]);
  });

  test("with a person who is never shared, or above the workspace's limit, is seen by nobody else", async () => {
    const { workspace, ada, grace, meet, seen, told, settled } = await setUp({ share: "everything" });
    await meet("one@acme", 3);
    await setMailCeiling.execute(workspace.caller, { share: "metadata" });
    expect((await seen(grace.caller))[0]).toMatchObject({ title: null, shared: "metadata" });
    const [{ contacts } = { contacts: [] }] = await seen(ada.caller);
    await shareMailOf.execute(ada.caller, { entity_id: String(contacts[0]?.entity_id), share: "nothing" });
    expect(await seen(grace.caller)).toEqual([]);
    await settled();
    expect(await told()).toEqual([]);
    await meet("two@acme", 4);
    expect(await told()).toEqual([]);
    expect(await seen(grace.caller)).toEqual([]);
    expect((await seen(ada.caller)).length).toBe(2);
  });

  test("that somebody else puts into their calendar by its UID shows them only what they put there", async () => {
    const { ada, grace, meet, seen } = await setUp();
    await meet("one@acme", 3);
    const forged = await addCalendar(grace);
    const organizer = `ORGANIZER:mailto:${ada.email}`;
    await forged.put("one", calendarOf(eventOf("one@acme", inDays(3), organizer, guestOf(ANNA), "SUMMARY:Mine")));
    expect((await seen(grace.caller)).map(({ title }) => title)).toEqual(["Mine"]);
    expect((await seen(ada.caller)).map(({ title }) => title)).toEqual(["Secret plan"]);
  });
});

test("those to come are listed first, and pages go on to those that are over", async () => {
  const { ada, meet } = await setUp();
  for (const days of [-20, 5, -3, 12, 1]) await meet(`m${days}@acme`, days);
  const days: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listMeetings.execute>> = await listMeetings.execute(ada.caller, {
      ...{ focus: ANNA, limit: 2 },
      ...(cursor ? { cursor } : {}),
    });
    if (!("meetings" in page)) throw new Error("ambiguous");
    days.push(...page.meetings.map(({ starts_at: at }) => Math.round((Date.parse(at) - +inDays(0)) / 86_400_000)));
    cursor = page.next_cursor;
  } while (cursor);
  expect(days).toEqual([1, 5, 12, -3, -20]);
});

describe("the end", () => {
  test("an erased person takes their meetings along, and the calendar does not bring them back", async () => {
    const { workspace, ada, meet, seen } = await setUp();
    await meet("one@acme", 3, guestOf("ben@acme.example"));
    await erasePerson.execute(workspace.caller, { focus: ANNA });
    await meet("one@acme", 3, guestOf("ben@acme.example"), "SEQUENCE:1");
    const [meeting] = await seen(ada.caller, "ben@acme.example");
    expect(meeting?.title).toBeNull();
    expect(meeting?.guests.map(({ address }) => address)).not.toContain(ANNA);
    const rows = await inspect<{ all: string }>(
      "SELECT coalesce(string_agg(c::text, ' '), '') AS all FROM meeting_copies c WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(rows[0]?.all).not.toContain("anna");
    // An agent or a person brings them back on purpose; then their meetings come again.
    await upsertPerson.execute(workspace.caller, { email: ANNA });
    await meet("one@acme", 3, guestOf("ben@acme.example"), "SEQUENCE:2");
    expect((await seen(ada.caller, ANNA)).length).toBe(1);
  });

  test("of a member who left, what they shared stays, and the rest goes", async () => {
    const { workspace, ada, grace, seen, told, meet } = await setUp();
    await meet("ada@acme", 2);
    const shared = await addCalendar(grace);
    await shared.put("s", calendarOf(eventOf("s@acme", inDays(3), guestOf(ANNA), "SUMMARY:Shared")));
    const own = await addCalendar(grace, { share: "nothing", login: "own@x.example" });
    await own.put("o", calendarOf(eventOf("o@acme", inDays(4), guestOf(ANNA), "SUMMARY:Own")));
    await removeMember.execute(ada.caller, { id: grace.memberId });
    await withWorkspace(workspace.id, tidyMeetings);
    expect(await told()).toEqual(["meeting_scheduled", "meeting_scheduled"]);
    expect((await seen(ada.caller)).length).toBe(2);
    const rows = await inspect("SELECT id FROM meetings WHERE workspace_id = $1", [workspace.id]);
    expect(rows.length).toBe(2);
  });

  test("of a member who is removed with what they shared, but for what a colleague has", async () => {
    const { workspace, ada, grace, seen, told, meet, settled } = await setUp();
    await meet("both@acme", 2);
    const hers = await addCalendar(grace);
    await hers.put("s", calendarOf(eventOf("s@acme", inDays(3), guestOf(ANNA), "SUMMARY:Hers")));
    await hers.put("b", calendarOf(eventOf("both@acme", inDays(2), guestOf(ANNA), "SUMMARY:Both")));
    const own = await addCalendar(grace, { share: "nothing", login: "own@x.example" });
    await own.put("o", calendarOf(eventOf("o@acme", inDays(4), guestOf(ANNA), "SUMMARY:Own")));
    const counts = { messages: 0, meetings: 2 };
    expect(await previewRemoval.execute(ada.caller, { id: grace.memberId })).toMatchObject(counts);
    await removeMember.execute(ada.caller, { id: grace.memberId, mail: "remove" });
    expect((await seen(ada.caller)).length).toBe(1);
    await settled();
    expect(await told()).toEqual(["meeting_scheduled"]);
    const rows = await inspect("SELECT uid FROM meetings WHERE workspace_id = $1", [workspace.id]);
    expect(rows).toEqual([{ uid: "both@acme" }]);
    expect(await inspect("SELECT 1 FROM calendars WHERE user_id = $1", [grace.userId])).toEqual([]);
  });

  test("contacts that are merged have the meetings of both, told once", async () => {
    const { workspace, ada, seen, told, calendar } = await setUp();
    const both = ["anna@acme.example", "anna@home.example"];
    for (const [place, address] of both.entries())
      await calendar.put(`m${place}`, calendarOf(eventOf(`m${place}@acme`, inDays(3 + place), guestOf(address))));
    await mergeAccounts.execute(workspace.caller, { keep: ANNA, drop: "anna@home.example" });
    expect(await told()).toEqual(["meeting_scheduled", "meeting_scheduled"]);
    expect((await seen(ada.caller)).length).toBe(2);
    await calendar.put("m1", calendarOf(eventOf("m1@acme", inDays(6), guestOf("anna@home.example"), "SEQUENCE:1")));
    expect(await told()).toEqual(["meeting_scheduled", "meeting_scheduled", "meeting_scheduled"]);
    const contacts = await withWorkspace(workspace.id, ({ prisma }) => prisma.meetingContact.count());
    expect(contacts).toBe(2);
  });
});
