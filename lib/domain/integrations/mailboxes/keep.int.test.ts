import { describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { decrypt } from "#lib/db/encrypted.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { previewRemoval, removeMember } from "#lib/domain/access/members/service.ts";
import { capture, correctActivity, restoreActivity } from "#lib/domain/crm/activities/service.ts";
import { upsertPerson } from "#lib/domain/crm/people/service.ts";
import { saveStageRules } from "#lib/domain/crm/stages/service.ts";
import { purposeOfMessage } from "#lib/domain/encrypted-columns.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { mergeAccounts } from "#lib/domain/knowledge/merges/service.ts";
import {
  getThread,
  listThreads,
  settleNow,
  shareThread,
  tidyMessages,
} from "#lib/domain/knowledge/messages/service.ts";
import { rebuildWorkspace } from "#lib/domain/knowledge/rebuild/service.ts";
import { getMailShare, setMailCeiling, shareMailOf } from "#lib/domain/knowledge/sharing/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { getBoot } from "#lib/settings/boot.ts";
import { inspect } from "#lib/testing/database.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { parseMail } from "#lib/text/mail/parse.ts";
import { disconnectMailbox, syncMailbox, updateMailbox } from "./service.ts";

const ANNA = "anna@acme.example";
const MARK = "SECRET-7731";

async function setUp(settings: Parameters<typeof addMailbox>[1] = {}) {
  const workspace = await createTestWorkspace();
  const ada = {
    ...(await addTestMember(workspace, "Ada", "owner", `ada@${workspace.id}.example`)),
    workspaceId: workspace.id,
  };
  const grace = {
    ...(await addTestMember(workspace, "Grace", "member", `grace@${workspace.id}.example`)),
    workspaceId: workspace.id,
  };
  const mailbox = await addMailbox(ada, settings);
  const received = (id: string, more: Record<string, string> = {}, body = `Tuesday works. ${MARK}`) =>
    mailOf(
      {
        From: `Anna Smith <${ANNA}>`,
        To: ada.email,
        Subject: `Pilot ${MARK}`,
        Date: "Wed, 3 Jun 2026 09:00:00 +0000",
        "Message-ID": `<${id}@acme.example>`,
        ...more,
      },
      body,
    );
  const sent = (id: string, more: Record<string, string> = {}) =>
    received(id, { From: ada.email, To: `Anna Smith <${ANNA}>`, ...more });
  const timeline = async (focus = ANNA, caller: Caller = grace.caller) => {
    const page = await getTimeline.execute(caller, { focus });
    if (!("events" in page)) throw new Error("several");
    return page.events.map(({ type }) => type);
  };
  const threads = async (caller: Caller, focus = ANNA) => {
    const page = await listThreads.execute(caller, { focus });
    if (!("threads" in page)) throw new Error("several");
    return page.threads;
  };
  return { workspace, ada, grace, mailbox, received, sent, timeline, threads };
}

const key = ({ caller }: Awaited<ReturnType<typeof createTestWorkspace>>): Caller => caller;

describe("what is kept", () => {
  test("whom a member writes to becomes a contact, whose answers follow", async () => {
    const { mailbox, sent, received, timeline, threads, ada } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await mailbox.receive([received("b", { "In-Reply-To": "<a@acme.example>" })]);
    expect((await timeline()).toSorted()).toEqual(["email_received", "email_sent"]);
    const [thread] = await threads(ada.caller);
    expect(thread).toMatchObject({ subject: `Pilot ${MARK}`, messages: 2, mine: true, shared: "metadata" });
    expect(thread?.contacts).toMatchObject([{ name: "Anna Smith" }]);
  });

  test("nothing is stored of mail with nobody who is a contact", async () => {
    const { workspace, mailbox, received } = await setUp();
    await mailbox.receive([received("a")]);
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [workspace.id])).toEqual([]);
    const items = await inspect("SELECT outcome FROM mail_items WHERE workspace_id = $1", [workspace.id]);
    expect(items).toEqual([{ outcome: "no_contact" }]);
  });

  test("a message is stored once, however many folders and mailboxes have it", async () => {
    const { workspace, ada, grace, mailbox, sent, timeline } = await setUp();
    const hers = await addMailbox(grace);
    const both = sent("a", { Cc: grace.email });
    await Promise.all([mailbox.receive([both, both], "Sent"), hers.receive([both])]);
    await mailbox.receive([both], "Archive");
    expect(await timeline()).toEqual(["email_sent"]);
    const rows = await inspect(
      `SELECT (SELECT count(*)::int FROM messages WHERE workspace_id = $1) AS messages,
         (SELECT count(*)::int FROM message_holders WHERE workspace_id = $1) AS holders,
         (SELECT count(*)::int FROM mail_items WHERE workspace_id = $1 AND outcome = 'kept') AS items`,
      [workspace.id],
    );
    expect(rows).toEqual([{ messages: 1, holders: 2, items: 4 }]);
    expect(ada.userId).not.toBe(grace.userId);
  });

  test("a batch that another run has kept is not kept again", async () => {
    const { mailbox, sent, timeline } = await setUp();
    expect(await mailbox.receive([sent("a")], "Sent")).toBe(true);
    expect(await mailbox.receive([sent("b")], "Sent", 1n)).toBe(false);
    expect(await timeline()).toEqual(["email_sent"]);
  });

  test("a message that the database cannot hold stops none of the others", async () => {
    const { workspace, mailbox, sent, timeline } = await setUp();
    const broken = { ...(await parseMail(sent("b"))), key: "b\u0000b" };
    expect(await mailbox.receive([sent("a"), broken, sent("c")], "Sent")).toBe(true);
    expect(await timeline()).toEqual(["email_sent", "email_sent"]);
    const items = await inspect("SELECT outcome FROM mail_items WHERE workspace_id = $1 ORDER BY uid", [workspace.id]);
    expect(items).toEqual([{ outcome: "kept" }, { outcome: "unreadable" }, { outcome: "kept" }]);
    expect(await mailbox.receive([sent("d")], "Sent")).toBe(true);
  });

  test.for([
    ["an automatic reply", { "Auto-Submitted": "auto-replied" }],
    ["a message to a list", { "List-Id": "<news.acme.example>" }],
  ] as const)("%s is no activity and adds nobody", async ([, header]) => {
    const { ada, mailbox, received, sent, timeline, threads } = await setUp();
    await mailbox.receive([received("x", header)]);
    await expect(threads(ada.caller)).rejects.toMatchObject({ code: "entity_not_found" });
    await mailbox.receive([sent("a")], "Sent");
    await mailbox.receive([received("b", { ...header, "In-Reply-To": "<a@acme.example>" })]);
    expect(await timeline()).toEqual(["email_sent"]);
    expect((await threads(ada.caller))[0]).toMatchObject({ messages: 2, waits_for: null });
  });

  test("a mailbox that adds nobody keeps the mail of those who are known", async () => {
    const { ada, mailbox, sent, timeline } = await setUp({ contacts: "known" });
    await mailbox.receive([sent("a")], "Sent");
    await upsertPerson.execute(ada.caller, { email: ANNA });
    await mailbox.receive([sent("b")], "Sent");
    expect(await timeline()).toEqual(["email_sent"]);
  });

  test("what is said is sealed", async () => {
    const { workspace, mailbox, sent } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    const [row] = await inspect<{ all: string }>(
      "SELECT to_jsonb(m)::text AS all FROM messages m WHERE workspace_id = $1",
      [workspace.id],
    );
    expect(row?.all).not.toContain(MARK);
    expect(row?.all).toContain(ANNA);
  });
});

describe("what is changed later", () => {
  const BO = "bo@other.example";
  const toBo = { To: `Bo <${BO}>` };

  test("a mailbox that keeps texts adds what a message says where one without texts brought it first", async () => {
    const { ada, grace, mailbox, sent } = await setUp({ keepsBodies: false });
    const both = sent("a", { Cc: grace.email });
    await mailbox.receive([both], "Sent");
    const said = async () => {
      const page = await listThreads.execute(ada.caller, { focus: ANNA });
      const [thread] = "threads" in page ? page.threads : [];
      return (await getThread.execute(ada.caller, { id: String(thread?.id) })).messages.map(({ text }) => text);
    };
    expect(await said()).toEqual([null]);
    const hers = await addMailbox(grace);
    await hers.receive([both]);
    expect(await said()).toEqual([expect.stringContaining(MARK)]);
    // And it stays when the first reads it once more.
    await mailbox.receive([both], "Archive");
    expect(await said()).toEqual([expect.stringContaining(MARK)]);
  });

  test("who is blocked is counted, then removed from the mailbox and the timelines, and from nobody else's", async () => {
    const { workspace, ada, grace, mailbox, sent, timeline } = await setUp();
    const hers = await addMailbox(grace);
    await mailbox.receive([sent("a"), sent("b", toBo), sent("c", { ...toBo, Cc: grace.email })], "Sent");
    await hers.receive([sent("c", { ...toBo, Cc: grace.email })]);
    const change = (more: object) => updateMailbox.execute(ada.caller, { id: mailbox.id, ...more });
    const blocked = ["other.example"];
    expect(await change({ blocked, dry_run: true })).toMatchObject({ removed: 2, mailbox: { blocked: [], kept: 3 } });
    expect(await change({ blocked: ["another.example"], dry_run: true })).toMatchObject({ removed: 0 });
    expect((await timeline(BO)).length).toBe(2);
    expect(await change({ blocked })).toMatchObject({ removed: 2, mailbox: { blocked } });
    const mine = await listThreads.execute(ada.caller, { focus: BO });
    expect("threads" in mine && mine.threads.every((thread) => !thread.mine || thread.messages === 1)).toBe(true);
    while ((await settleNow(workspace.caller)) > 0);
    expect(await timeline(BO)).toEqual(["email_sent"]);
    expect(await timeline()).toEqual(["email_sent"]);
    const holders = await inspect<{ mailbox_id: string }>(
      "SELECT h.mailbox_id FROM message_holders h JOIN messages m ON m.id = h.message_id WHERE m.workspace_id = $1 AND m.recipients && $2",
      [workspace.id, [BO]],
    );
    expect(holders).toEqual([{ mailbox_id: hers.id }]);
    const items = await inspect(
      "SELECT outcome, count(*)::int FROM mail_items WHERE workspace_id = $1 AND mailbox_id = $2 GROUP BY outcome ORDER BY outcome",
      [workspace.id, mailbox.id],
    );
    expect(items).toEqual([
      { outcome: "kept", count: 1 },
      { outcome: "blocked", count: 2 },
    ]);
    expect(await change({ blocked, dry_run: true })).toMatchObject({ removed: 0 });
    await change({ blocked: [] });
    expect(
      await inspect("SELECT 1 FROM mail_items WHERE mailbox_id = $1 AND outcome = 'blocked'", [mailbox.id]),
    ).toEqual([]);
  });
});

describe("who sees what", () => {
  const seen = async (caller: Caller, threads: Awaited<ReturnType<typeof setUp>>["threads"]) => {
    const [thread] = await threads(caller);
    if (!thread) return null;
    const { messages } = await getThread.execute(caller, { id: thread.id });
    return { subject: messages[0]?.subject !== null, text: messages[0]?.text !== null, count: messages.length };
  };

  test.for([
    ["nothing", null, []],
    ["metadata", { subject: false, text: false, count: 1 }, ["email_sent"]],
    ["subject", { subject: true, text: false, count: 1 }, ["email_sent"]],
    ["everything", { subject: true, text: true, count: 1 }, ["email_sent"]],
  ] as const)("of a mailbox that shares %s", async ([share, theirs, events]) => {
    const { workspace, ada, grace, mailbox, sent, timeline, threads } = await setUp({ share });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    await mailbox.receive([sent("a")], "Sent");
    const all = { subject: true, text: true, count: 1 };
    expect(await seen(ada.caller, threads)).toEqual(all);
    expect(await seen(grace.caller, threads)).toEqual(theirs);
    expect(await seen(key(workspace), threads)).toEqual(theirs);
    expect(await timeline()).toEqual(events);
  });

  test("mail that is shared with nobody adds no contact", async () => {
    const { grace, mailbox, sent, threads } = await setUp({ share: "nothing" });
    await mailbox.receive([sent("a")], "Sent");
    await expect(threads(grace.caller)).rejects.toMatchObject({ code: "entity_not_found" });
  });

  test("a mailbox that shares less takes its mail off the timelines, and brings it back", async () => {
    const { ada, grace, mailbox, sent, timeline, threads } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "nothing" });
    expect(await seen(grace.caller, threads)).toBeNull(); // before the job
    await settleNow(ada.caller);
    expect(await timeline()).toEqual([]);
    expect(await seen(ada.caller, threads)).toMatchObject({ text: true });
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "everything" });
    await settleNow(ada.caller);
    expect(await timeline()).toEqual(["email_sent"]);
    expect(await seen(grace.caller, threads)).toMatchObject({ text: true });
  });

  test("mail that nobody was shown is told once it is shared", async () => {
    const { ada, mailbox, sent, timeline } = await setUp({ share: "nothing" });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    await mailbox.receive([sent("a")], "Sent");
    expect(await timeline()).toEqual([]);
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "metadata" });
    await settleNow(ada.caller);
    expect(await timeline()).toEqual(["email_sent"]);
  });

  test("a thread and a person are set apart", async () => {
    const { ada, grace, mailbox, sent, received, threads, timeline } = await setUp();
    await mailbox.receive([sent("a"), sent("other", { Subject: "Other" })], "Sent");
    const thread = (await threads(ada.caller)).find(({ subject }) => subject?.startsWith("Pilot"));
    const { thread: shared } = await shareThread.execute(ada.caller, { id: thread?.id ?? "", share: "everything" });
    expect(shared.shared).toBe("everything");
    await mailbox.receive([received("b", { "In-Reply-To": "<a@acme.example>" })]); // counts for what comes
    const texts = await getThread.execute(grace.caller, { id: shared.id });
    expect(texts.messages.map(({ text }) => text !== null)).toEqual([true, true]);
    expect((await threads(grace.caller)).map(({ subject }) => subject)).toContain(null);

    const [contact] = shared.contacts;
    await shareMailOf.execute(ada.caller, { entity_id: contact?.entity_id ?? "", share: "nothing" });
    expect(await threads(grace.caller)).toEqual([]);
    expect(await timeline()).toEqual([]);
    await shareMailOf.execute(ada.caller, { entity_id: contact?.entity_id ?? "", share: null });
    expect((await timeline()).length).toBe(3);
  });

  test("a colleague cannot share what is not theirs", async () => {
    const { ada, grace, mailbox, sent, threads } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    const [thread] = await threads(ada.caller);
    const call = shareThread.execute(grace.caller, { id: thread?.id ?? "", share: "everything" });
    await expect(call).rejects.toMatchObject({ code: "thread_not_found" });
  });

  test("the workspace's limit counts for what was shared before", async () => {
    const { ada, grace, mailbox, sent, threads } = await setUp({ share: "everything" });
    await mailbox.receive([sent("a")], "Sent");
    await setMailCeiling.execute(ada.caller, { share: "subject" });
    expect(await seen(grace.caller, threads)).toMatchObject({ subject: true, text: false });
    await setMailCeiling.execute(ada.caller, { share: "everything" });
    await settleNow(ada.caller);
    expect(await seen(grace.caller, threads)).toMatchObject({ text: true });
  });

  test("the more open of two mailboxes counts for the others", async () => {
    const { workspace, ada, grace, mailbox, sent, threads } = await setUp({ share: "nothing" });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    const hers = await addMailbox(grace, { share: "subject" });
    const both = sent("a", { Cc: grace.email });
    await mailbox.receive([both], "Sent");
    expect(await seen(key(workspace), threads)).toBeNull();
    await hers.receive([both]);
    await settleNow(ada.caller);
    expect(await seen(key(workspace), threads)).toMatchObject({ subject: true, text: false });
  });
});

describe("what is private stays so", () => {
  test("who knows the Message-ID of a message does not get to see it", async () => {
    const { workspace, ada, grace, mailbox, sent, threads } = await setUp({ share: "nothing" });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    await mailbox.receive([sent("a")], "Sent");
    const hers = await addMailbox(grace, { share: "nothing" });
    await hers.receive([mailOf({ From: ANNA, To: grace.email, Subject: "Forged", "Message-ID": "<a@acme.example>" })]);
    expect((await threads(grace.caller)).map(({ subject }) => subject)).toEqual(["Forged"]);
    const { messages } = await getThread.execute(grace.caller, { id: (await threads(grace.caller))[0]?.id ?? "" });
    expect(JSON.stringify(messages)).not.toContain(MARK);
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [workspace.id])).toHaveLength(2);
  });

  test("of a person who is never shared, whoever they are merged with", async () => {
    const { ada, grace, mailbox, sent, threads } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    const [thread] = await threads(ada.caller);
    const anna = thread?.contacts[0]?.entity_id ?? "";
    await shareMailOf.execute(ada.caller, { entity_id: anna, share: "nothing" });
    const other = (await upsertPerson.execute(ada.caller, { email: "anna.smith@acme.example" })).person.id;
    await mergeAccounts.execute(ada.caller, { keep: other, drop: anna });
    await settleNow(ada.caller);
    expect((await getMailShare.execute(ada.caller, { entity_id: other })).share).toBe("nothing");
    expect(await threads(grace.caller)).toEqual([]);
    await mailbox.receive([sent("b", { To: "anna.smith@acme.example" })], "Sent");
    expect(await threads(grace.caller)).toEqual([]);
    await shareMailOf.execute(ada.caller, { entity_id: other, share: null });
    expect((await threads(grace.caller)).length).toBe(2);
  });

  test("who was in Bcc is told to nobody", async () => {
    const { ada, grace, mailbox, sent, threads } = await setUp({ share: "nothing" });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    const hers = await addMailbox(grace, { share: "everything" });
    const both = { Cc: grace.email };
    await mailbox.receive([sent("a", { ...both, Bcc: "boss@acme.example" })], "Sent");
    await hers.receive([sent("a", both)]);
    await settleNow(ada.caller);
    const { messages } = await getThread.execute(grace.caller, { id: (await threads(grace.caller))[0]?.id ?? "" });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain("boss@acme.example");
  });

  test("nobody else brings an activity back that was taken off a timeline", async () => {
    const { ada, grace, mailbox, sent, timeline } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    const page = await getTimeline.execute(grace.caller, { focus: ANNA });
    const id = "events" in page ? (page.events[0]?.id ?? "") : "";
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "nothing" });
    await settleNow(ada.caller);
    await expect(restoreActivity.execute(grace.caller, { id })).rejects.toMatchObject({ code: "activity_not_found" });
    expect(await timeline()).toEqual([]);
  });

  test("an activity that an agent had reported stays the agent's", async () => {
    const { workspace, ada, mailbox, sent, timeline } = await setUp();
    const reported = { email: ANNA, type: "email_sent", source: "email", external_id: "a@acme.example" } as const;
    await capture.execute(workspace.caller, reported);
    await mailbox.receive([sent("a")], "Sent");
    expect(await timeline()).toEqual(["email_sent"]);
    await updateMailbox.execute(ada.caller, { id: mailbox.id, share: "nothing" });
    await settleNow(ada.caller);
    expect(await timeline()).toEqual(["email_sent"]);
  });
});

describe("the end", () => {
  test("of a member who left, what they shared stays, and the rest goes", async () => {
    const { workspace, ada, grace, mailbox, sent, threads } = await setUp();
    const hers = await addMailbox(grace);
    await mailbox.receive([sent("mine")], "Sent");
    const hidden = sent("hidden", { From: grace.email, Subject: "Hidden" });
    await hers.receive([sent("hers", { From: grace.email, Subject: "Hers" }), hidden], "Sent");
    const thread = (await threads(grace.caller)).find(({ subject }) => subject === "Hidden");
    await shareThread.execute(grace.caller, { id: thread?.id ?? "", share: "nothing" });
    await removeMember.execute(ada.caller, { id: grace.memberId });
    await withWorkspace(workspace.id, tidyMessages);
    await setMailCeiling.execute(ada.caller, { share: "metadata" });
    await settleNow(ada.caller);
    const keys = await inspect<{ key: string }>("SELECT key FROM messages WHERE workspace_id = $1 ORDER BY key", [
      workspace.id,
    ]);
    expect(keys.map(({ key }) => key)).toEqual(["hers@acme.example", "mine@acme.example"]);
    expect((await threads(ada.caller)).length).toBe(2);
  });

  test("of a member who is removed with what they shared, but for what a colleague has", async () => {
    const { workspace, ada, grace, mailbox, sent, threads, timeline } = await setUp();
    const hers = await addMailbox(grace);
    const old = await addMailbox(grace, { address: "old@x.example" });
    const both = sent("both", { From: grace.email, Cc: ada.email });
    await mailbox.receive([both]);
    await hers.receive([sent("hers", { From: grace.email }), both], "Sent");
    await old.receive([sent("private", { From: grace.email, Subject: "Private" })], "Sent");
    await disconnectMailbox.execute(grace.caller, { id: old.id, messages: "keep" });
    const thread = (await threads(grace.caller)).find(({ subject }) => subject === "Private");
    await shareThread.execute(grace.caller, { id: thread?.id ?? "", share: "nothing" });
    const other = await createTestWorkspace();
    await expect(previewRemoval.execute(other.caller, { id: grace.memberId })).rejects.toMatchObject({
      code: "member_not_found",
    });
    const counts = { messages: 2, meetings: 0 };
    for (const { caller } of [ada, grace])
      expect(await previewRemoval.execute(caller, { id: grace.memberId })).toMatchObject(counts);
    await removeMember.execute(ada.caller, { id: grace.memberId, mail: "remove" });
    // At once nothing is shown of it; a job takes it away.
    expect((await threads(ada.caller)).flatMap(({ subject }) => subject)).toEqual([`Pilot ${MARK}`]);
    const logins = await inspect("SELECT credentials FROM mailboxes WHERE user_id = $1", [grace.userId]);
    expect(logins).toEqual([{ credentials: "" }, { credentials: "" }]);
    while ((await settleNow(ada.caller)) > 0);
    expect(await timeline(ANNA, ada.caller)).toEqual(["email_sent"]);
    const left = await inspect("SELECT key FROM messages WHERE workspace_id = $1", [workspace.id]);
    expect(left).toEqual([{ key: "both@acme.example" }]);
    expect(await inspect("SELECT 1 FROM mailboxes WHERE user_id = $1", [grace.userId])).toEqual([]);
    const [entry] = await inspect(
      "SELECT detail FROM audit_log WHERE workspace_id = $1 AND action = 'member.removed'",
      [workspace.id],
    );
    expect(entry).toMatchObject({ detail: { mail: "remove" } });
  });

  test("of a member is asked about by who may remove them", async () => {
    const { workspace, ada, grace } = await setUp();
    const ben = await addTestMember(workspace, "Ben", "member", `ben@${workspace.id}.example`);
    await expect(previewRemoval.execute(ben.caller, { id: grace.memberId })).rejects.toMatchObject({
      code: "role_required",
    });
    await expect(removeMember.execute(ben.caller, { id: grace.memberId, mail: "remove" })).rejects.toMatchObject({
      code: "role_required",
    });
    expect(await previewRemoval.execute(ada.caller, { id: grace.memberId })).toMatchObject({
      messages: 0,
      meetings: 0,
    });
  });

  test("a mailbox that comes back after its messages were removed is on the timelines again", async () => {
    const { ada, mailbox, sent, timeline } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "remove" });
    while ((await settleNow(ada.caller)) > 0);
    expect(await timeline()).toEqual([]);
    const again = await addMailbox(ada);
    await again.receive([sent("a")], "Sent");
    expect(await timeline()).toEqual(["email_sent"]);
  });

  test("a mailbox that is disconnected may keep its messages", async () => {
    const { ada, mailbox, sent, timeline, threads } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "keep" });
    expect(await mailbox.receive([sent("b")], "Sent")).toBe(false);
    expect(await timeline()).toEqual(["email_sent"]);
    expect((await threads(ada.caller)).length).toBe(1);
  });

  test("or removes them, but for those that a colleague has", async () => {
    const { workspace, ada, grace, mailbox, sent, timeline } = await setUp();
    const hers = await addMailbox(grace);
    const both = sent("both", { Cc: grace.email });
    await mailbox.receive([sent("a"), both], "Sent");
    await hers.receive([both]);
    await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "remove" });
    while ((await settleNow(ada.caller)) > 0);
    expect(await timeline()).toEqual(["email_sent"]);
    const left = await inspect("SELECT key FROM messages WHERE workspace_id = $1", [workspace.id]);
    expect(left).toEqual([{ key: "both@acme.example" }]);
    expect(await inspect("SELECT 1 FROM mailboxes WHERE id = $1", [mailbox.id])).toEqual([]);
  });

  test("or removes them, with the stages that they led to and what was corrected of them", async () => {
    const { workspace, ada, mailbox, sent, received, timeline } = await setUp();
    const carl = { From: "carl@acme.example" };
    const rules = [
      { type: "email_opened", stage: "aware" },
      { type: "email_received", stage: "interested" },
    ] as const;
    await saveStageRules.execute(ada.caller, { rules, max_age_days: 3_650 });
    await mailbox.receive([sent("a"), sent("b", { To: carl.From })], "Sent");
    await capture.execute(ada.caller, { email: ANNA, type: "email_opened", source: "x", external_id: "x" });
    const stages = () =>
      inspect<{ email: string; stage: string }>(
        "SELECT email, pipeline_stage AS stage FROM people WHERE workspace_id = $1 ORDER BY email",
        [workspace.id],
      );
    const before = await stages();
    await mailbox.receive([received("c"), received("d"), received("e", carl)]);
    expect((await stages()).map(({ stage }) => stage)).toEqual(["interested", "interested"]);
    const page = await getTimeline.execute(ada.caller, { focus: ANNA });
    const [first] = "events" in page ? page.events.filter(({ type }) => type === "email_received") : [];
    await correctActivity.execute(ada.caller, { id: first?.id, description: "Anna agrees" });
    await disconnectMailbox.execute(ada.caller, { id: mailbox.id, messages: "remove" });
    while ((await settleNow(ada.caller)) > 0);
    expect([await timeline(), await timeline(carl.From)]).toEqual([["email_opened"], []]);
    expect(await stages()).toEqual(before);
    expect((await rebuildWorkspace(workspace.caller)).differences).toEqual([]);
  });

  test("a mailbox that is being removed takes no change that would bring it back", async () => {
    const { ada, mailbox, sent } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    const { id } = mailbox;
    await disconnectMailbox.execute(ada.caller, { id, messages: "remove" });
    const refused = { code: "mailbox_not_found" };
    await expect(updateMailbox.execute(ada.caller, { id, share: "metadata" })).rejects.toMatchObject(refused);
    await expect(syncMailbox.execute(ada.caller, { id })).rejects.toMatchObject(refused);
    await expect(disconnectMailbox.execute(ada.caller, { id, messages: "keep" })).rejects.toMatchObject(refused);
    while ((await settleNow(ada.caller)) > 0);
    expect(await inspect("SELECT 1 FROM mailboxes WHERE id = $1", [id])).toEqual([]);
  });

  test("a person who is erased takes their messages along, and is not added again", async () => {
    const { workspace, ada, mailbox, sent } = await setUp();
    await mailbox.receive([sent("a")], "Sent");
    await erasePerson.execute(ada.caller, { focus: ANNA });
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [workspace.id])).toEqual([]);
    await mailbox.receive([sent("b")], "Sent");
    expect(await inspect("SELECT 1 FROM people WHERE workspace_id = $1 AND email = $2", [workspace.id, ANNA])).toEqual(
      [],
    );
  });

  test("the name of a person who is erased leaves the other messages that they got a copy of", async () => {
    const { workspace, ada, mailbox, received, threads } = await setUp();
    await upsertPerson.execute(ada.caller, { email: "carl@copy.example" });
    await upsertPerson.execute(ada.caller, { email: ANNA });
    await mailbox.receive([received("a", { Cc: "Carl Copy <carl@copy.example>" })]);
    const said = async () => {
      const [thread] = await threads(ada.caller);
      return JSON.stringify(await getThread.execute(ada.caller, { id: String(thread?.id) }));
    };
    const names = async () => {
      const [row] = await inspect<{ id: string; content: string }>(
        "SELECT id, content FROM messages WHERE workspace_id = $1",
        [workspace.id],
      );
      return row && decrypt(getBoot().secrets.encryptionKeys, purposeOfMessage(row.id), row.content);
    };
    expect(await said()).toContain("Carl Copy");
    await erasePerson.execute(ada.caller, { focus: "carl@copy.example" });
    expect(await said()).toContain(MARK);
    expect(await said()).not.toMatch(/carl/i);
    expect(await names()).toContain("Anna Smith");
    expect(await names()).not.toMatch(/carl/i);
  });
});
