/** Copies that members send to their log addresses: against a scripted server, and against a real Dovecot. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { listMailboxes, updateMailbox } from "#lib/domain/integrations/mailboxes/service.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { getThread, listThreads } from "#lib/domain/knowledge/messages/service.ts";
import { getRelationships } from "#lib/domain/knowledge/relationships/service.ts";
import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import { LOGIN, type StoredMail, useImapServer, useLoopbackCertificate } from "#lib/testing/imap.fixture.ts";
import { useLog } from "#lib/testing/log.fixture.ts";
import { addMailbox, mailOf } from "#lib/testing/mail.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { dovecot, leftOut } from "#lib/testing/outside-servers.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { schedules } from "./jobs.ts";
import { getLogAddress, renewLogAddress } from "./service.ts";

useLoopbackCertificate();
const logged = useLog();
const LENA = "lena@kunde.example";
const PASSED = "mx.log.example; dmarc=pass header.from=rapport.example";

const read = async () => {
  for (const schedule of schedules) await schedule.run(new AbortController().signal);
};

function bootFor({ host, port }: { host: string; port: number }, { user, password } = LOGIN) {
  bootWith({
    LOG_MAILBOX_URL: `imaps://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}`,
    LOG_MAILBOX_AUTHSERV_ID: "mx.log.example",
  });
}

async function setUp() {
  const workspace = await createTestWorkspace();
  const member = async (name: string) => ({
    ...(await addTestMember(workspace, name, "member", `${name.toLowerCase()}@${workspace.id}.rapport.example`)),
    workspaceId: workspace.id,
  });
  const [ada, grace] = [await member("Ada"), await member("Grace")];
  const { log_address: made } = await renewLogAddress.execute(ada.caller, {});
  const address = String(made.address);
  /** A mail from Ada, as the server has it that received it. */
  const mail = (headers: Record<string, string> = {}, body?: string) =>
    mailOf(
      {
        ...{ "Delivered-To": address, "Authentication-Results": PASSED.replace("rapport", `${workspace.id}.rapport`) },
        ...{ From: ada.email, To: `Lena <${LENA}>`, Subject: "Pilot", Date: "Mon, 1 Jun 2026 09:00:00 +0000" },
        ...{ "Message-ID": `<${crypto.randomUUID()}@rapport.example>`, ...headers },
      },
      body,
    );
  const timeline = async (focus = LENA, caller: Caller = grace.caller) => {
    const page = await getTimeline.execute(caller, { focus });
    return "events" in page ? page.events.map(({ type, observed_at: at }) => [type, at]) : [];
  };
  const card = async (caller: Caller = ada.caller) => (await getLogAddress.execute(caller, {})).log_address;
  const refused = async () => (await card())?.refused.map(({ reason }) => reason);
  return { workspace, ada, grace, address, mail, timeline, card, refused };
}

describe("a server of all kinds", () => {
  const server = useImapServer({ folders: [{ path: "INBOX", uidValidity: 1, mails: [] }] });
  let uid = 0;
  const inbox = () =>
    server.folders.find(({ path }) => path === "INBOX") as { mails: StoredMail[]; uidValidity?: number };
  const arrive = (...sources: Buffer[]) => {
    for (const source of sources) inbox().mails.push({ uid: ++uid, source });
  };
  beforeEach(async () => {
    server.calm();
    uid = 0;
    await inspect("DELETE FROM log_places");
    bootFor(server.address);
  });
  afterEach(() => bootWith());

  test("a copy becomes an activity of each recipient outside, which everybody sees", async () => {
    const { ada, grace, mail, timeline, card } = await setUp();
    arrive(mail({ Cc: `tom@kunde.example, ${grace.email}` }, "We begin on Tuesday."));
    await read();
    expect(await timeline()).toEqual([["email_sent", "2026-06-01T09:00:00.000Z"]]);
    expect(await timeline("tom@kunde.example")).toHaveLength(1);
    const page = await listThreads.execute(grace.caller, { focus: LENA });
    const [thread] = "threads" in page ? page.threads : [];
    const { messages } = await getThread.execute(grace.caller, { id: String(thread?.id) });
    expect(messages).toMatchObject([{ text: "We begin on Tuesday.", subject: "Pilot", shared: "everything" }]);
    expect(await getRelationships.execute(grace.caller, { focus: LENA })).toMatchObject({ known_by: [{ sent: 1 }] });
    expect(await card()).toMatchObject({ refused: [], received_at: expect.any(String) });
    expect((await listMailboxes.execute(ada.caller, {})).mailboxes).toEqual([]);
  });

  test("a copy of a message that a mailbox has too is one activity", async () => {
    const { ada, mail, timeline } = await setUp();
    const both = mail();
    const mailbox = await addMailbox(ada, { share: "metadata" });
    await mailbox.receive([both], "Sent");
    arrive(both);
    await read();
    expect(await timeline()).toHaveLength(1);
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [ada.workspaceId])).toHaveLength(1);
  });

  test.for([
    [
      "English",
      "From: Lena Berg <lena@kunde.example>\nDate: Mon, Jun 1, 2026 at 10:02 AM\nSubject: Re: Offer\nTo: Ada <ada@x.example>",
    ],
    [
      "German",
      "Von: Lena Berg <lena@kunde.example>\nGesendet: Montag, 1. Juni 2026 10:02\nAn: Ada <ada@x.example>\nBetreff: AW: Offer",
    ],
    [
      "French",
      "De : Lena Berg <lena@kunde.example>\nEnvoyé : lundi 1 juin 2026 10:02\nÀ : Ada <ada@x.example>\nObjet : Offer",
    ],
    [
      "Spanish",
      "De: Lena Berg <lena@kunde.example>\nEnviado el: lunes, 1 de junio de 2026 10:02\nPara: Ada <ada@x.example>\nAsunto: Offer",
    ],
    [
      "Japanese",
      "差出人: Lena Berg <lena@kunde.example>\n送信日時: 2026年6月1日 10:02\n宛先: Ada <ada@x.example>\n件名: Offer",
    ],
  ] as const)("what is forwarded is from whom its headers say, and when: %s", async ([, head]) => {
    const { ada, grace, address, mail, timeline } = await setUp();
    arrive(
      mail(
        { To: address, Subject: "Fwd: Offer", "Content-Type": "text/plain; charset=utf-8" },
        `For the record.\n\n${head}\n\nYes, we want it.`,
      ),
    );
    await read();
    expect(await timeline()).toEqual([["email_received", "2026-06-01T10:02:00.000Z"]]);
    const page = await listThreads.execute(grace.caller, { focus: LENA });
    expect(page).toMatchObject({ threads: [{ last: { from: { address: LENA }, snippet: "Yes, we want it." } }] });
    expect(await getRelationships.execute(ada.caller, { focus: LENA })).toMatchObject({
      known_by: [{ member: { name: "Ada" }, received: 1 }],
    });
  });

  test("a mail of a member that is forwarded was sent to its recipients", async () => {
    const { grace, address, mail, timeline } = await setUp();
    const head = `From: Grace <${grace.email}>\nDate: Mon, Jun 1, 2026 at 10:02 AM\nSubject: Offer\nTo: Lena <${LENA}>`;
    arrive(mail({ To: address, Subject: "Fwd: Offer" }, `${head}\n\nHere it is.`));
    await read();
    expect(await timeline()).toEqual([["email_sent", "2026-06-01T10:02:00.000Z"]]);
  });

  test.for<[string, Record<string, string>, string]>([
    ["who is no member", { From: "eve@evil.example" }, "not_a_member"],
    ["nobody", { From: "" }, "not_a_member"],
    [
      "a member whose mail the server has not checked",
      { "Authentication-Results": "mx.log.example; none" },
      "not_authentic",
    ],
    ["a member whose mail failed", { "Authentication-Results": "mx.log.example; dmarc=fail" }, "not_authentic"],
    ["a member by another server's word", { "Authentication-Results": "mx.evil.example; dmarc=pass" }, "not_authentic"],
    ["a member to nobody outside", { To: "ada@x.rapport.example", Cc: "" }, "no_contact"],
  ])("is refused from %s, and says why", async ([, headers, reason]) => {
    const { ada, grace, address, mail, refused, timeline } = await setUp();
    arrive(mail(reason === "no_contact" ? { To: `${address}, ${grace.email}` } : headers));
    await read();
    expect(await refused()).toEqual([reason]);
    await expect(timeline()).rejects.toMatchObject({ code: "entity_not_found" });
    expect((await getLogAddress.execute(grace.caller, {})).log_address).toBeNull();
    expect(ada.userId).not.toBe(grace.userId);
  });

  test("a colleague cannot write to another member's address", async () => {
    const { grace, mail, refused } = await setUp();
    arrive(mail({ From: grace.email }));
    await read();
    expect(await refused()).toEqual(["not_a_member"]);
  });

  test("two senders are refused", async () => {
    const { ada, mail, refused } = await setUp();
    arrive(Buffer.concat([Buffer.from(`From: ${ada.email}\r\n`), mail({ From: "eve@evil.example" })]));
    await read();
    expect(await refused()).toEqual(["not_a_member"]);
  });

  test("each mail is read once, in the order of arrival, also after a connection that was cut", async () => {
    const { mail, timeline, refused } = await setUp();
    arrive(mail(), mail({ From: "eve@evil.example" }), mail());
    server.instead(/^UID FETCH/, (wire) => wire.cut());
    await read();
    await read();
    arrive(mail());
    await Promise.all([read(), read()]);
    expect(await timeline()).toHaveLength(3);
    expect(await refused()).toEqual(["not_a_member"]);
  });

  test("a mailbox whose UIDs begin anew is read again, and doubles nothing", async () => {
    const { mail, timeline } = await setUp();
    arrive(mail(), mail());
    await read();
    inbox().uidValidity = 2;
    await read();
    expect(await timeline()).toHaveLength(2);
  });

  test("what names no address of a member is left out and counted, and stops nothing", async () => {
    const { address, mail, timeline } = await setUp();
    arrive(
      mail({ "Delivered-To": "anna@acme.example" }),
      mail({ "Delivered-To": address.replace(/\+..../, "+aaaa") }),
      Buffer.from("\r\n"),
      mail(),
    );
    await read();
    expect(await timeline()).toHaveLength(1);
    expect(logged.text()).toContain('"mails":3');
  });

  test("the login is never logged", async () => {
    await setUp();
    bootFor(server.address, { ...LOGIN, password: "a wrong secret" });
    await read();
    const text = logged.text();
    expect(text).toContain("cannot be read");
    expect(text).not.toMatch(/wrong.secret|imaps:/);
  });

  test("an address that was renewed works, and the one before no more", async () => {
    const { ada, address, mail, timeline, card } = await setUp();
    const before = mail();
    const { log_address: renewed } = await renewLogAddress.execute(ada.caller, {});
    expect(renewed.address).not.toBe(address);
    arrive(before, mail({ "Delivered-To": String(renewed.address) }));
    await read();
    expect(await timeline()).toHaveLength(1);
    expect((await card())?.refused).toEqual([]);
  });

  test("mails to addresses that no member has are counted for administrators", async () => {
    const { workspace, ada, grace, mail } = await setUp();
    const owner = await addTestMember(workspace, "Owen", "owner");
    const unknown = async (caller: Caller) => (await getLogAddress.execute(caller, {})).unknown;
    expect(await unknown(owner.caller)).toBeNull();
    const before = mail();
    await renewLogAddress.execute(ada.caller, {});
    arrive(before, mail({ "Delivered-To": "anna@acme.example" }), before);
    await read();
    expect(await unknown(owner.caller)).toEqual({ count: 2, last_at: expect.any(String) });
    expect(await unknown(grace.caller)).toBeNull();
    bootWith();
    expect(await unknown(owner.caller)).toBeNull();
  });

  test("the card has the last 20 that were refused", async () => {
    const { mail, card } = await setUp();
    arrive(...Array.from({ length: 23 }, (_, index) => mail({ From: `eve-${index}@evil.example` })));
    await read();
    const from = (await card())?.refused.map((one) => one.from);
    expect(from).toHaveLength(20);
    expect(from?.[0]).toBe("eve-22@evil.example");
  });

  test("who is erased is forgotten among those refused, and with their messages", async () => {
    const { workspace, mail, card } = await setUp();
    arrive(mail(), mail({ From: LENA }));
    await read();
    expect((await card())?.refused).toHaveLength(1);
    await erasePerson.execute({ ...workspace.caller, scopes: ["admin"] }, { focus: LENA });
    expect((await card())?.refused).toEqual([]);
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("the address of a member who has left is nobody's", async () => {
    const { workspace, ada, mail } = await setUp();
    arrive(mail());
    await removeMember.execute(workspace.caller, { id: ada.memberId });
    await read();
    expect(await inspect("SELECT 1 FROM messages WHERE workspace_id = $1", [workspace.id])).toEqual([]);
  });

  test("what a log address keeps is no mailbox to change", async () => {
    const { ada, mail } = await setUp();
    arrive(mail());
    await read();
    const [row] = await inspect<{ mailbox_id: string }>("SELECT mailbox_id FROM log_addresses WHERE user_id = $1", [
      ada.userId,
    ]);
    const changed = updateMailbox.execute(ada.caller, { id: String(row?.mailbox_id), share: "nothing" });
    await expect(changed).rejects.toMatchObject({ code: "mailbox_not_found" });
  });

  test("without the operator's mailbox there are no addresses", async () => {
    const { ada } = await setUp();
    bootWith();
    expect(await getLogAddress.execute(ada.caller, {})).toEqual({ available: false, log_address: null, unknown: null });
    await expect(renewLogAddress.execute(ada.caller, {})).rejects.toMatchObject({ code: "log_address_unavailable" });
    expect(schedules.map(({ isNeeded }) => isNeeded?.())).toEqual([false]);
  });

  test("the address is sealed where it is stored", async () => {
    const { workspace, address } = await setUp();
    const rows = await inspect("SELECT t::text FROM log_addresses t WHERE workspace_id = $1", [workspace.id]);
    expect(JSON.stringify(rows)).not.toContain(address.split("+")[1]?.split("@")[0]);
  });
});

describe.skipIf(leftOut(dovecot))("Dovecot", () => {
  const mails = useDovecot({ user: "log@rapport.example", password: "secret of the log" });
  afterEach(() => bootWith());

  test("gives what was delivered, once", async () => {
    await inspect("DELETE FROM log_places");
    bootFor(mails.address, { user: "log@rapport.example", password: "secret of the log" });
    const { mail, timeline } = await setUp();
    await mails.deliver("log@rapport.example", mail());
    await read();
    await mails.deliver("log@rapport.example", mail({ Cc: "tom@kunde.example" }));
    await read();
    await read();
    expect(await timeline()).toHaveLength(2);
    expect(await timeline("tom@kunde.example")).toHaveLength(1);
  });
});
