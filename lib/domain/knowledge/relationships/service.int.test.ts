import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { isFault } from "#lib/core/errors.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { listPeople, upsertPerson } from "#lib/domain/crm/people/service.ts";
import { disconnectCalendar, updateCalendar } from "#lib/domain/integrations/calendars/service.ts";
import { disconnectMailbox, updateMailbox } from "#lib/domain/integrations/mailboxes/service.ts";
import { getContext } from "#lib/domain/knowledge/context/service.ts";
import { followMeetings, settleMeetingsNow, tidyMeetings } from "#lib/domain/knowledge/meetings/service.ts";
import { mergeAccounts, unmergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import { settleNow, tidyMessages } from "#lib/domain/knowledge/messages/service.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";
import { setMailCeiling, shareMailOf } from "#lib/domain/knowledge/sharing/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { insideOf } from "#lib/jobs/inside.ts";
import { addCalendar, calendarOf, eventOf, guestOf, inDays } from "#lib/testing/calendar.fixture.ts";
import { inspect } from "#lib/testing/database.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { getRelationships } from "./service.ts";
import { HALF_LIFE_DAYS, WEIGHED_AT, WEIGHTS } from "./words.ts";

const ANNA = "anna@acme.example";
const CARL = "carl@acme.example";

async function setUp(settings: Parameters<typeof addMailbox>[1] = {}) {
  const workspace = await createTestWorkspace();
  const member = async (name: string, role: "owner" | "member") => {
    const added = await addTestMember(workspace, name, role, `${name.toLowerCase()}@${workspace.id}.example`);
    return { ...added, workspaceId: workspace.id };
  };
  const [ada, grace] = [await member("Ada", "owner"), await member("Grace", "member")];
  const people: Record<string, string> = {};
  for (const email of [ANNA, CARL]) people[email] = (await upsertPerson.execute(ada.caller, { email })).person.id;
  const mailbox = await addMailbox(ada, settings);
  const hers = await addMailbox(grace);
  const mail = (id: string, headers: Record<string, string>) =>
    mailOf({
      Date: "Wed, 3 Jun 2026 09:00:00 +0000",
      "Message-ID": `<${id}@acme.example>`,
      Subject: "Pilot",
      ...headers,
    });
  const received = (id: string, more: Record<string, string> = {}) =>
    mail(id, { From: `Anna <${ANNA}>`, To: ada.email, ...more });
  const sent = (id: string, more: Record<string, string> = {}) => mail(id, { From: ada.email, To: ANNA, ...more });
  return { workspace, ada, grace, people, mailbox, hers, mail, received, sent };
}

async function knowing(caller: Caller, focus = ANNA) {
  const answer = await getRelationships.execute(caller, { focus });
  if (!("known_by" in answer)) throw new Error("several");
  return answer.known_by.map(({ member, sent, received, replies }) => [member.name, sent, received, replies]);
}

describe("who knows whom", () => {
  test("counts what a member wrote and got, and how much of it answers something", async () => {
    const { ada, grace, mailbox, sent, received } = await setUp();
    await mailbox.receive([sent("a"), sent("b")], "Sent");
    await mailbox.receive([received("c", { "In-Reply-To": "<a@acme.example>" }), received("d")]);
    expect(await knowing(ada.caller)).toEqual([["Ada", 2, 2, 1]]);
    expect(await knowing(grace.caller)).toEqual([["Ada", 2, 2, 1]]);
  });

  test("who is only in copy of a colleague's mail did not write it", async () => {
    const { ada, grace, mailbox, hers, sent, received } = await setUp();
    const copied = sent("a", { Cc: grace.email });
    await mailbox.receive([copied], "Sent");
    await hers.receive([copied, received("b", { Cc: grace.email })]);
    expect(await knowing(ada.caller)).toEqual([
      ["Grace", 0, 1, 0],
      ["Ada", 1, 0, 0],
    ]);
  });

  test("automatic replies, bounces and mail to lists count for nothing", async () => {
    const { ada, mailbox, sent, received } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await mailbox.receive([
      received("b", { "Auto-Submitted": "auto-replied" }),
      received("c", { "List-Id": "<news.acme.example>" }),
    ]);
    expect(await knowing(ada.caller)).toEqual([["Ada", 1, 0, 0]]);
  });

  test("of a company, whom a member knows best and how many", async () => {
    const { ada, people, mailbox, sent } = await setUp();
    await mailbox.receive([sent("a"), sent("b"), sent("c", { To: CARL })], "Sent");
    const answer = await getRelationships.execute(ada.caller, { focus: "acme.example" });
    expect(answer).toMatchObject({
      known_by: [{ sent: 3, people: 2, closest: { entity_id: people[ANNA] }, closeness: "weak" }],
    });
  });

  test("says who was where the record is archived, or the member has left", async () => {
    const { workspace, ada, grace, hers, received } = await setUp();
    await hers.receive([received("a")]);
    expect(await knowing(ada.caller)).toEqual([["Grace", 0, 1, 0]]);
    await removeMember.execute(workspace.caller, { id: grace.memberId });
    expect(await knowing(ada.caller)).toEqual([]);
  });
});

describe("what is not shared", () => {
  const everywhere = async (caller: Caller, ada: { email: string }) => {
    const context = await getContext.execute(caller, { focus: ANNA });
    const list = await listPeople.execute(caller, { known_by: ada.email, include: "count" });
    const { people, total } = JSON.parse(JSON.stringify(list)) as {
      people: { email: string }[];
      total: { count: number };
    };
    return {
      knowing: await knowing(caller),
      context: "known_by" in context ? context.known_by : undefined,
      people: people.map(({ email }) => email),
      count: total.count,
    };
  };
  const NOTHING = { knowing: [], context: undefined, people: [], count: 0 };

  test("counts for the member alone, in every answer", async () => {
    const { workspace, ada, grace, mailbox, sent } = await setUp({ share: "nothing" });
    await mailbox.receive([sent("a")], "Sent");
    expect(await everywhere(ada.caller, ada)).toMatchObject({
      ...{ knowing: [["Ada", 1, 0, 0]], people: [ANNA], count: 1 },
      context: expect.stringMatching(/^Ada \(weak, /),
    });
    expect(await everywhere(grace.caller, ada)).toEqual(NOTHING);
    expect(await everywhere(workspace.caller, ada)).toEqual(NOTHING);
  });

  test("is taken back at once when a member shares less, and told when they share again", async () => {
    const { ada, grace, people, mailbox, sent } = await setUp();
    await mailbox.receive([sent("a"), sent("b", { To: CARL })], "Sent");
    expect(await knowing(grace.caller)).toEqual([["Ada", 1, 0, 0]]);
    await shareMailOf.execute(ada.caller, { entity_id: String(people[ANNA]), share: "nothing" });
    expect(await everywhere(grace.caller, ada)).toEqual({ ...NOTHING, people: [CARL], count: 1 });
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "nothing" });
    expect(await knowing(grace.caller, CARL)).toEqual([]); // before the job
    await shareMailOf.execute(ada.caller, { entity_id: String(people[ANNA]), share: "metadata" });
    expect(await knowing(grace.caller)).toEqual([["Ada", 1, 0, 0]]);
    await setMailCeiling.execute(ada.caller, { share: "nothing" });
    expect(await knowing(grace.caller)).toEqual([]);
    expect(await knowing(ada.caller)).toEqual([["Ada", 1, 0, 0]]);
  });

  test("a colleague who shares the same message tells nothing of who keeps it private", async () => {
    const { ada, grace, mailbox, hers, received } = await setUp({ share: "nothing" });
    const both = received("a", { Cc: grace.email });
    await mailbox.receive([both]);
    await hers.receive([both]);
    expect(await knowing(grace.caller)).toEqual([["Grace", 0, 1, 0]]);
    expect(await knowing(ada.caller)).toEqual([
      ["Ada", 0, 1, 0],
      ["Grace", 0, 1, 0],
    ]);
  });
});

describe("meetings", () => {
  async function setUpMeetings(settings: Parameters<typeof addCalendar>[1] = {}) {
    const all = await setUp();
    const { ada } = all;
    const calendar = await addCalendar(ada, settings);
    const put = (uid: string, days: number, ...more: string[]) =>
      calendar.put(uid, calendarOf(eventOf(uid, inDays(days), `ORGANIZER:mailto:${ada.email}`, ...more)));
    const met = async (caller: Caller, focus = ANNA) => {
      const answer = await getRelationships.execute(caller, { focus });
      if (!("known_by" in answer)) throw new Error("several");
      return answer.known_by.map(({ member, meetings, last_met_at: last }) => [member.name, meetings, last]);
    };
    return { ...all, calendar, put, met };
  }

  test("count once they were held, beside mail", async () => {
    const { ada, grace, mailbox, sent, put, met } = await setUpMeetings();
    await mailbox.receive([sent("a")], "Sent");
    await put("past", -2, guestOf(ANNA), guestOf(CARL, "DECLINED"));
    await put("coming", 2, guestOf(ANNA));
    await put("maybe", -3, guestOf(ANNA, "TENTATIVE"));
    const held = [["Ada", 1, inDays(-2).toISOString()]];
    expect(await met(ada.caller)).toEqual(held);
    expect(await met(grace.caller)).toEqual(held);
    expect(await knowing(ada.caller)).toEqual([["Ada", 1, 0, 0]]);
    expect(await met(ada.caller, CARL)).toEqual([]);
    const answer = await getRelationships.execute(ada.caller, { focus: ANNA });
    expect(answer).toMatchObject({ known_by: [{ sent: 1, meetings: 1, closeness: "medium" }] });
  });

  test("one to come counts when it is over", async () => {
    const { workspace, ada, put, met } = await setUpMeetings();
    await put("today", 1, guestOf(ANNA));
    expect(await met(ada.caller)).toEqual([]);
    for (const column of ["starts_at", "ends_at"])
      await inspect(`UPDATE meeting_copies SET ${column} = ${column} - interval '2 days' WHERE workspace_id = $1`, [
        workspace.id,
      ]);
    await inspect("UPDATE meetings SET due_at = now() - interval '1 minute' WHERE workspace_id = $1", [workspace.id]);
    await insideOf(ada.caller)(followMeetings);
    expect(await met(ada.caller)).toEqual([["Ada", 1, inDays(-1).toISOString()]]);
  });

  test("moved or called off afterwards they count as they are now", async () => {
    const { ada, put, met } = await setUpMeetings();
    await put("a", -2, guestOf(ANNA));
    await put("a", -5, guestOf(ANNA), "SEQUENCE:1");
    expect(await met(ada.caller)).toEqual([["Ada", 1, inDays(-5).toISOString()]]);
    await put("a", -5, guestOf(ANNA), "SEQUENCE:2", "STATUS:CANCELLED");
    expect(await met(ada.caller)).toEqual([]);
  });

  test("what two calendars of a member have is one, and one that a colleague declined is not theirs", async () => {
    const { ada, grace, put, met } = await setUpMeetings();
    const [second, colleague] = [await addCalendar(ada, { login: "ada@home.example" }), await addCalendar(grace)];
    const invite = (answer: string) =>
      calendarOf(
        eventOf(
          ...(["a", inDays(-2), `ORGANIZER:mailto:${ada.email}`, guestOf(ANNA)] as const),
          guestOf(grace.email, answer),
        ),
      );
    await put("a", -2, guestOf(ANNA), guestOf(grace.email, "DECLINED"));
    await second.put("b", invite("DECLINED").replace("UID:a", "UID:b"));
    await colleague.put("a", invite("DECLINED"));
    const last = inDays(-2).toISOString();
    expect(await met(ada.caller)).toEqual([["Ada", 1, last]]);
    await colleague.put("a", invite("ACCEPTED"));
    expect((await met(ada.caller)).toSorted()).toEqual([
      ["Ada", 1, last],
      ["Grace", 1, last],
    ]);
  });

  test("of a calendar that shares nothing count for its member alone, at once when they share less", async () => {
    const { ada, grace, calendar, put, met } = await setUpMeetings();
    await put("a", -2, guestOf(ANNA));
    const held = [["Ada", 1, inDays(-2).toISOString()]];
    await updateCalendar.execute(ada.caller, { id: calendar.id, share: "nothing" });
    expect(await met(grace.caller)).toEqual([]); // before the job
    expect(await met(ada.caller)).toEqual(held);
    const { people } = JSON.parse(JSON.stringify(await listPeople.execute(grace.caller, { known_by: ada.email }))) as {
      people: unknown[];
    };
    expect(people).toEqual([]);
    await updateCalendar.execute(ada.caller, { id: calendar.id, share: "metadata" });
    await settleMeetingsNow(ada.caller);
    expect(await met(grace.caller)).toEqual(held);
  });

  test("of a calendar that is removed count no longer", async () => {
    const { ada, calendar, put, met } = await setUpMeetings();
    await put("a", -2, guestOf(ANNA));
    await disconnectCalendar.execute(ada.caller, { id: calendar.id, meetings: "remove" });
    await settleMeetingsNow(ada.caller);
    expect(await met(ada.caller)).toEqual([]);
  });

  test("that an earlier version read are counted by the job", async () => {
    const { workspace, ada, put, met } = await setUpMeetings();
    await put("a", -2, guestOf(ANNA));
    await inspect("UPDATE meeting_contacts SET held = false WHERE workspace_id = $1", [workspace.id]);
    await inspect("DELETE FROM relationships WHERE workspace_id = $1", [workspace.id]);
    await inspect("UPDATE meeting_copies SET stale = true WHERE workspace_id = $1", [workspace.id]);
    await settleMeetingsNow(ada.caller);
    expect(await met(ada.caller)).toEqual([["Ada", 1, inDays(-2).toISOString()]]);
  });
});

test("the list of people finds those whom a member knows", async () => {
  const { ada, grace, mailbox, hers, sent, received } = await setUp();
  await mailbox.receive([sent("a", { To: CARL })], "Sent");
  await hers.receive([received("b")]);
  const listed = async (caller: Caller, known_by: string) => {
    const { people } = JSON.parse(JSON.stringify(await listPeople.execute(caller, { known_by }))) as {
      people: { email: string }[];
    };
    return people.map(({ email }) => email);
  };
  expect(await listed(ada.caller, "me")).toEqual([CARL]);
  expect(await listed(ada.caller, grace.email)).toEqual([ANNA]);
  expect(await listed(grace.caller, "me")).toEqual([ANNA]);
  await expect(listed(ada.caller, "nobody@else.example")).rejects.toMatchObject({ code: "invalid_parameter" });
});

test("mail of an earlier version is counted by the job", async () => {
  const { workspace, ada, mailbox, sent, received } = await setUp();
  await mailbox.receive([sent("a")], "Sent");
  await mailbox.receive([received("b")]);
  await inspect("UPDATE message_holders SET wrote = NULL WHERE workspace_id = $1", [workspace.id]);
  await inspect("DELETE FROM relationships WHERE workspace_id = $1", [workspace.id]);
  await settleNow(ada.caller);
  expect(await knowing(ada.caller)).toEqual([["Ada", 1, 1, 0]]);
});

/** What is stored, in the form of `counted`. */
async function stored(workspaceId: string) {
  const rows = await inspect<Counts & { user_id: string; entity_id: string; open: boolean }>(
    `SELECT user_id, entity_id, open, sent, received, replies, meetings, given, got, last_sent_at::text AS last_sent,
       last_received_at::text AS last_received, last_met_at::text AS last_met
     FROM relationships WHERE workspace_id = $1`,
    [workspaceId],
  );
  return new Map(rows.map(({ user_id, entity_id, open, ...row }) => [`${user_id} ${entity_id} ${open}`, row]));
}

type Counts = {
  sent: number;
  received: number;
  replies: number;
  meetings: number;
  given: number;
  got: number;
  last_sent: string | null;
  last_received: string | null;
  last_met: string | null;
};

const NONE: Counts = {
  ...{ sent: 0, received: 0, replies: 0, meetings: 0, given: 0, got: 0, last_sent: null, last_received: null },
  last_met: null,
};

/** The same, counted here from what is stored: a message or meeting is one for a member and a person, however many have it. */
async function counted(workspaceId: string) {
  const rows = await inspect<{
    user_id: string;
    root: string;
    type: string;
    wrote: boolean;
    share: ShareLevel;
    answers: boolean;
    at: Date;
    sent_at: string;
    message_id: string;
  }>(
    `SELECT h.user_id, coalesce(e.merged_into, e.id) AS root, c.type, h.wrote, h.share, m.answers, m.sent_at AS at, m.sent_at::text AS sent_at, m.id AS message_id
     FROM message_contacts c JOIN entities e USING (workspace_id) JOIN messages m USING (workspace_id) JOIN message_holders h USING (workspace_id)
     WHERE NOT h.leaving AND c.workspace_id = $1 AND e.id = c.entity_id AND m.id = c.message_id AND h.message_id = m.id`,
    [workspaceId],
  );
  const relationships = new Map<string, Counts>();
  const seen = new Set<string>();
  for (const open of [false, true])
    for (const { user_id, root, type, wrote, share, answers, at, sent_at, message_id } of rows) {
      const counts = type === "email_received" || (type === "email_sent" && wrote);
      const key = `${user_id} ${root} ${open}`;
      if (!counts || (open && share === "nothing") || seen.has(`${key} ${message_id}`)) continue;
      seen.add(`${key} ${message_id}`);
      const row = relationships.get(key) ?? { ...NONE };
      relationships.set(key, row);
      const weight = 2 ** ((+at - Date.parse(WEIGHED_AT)) / (HALF_LIFE_DAYS * 86_400_000));
      if (type === "email_sent") {
        row.sent += 1;
        row.given += weight * WEIGHTS.sent;
        row.last_sent = later(row.last_sent, sent_at);
      } else {
        row.received += 1;
        row.replies += answers ? 1 : 0;
        row.got += weight * (WEIGHTS.received + (answers ? WEIGHTS.reply : 0));
        row.last_received = later(row.last_received, sent_at);
      }
    }
  const meetings = await inspect<{ user_id: string; root: string; share: ShareLevel; at: Date; met_at: string }>(
    `SELECT k.user_id, coalesce(e.merged_into, e.id) AS root, k.share, c.starts_at AS at, c.starts_at::text AS met_at
     FROM meeting_contacts c JOIN entities e USING (workspace_id) JOIN meetings m USING (workspace_id) JOIN meeting_copies k USING (workspace_id)
     WHERE c.workspace_id = $1 AND e.id = c.entity_id AND m.id = c.meeting_id AND k.meeting_id = m.id AND c.held
       AND k.answered AND NOT (k.declined OR k.cancelled OR k.gone)`,
    [workspaceId],
  );
  for (const open of [false, true])
    for (const { user_id, root, share, at, met_at } of meetings) {
      const key = `${user_id} ${root} ${open}`;
      if ((open && share === "nothing") || seen.has(`${key} ${met_at}`)) continue;
      seen.add(`${key} ${met_at}`);
      const row = relationships.get(key) ?? { ...NONE };
      relationships.set(key, row);
      row.meetings += 1;
      row.got += WEIGHTS.meeting * 2 ** ((+at - Date.parse(WEIGHED_AT)) / (HALF_LIFE_DAYS * 86_400_000));
      row.last_met = later(row.last_met, met_at);
    }
  return relationships;
}

const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b);

/** Sums of fractions differ by the order in which they are added. */
const rounded = (relationships: Map<string, Counts>) =>
  [...relationships]
    .map(([key, row]) => [key, { ...row, given: row.given.toPrecision(9), got: row.got.toPrecision(9) }] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

test("what is kept is what counting everything again gives, whatever happens", { timeout: 300_000 }, async () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("mail" as const),
        hers: fc.boolean(),
        folder: fc.constantFrom("Sent", "INBOX", "Archive"),
        mails: fc.array(
          fc.record({
            id: fc.integer({ min: 0, max: 9 }),
            to: fc.constantFrom(ANNA, CARL, `${ANNA}, ${CARL}`),
            sent: fc.boolean(),
            answers: fc.boolean(),
            day: fc.integer({ min: 1, max: 28 }),
          }),
          { minLength: 1, maxLength: 4 },
        ),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant("meet" as const),
        whose: fc.integer({ min: 0, max: 2 }),
        uid: fc.constantFrom("m1", "m2", "m3"),
        isThere: fc.boolean(),
        days: fc.constantFrom(-1, -2, -3, 4),
        sequence: fc.integer({ min: 0, max: 3 }),
        guests: fc.constantFrom([ANNA], [CARL], [ANNA, CARL], [ANNA, "new@acme.example"]),
        answer: fc.constantFrom("ACCEPTED", "ACCEPTED", "DECLINED", "TENTATIVE"),
        own: fc.constantFrom("ACCEPTED", "ACCEPTED", "DECLINED", "NEEDS-ACTION"),
        cancelled: fc.boolean(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("calendar" as const),
        whose: fc.integer({ min: 0, max: 2 }),
        share: fc.constantFrom("nothing" as const, "metadata" as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("share" as const),
        hers: fc.boolean(),
        share: fc.constantFrom("nothing" as const, "metadata" as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("person" as const),
        email: fc.constantFrom(ANNA, CARL),
        share: fc.constantFrom("nothing" as const, "everything" as const, null),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        { do: "merge" as const },
        { do: "unmerge" as const },
        { do: "settle" as const },
        { do: "second" as const },
      ),
    },
  );
  const end = fc.constantFrom("erase" as const, "disconnect" as const, "leave" as const);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), end, async (steps, last) => {
      const { workspace, ada, grace, people, mailbox, hers, mail } = await setUp();
      const owners = [ada, ada, grace] as const;
      const calendars = [
        ...[await addCalendar(ada), await addCalendar(ada, { login: "ada@home.example" })],
        await addCalendar(grace),
      ] as const;
      const right = async (after: string) =>
        expect(rounded(await stored(workspace.id)), after).toEqual(rounded(await counted(workspace.id)));
      let adas = mailbox;
      let merge: string | null = null;
      for (const one of steps) {
        try {
          switch (one.do) {
            case "mail": {
              const owner = one.hers ? grace : ada;
              const messages = one.mails.map(({ id, to, sent, answers, day }) =>
                mail(`${id}`, {
                  ...(sent ? { From: owner.email, To: to } : { From: to.split(",")[0] ?? to, To: owner.email }),
                  ...(answers ? { "In-Reply-To": "<0@acme.example>" } : {}),
                  Date: new Date(Date.UTC(2026, 3, day)).toUTCString(),
                }),
              );
              await (one.hers ? hers : adas).receive(messages, one.folder);
              break;
            }
            case "meet": {
              const { uid, days, sequence, answer, own, cancelled } = one;
              const guest = owners[one.whose] ?? ada;
              const event = eventOf(
                ...([uid, inDays(days), `ORGANIZER:mailto:${ada.email}`, guestOf(guest.email, own)] as const),
                ...[...one.guests.map((address) => guestOf(address, answer)), `SEQUENCE:${sequence}`],
                ...(cancelled && sequence > 1 ? ["STATUS:CANCELLED"] : []),
              );
              await calendars[one.whose as 0].put(uid, one.isThere || days < 0 ? calendarOf(event) : null);
              break;
            }
            case "calendar":
              await updateCalendar.execute((owners[one.whose] ?? ada).caller, {
                id: calendars[one.whose as 0].id,
                share: one.share,
              });
              break;
            case "share":
              await updateMailbox.execute((one.hers ? grace : ada).caller, {
                id: (one.hers ? hers : mailbox).id,
                share: one.share,
              });
              break;
            case "person":
              await shareMailOf.execute(ada.caller, { entity_id: String(people[one.email]), share: one.share });
              break;
            case "merge": {
              const [keep, drop] = [String(people[ANNA]), String(people[CARL])];
              merge = (await mergeAccounts.execute(ada.caller, { keep, drop })).merge_id ?? merge;
              break;
            }
            case "unmerge":
              if (merge) await unmergeAccounts.execute(ada.caller, { merge_id: merge });
              break;
            case "settle":
              await settleNow(ada.caller);
              await settleMeetingsNow(ada.caller);
              break;
            case "second": // the same mail in another mailbox of hers
              adas = adas === mailbox ? await addMailbox(ada, { address: `second@${workspace.id}.example` }) : mailbox;
          }
        } catch (error) {
          if (!isFault(error)) throw error;
        }
        await right(one.do);
      }
      if (last === "erase") await erasePerson.execute(ada.caller, { focus: CARL });
      if (last === "disconnect") {
        await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "remove" });
        await disconnectCalendar.execute(ada.caller, { id: calendars[0].id, meetings: "remove" });
      }
      if (last === "leave") await removeMember.execute(workspace.caller, { id: grace.memberId });
      await right(last);
      await settleNow(ada.caller);
      await settleMeetingsNow(ada.caller);
      await withWorkspace(workspace.id, tidyMessages);
      await withWorkspace(workspace.id, tidyMeetings);
      await right(`${last} and later`);
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
