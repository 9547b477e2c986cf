/** Reading mailboxes: against a scripted server that fails in every way, and against a real Dovecot. */
import { beforeEach, describe, expect, test } from "vitest";
import { jobAuthority } from "#lib/auth/jobs.ts";
import type { Caller } from "#lib/core/context.ts";
import { newId } from "#lib/core/ids.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { subscribe } from "#lib/live/announce.ts";
import { inspect } from "#lib/testing/database.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import {
  LOGIN,
  type StoredFolder,
  type StoredMail,
  useImapServer,
  useLoopbackCertificate,
} from "#lib/testing/imap.fixture.ts";
import { hurryJobs } from "#lib/testing/jobs.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { dovecot, leftOut } from "#lib/testing/outside-servers.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import type { Mailbox } from "./contract.ts";
import { runSync } from "./service/sync.ts";
import { connectMailbox, getMailReport, listMailboxes, syncMailbox, testMailbox, updateMailbox } from "./service.ts";

useLoopbackCertificate();
const ANNA = "anna@acme.example";
const US = LOGIN.user.replace("acme", "rapport");

const source = (id: string, { from = ANNA, to = US, more = "" } = {}) =>
  `From: <${from}>\r\nTo: <${to}>\r\nSubject: Pilot ${id}\r\nDate: Wed, 3 Jun 2026 09:00:00 +0000\r\nMessage-ID: <${id}@acme.example>\r\n${more}\r\nHello ${id}\r\n`;
const toAnna = (uid: number, id = `s${uid}`): StoredMail => ({ uid, source: source(id, { from: US, to: ANNA }) });
const fromAnna = (uid: number, id = `r${uid}`): StoredMail => ({ uid, source: source(id) });

async function setUp() {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada", "owner", `ada-${workspace.id}@rapport.example`);
  const job = (await jobAuthority(workspace.id, newId())) as Caller;
  /** Runs the job, and what it leaves to be done at once. */
  const read = async (id: string): Promise<void> => {
    const { signal } = new AbortController();
    do {
      await inspect("DELETE FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1", [`mailboxes:sync:${id}`]);
      await runSync.run({ caller: job, attempt: 1, last: false, signal }, { mailbox_id: id });
    } while (await isDue(id));
  };
  const events = async () => {
    const page = await getTimeline.execute(ada.caller, { focus: ANNA, limit: 500 });
    return "events" in page ? page.events.map(({ type }) => type).toSorted() : [];
  };
  const mailbox = async (): Promise<Mailbox> => {
    const [first] = (await listMailboxes.execute(ada.caller, {})).mailboxes;
    if (!first) throw new Error("no mailbox");
    return first;
  };
  const report = async () => getMailReport.execute(ada.caller, { id: (await mailbox()).id });
  return { workspace, ada, read, events, mailbox, report };
}

const isDue = async (id: string): Promise<boolean> =>
  (
    await inspect("SELECT 1 FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1 AND run_at <= now()", [
      `mailboxes:sync:${id}`,
    ])
  ).length > 0;

describe("a server of all kinds", () => {
  const server = useImapServer({
    folders: [
      { path: "INBOX", uidValidity: 7, mails: [fromAnna(1), fromAnna(5), { uid: 9, source: "\r\n" }] },
      { path: "Sent", flags: ["\\Sent"], uidValidity: 3, mails: [toAnna(1)] },
      { path: "Drafts", flags: ["\\Drafts"], mails: [toAnna(1, "draft")] },
      { path: "Group", flags: ["\\Noselect"], mails: [] },
    ],
  });
  beforeEach(() => server.calm());

  const login = () => ({ address: US, user: LOGIN.user, password: LOGIN.password, server: server.address });
  async function connected(more: Record<string, unknown> = {}) {
    const all = await setUp();
    const { mailbox } = await connectMailbox.execute(all.ada.caller, { ...login(), days: 3_650, ...more });
    return { ...all, id: mailbox.id };
  }

  test("is tried before it is kept, and its folders are named", async () => {
    const { ada } = await setUp();
    const { folders } = await testMailbox.execute(ada.caller, login());
    expect(
      folders
        .filter(({ read }) => read)
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(["INBOX", "Sent"]);
    const wrong = connectMailbox.execute(ada.caller, { ...login(), password: "wrong" });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_credentials" });
    expect((await listMailboxes.execute(ada.caller, {})).mailboxes).toEqual([]);
    const key = { ...ada.caller, viewer: undefined } as unknown as Caller;
    await expect(connectMailbox.execute(key, login())).rejects.toMatchObject({ code: "member_required" });
    await connectMailbox.execute(ada.caller, login());
    await expect(connectMailbox.execute(ada.caller, login())).rejects.toMatchObject({ code: "mailbox_connected" });
  });

  test("is read once, with the sent mail first, accounts for each message, and tells only its member's pages", async () => {
    const { workspace, ada, id, read, events, mailbox, report } = await connected();
    const heard: unknown[] = [];
    const leave = subscribe(workspace.id, (told) => told?.topic === "integrations" && heard.push(told));
    await read(id);
    leave();
    expect(heard.length).toBeGreaterThan(0);
    expect(new Set(heard.map((told) => JSON.stringify(told)))).toEqual(
      new Set([JSON.stringify({ topic: "integrations", user_id: ada.caller.viewer })]),
    );
    expect(await events()).toEqual(["email_received", "email_received", "email_sent"]);
    expect(await mailbox()).toMatchObject({ state: "current", kept: 3, message: null });
    const { folders } = await report();
    expect(folders).toMatchObject([
      { path: "INBOX", at_server: 3, read: 3, missing: 0, outcomes: { kept: 2 } },
      { path: "Sent", at_server: 1, read: 1, missing: 0, outcomes: { kept: 1 } },
    ]);
    await read(id);
    expect((await events()).length).toBe(3);
  });

  test("reads what is new from its place on", async () => {
    const { id, read, events } = await connected();
    await read(id);
    server.deliver("INBOX", fromAnna(12));
    server.commands.length = 0;
    await read(id);
    expect((await events()).length).toBe(4);
    expect(server.commands.filter((command) => /^UID FETCH (?!.*\b12\b)/.test(command))).toEqual([]);
  });

  test("reads a folder again when its UIDs begin anew, and doubles nothing", async () => {
    const { workspace, id, read, events } = await connected();
    await read(id);
    const inbox = server.folders.find(({ path }) => path === "INBOX");
    Object.assign(inbox ?? {}, { uidValidity: 8, mails: [fromAnna(1, "r5"), fromAnna(2, "r1"), fromAnna(3, "new")] });
    await read(id);
    expect((await events()).length).toBe(4);
    const rows = await inspect(
      "SELECT uid::int FROM mail_items WHERE workspace_id = $1 AND path = 'INBOX' ORDER BY uid",
      [workspace.id],
    );
    expect(rows).toEqual([{ uid: 1 }, { uid: 2 }, { uid: 3 }]);
  });

  test("goes on after a connection was cut in the middle, and loses nothing", async () => {
    const { id, read, events, mailbox } = await connected();
    server.instead(/^UID FETCH .*BODY/, ({ cut }) => cut());
    await read(id);
    expect(await mailbox()).toMatchObject({ state: "failing", message: expect.stringContaining("tried again") });
    await read(id);
    expect((await events()).length).toBe(3);
    expect(await mailbox()).toMatchObject({ state: "current", message: null });
  });

  const inbox = () => server.folders.find(({ path }) => path === "INBOX") as StoredFolder;
  /** As if so much time had passed since the folders were compared with the server. */
  const later = (id: string, minutes: number) =>
    inspect("UPDATE mail_folders SET counted_at = counted_at - make_interval(mins => $2) WHERE mailbox_id = $1", [
      id,
      minutes,
    ]);
  /** How many messages of the inbox are missing, by the report and on the card. */
  const missingOf = async ({ report, mailbox }: Pick<Awaited<ReturnType<typeof setUp>>, "report" | "mailbox">) => [
    (await report()).folders.find(({ path }) => path === "INBOX")?.missing,
    (await mailbox()).missing,
  ];

  const withhold = (uid: number, withheld: StoredMail["withheld"]) => {
    inbox().mails = inbox().mails.map((mail) => (mail.uid === uid ? { ...mail, withheld } : mail));
  };

  test("that lists a message and denies it is an alarm that stays, hour by hour, until the message is here", async () => {
    withhold(5, "denied");
    const { id, read, events, mailbox, report } = await connected();
    await read(id);
    expect((await events()).length).toBe(2);
    expect(await missingOf({ report, mailbox })).toEqual([1, 1]);
    expect((await report()).folders[0]).toMatchObject({ path: "INBOX", at_server: 3, read: 2, missing: 1 });
    // It is looked for every hour, and not with every look.
    const looked = () => server.commands.filter((command) => /^UID FETCH 5 /.test(command)).length;
    server.commands.length = 0;
    await later(id, 50);
    await read(id);
    expect([looked(), await missingOf({ report, mailbox })]).toEqual([0, [1, 1]]);
    await later(id, 11);
    await read(id);
    expect([looked(), await missingOf({ report, mailbox })]).toEqual([1, [1, 1]]);
    withhold(5, null);
    await later(id, 61);
    await read(id);
    expect(await missingOf({ report, mailbox })).toEqual([0, 0]);
    expect((await events()).length).toBe(3);
  });

  test("that denies a new message is an alarm with that look, until it is gone there too", async () => {
    const { id, read, events, mailbox, report } = await connected();
    await read(id);
    server.deliver("INBOX", { ...fromAnna(12), withheld: "denied" });
    await read(id);
    expect(await missingOf({ report, mailbox })).toEqual([1, 1]);
    inbox().mails.pop();
    await later(id, 61);
    await read(id);
    expect(await missingOf({ report, mailbox })).toEqual([0, 0]);
    expect((await events()).length).toBe(3);
  });

  test("that does not give a message is asked again with the next daily count", async () => {
    withhold(5, "withheld");
    const { id, read, events, report } = await connected();
    await read(id);
    const unreadable = async () => (await report()).unreadable.map(({ uid }) => uid);
    expect(await unreadable()).toEqual([5, 9]);
    withhold(5, null);
    await read(id);
    expect(await unreadable()).toEqual([5, 9]);
    await later(id, 24 * 60 + 1);
    await read(id);
    expect(await unreadable()).toEqual([9]);
    expect((await report()).folders[0]).toMatchObject({ at_server: 3, read: 3, missing: 0 });
    expect((await events()).length).toBe(3);
  });

  test("is compared once a day, and at once when its member asks while something is missing", async () => {
    const { ada, id, read, events, mailbox, report } = await connected();
    await read(id);
    inbox().mails.splice(1, 0, fromAnna(3)); // below where it was read to
    await later(id, 23 * 60);
    await read(id);
    expect((await events()).length).toBe(3);
    await later(id, 61);
    await read(id);
    expect((await events()).length).toBe(4);
    expect(await missingOf({ report, mailbox })).toEqual([0, 0]);
    server.deliver("INBOX", { ...fromAnna(12), withheld: "denied" });
    await read(id);
    withhold(12, null);
    await syncMailbox.execute(ada.caller, { id });
    expect(await missingOf({ report, mailbox })).toEqual([1, 1]);
    await read(id);
    expect(await missingOf({ report, mailbox })).toEqual([0, 0]);
    expect((await events()).length).toBe(5);
  });

  test("is left alone once it refuses the password, until there is a new one", async () => {
    const { workspace, ada, id, read, mailbox } = await connected();
    server.instead(/^(AUTHENTICATE|LOGIN)/, ({ say, tag }) => say(`${tag} NO [AUTHENTICATIONFAILED] no`), 3);
    await read(id);
    expect(await mailbox()).toMatchObject({ state: "failing", message: expect.stringContaining("password") });
    server.calm();
    await hurryJobs(workspace.id);
    await read(id);
    expect(server.made).toBe(0);
    await updateMailbox.execute(ada.caller, { id, password: LOGIN.password });
    await read(id);
    expect(await mailbox()).toMatchObject({ state: "current", kept: 3 });
  });

  test("the password is nowhere but sealed", async () => {
    const { workspace, id } = await connected();
    const rows = await inspect<{ all: string }>(
      `SELECT (SELECT string_agg(m::text, ' ') FROM mailboxes m WHERE id = $2) || ' ' ||
         coalesce((SELECT string_agg(a::text, ' ') FROM audit_log a WHERE workspace_id = $1), '') AS all`,
      [workspace.id, id],
    );
    expect(rows[0]?.all).not.toContain(LOGIN.password);
  });
});

describe.skipIf(leftOut(dovecot))("Dovecot", () => {
  const user = { user: US, password: "ada's password" };
  const server = useDovecot(user);

  test("is read whole, and again after it forgot its UIDs", async () => {
    const { ada, read, events, report } = await setUp();
    await server.deliver(US, source("first", { from: US, to: ANNA }), { folder: "Sent" });
    for (let place = 0; place < 120; place++) await server.deliver(US, source(`m${place}`));
    const { mailbox } = await connectMailbox.execute(ada.caller, {
      ...{ address: US, password: user.password, server: server.address, days: 3_650 },
    });
    await read(mailbox.id);
    expect((await events()).length).toBe(121);
    const { folders } = await report();
    expect(folders.map(({ path, missing }) => [path, missing])).toContainEqual(["INBOX", 0]);
    await server.forgetUids(US);
    await server.deliver(US, source("after"));
    await read(mailbox.id);
    expect((await events()).length).toBe(122);
  });
});
