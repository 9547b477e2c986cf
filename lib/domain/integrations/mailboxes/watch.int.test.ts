/** Mailboxes that are watched for new mail: by the jobs of a real worker, against the stand-in and a real Dovecot. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "#lib/core/context.ts";
import { ownership } from "#lib/db/ownership.ts";
import { removeMember } from "#lib/domain/access/members/service.ts";
import { getTimeline } from "#lib/domain/knowledge/contacts/service.ts";
import { startLive, stopLive } from "#lib/live/announce.ts";
import { bootWith, inspect } from "#lib/testing/database.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import { LOGIN, type StoredMail, useImapServer, useLoopbackCertificate } from "#lib/testing/imap.fixture.ts";
import { hurryJobs } from "#lib/testing/jobs.fixture.ts";
import { addTestMember } from "#lib/testing/member.fixture.ts";
import { dovecot, leftOut } from "#lib/testing/outside-servers.ts";
import { createTestWorkspace } from "#lib/testing/workspace.fixture.ts";
import { startWorker, stopWorker } from "#lib/worker/worker.ts";
import { watchedMailboxes } from "./service/watch.ts";
import { connectMailbox, disconnectMailbox, listMailboxes, syncMailbox, updateMailbox } from "./service.ts";

useLoopbackCertificate();
const ANNA = "anna@acme.example";
const US = "ada@rapport.example";

const source = (id: string, from = ANNA, to = US) =>
  `From: <${from}>\r\nTo: <${to}>\r\nSubject: Pilot ${id}\r\nDate: Wed, 3 Jun 2026 09:00:00 +0000\r\nMessage-ID: <${id}@acme.example>\r\n\r\nHello ${id}\r\n`;
const fromAnna = (uid: number): StoredMail => ({ uid, source: source(`r${uid}`) });

beforeAll(async () => {
  bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
  await startLive();
});
afterAll(() => stopLive());
beforeEach(() => startWorker());
afterEach(async () => {
  await stopWorker();
  await inspect("DELETE FROM graphile_worker._private_jobs");
});

async function setUp(connecting: Record<string, unknown>) {
  const workspace = await createTestWorkspace();
  const ada = await addTestMember(workspace, "Ada", "member", `ada-${workspace.id}@rapport.example`);
  const { mailbox } = await connectMailbox.execute(ada.caller, { address: US, days: 3_650, ...connecting });
  await expect.poll(watchedMailboxes).toBe(1);
  return { workspace, ada, id: mailbox.id };
}

const received = async (caller: Caller): Promise<number> => {
  const page = await getTimeline.execute(caller, { focus: ANNA, limit: 500 });
  return "events" in page ? page.events.filter(({ type }) => type === "email_received").length : 0;
};

describe("a mailbox whose server says when something is new", () => {
  const server = useImapServer({
    folders: [
      { path: "INBOX", uidValidity: 7, mails: [fromAnna(1)] },
      { path: "Sent", flags: ["\\Sent"], uidValidity: 3, mails: [{ uid: 1, source: source("s1", US, ANNA) }] },
    ],
  });
  beforeEach(() => server.calm());
  const login = () => ({ user: LOGIN.user, password: LOGIN.password, server: server.address });

  test("is read when a message came, long before the next look, by the one connection that it has", async () => {
    const { ada, id } = await setUp(login());
    await expect.poll(() => received(ada.caller)).toBe(1);
    await expect.poll(watchedMailboxes).toBe(1);
    expect(server.open).toBe(1);
    server.deliver("INBOX", fromAnna(2));
    await expect.poll(() => received(ada.caller), { interval: 20 }).toBe(2);
    await expect.poll(watchedMailboxes).toBe(1);
    // And what comes afterwards, and while it is read.
    for (const uid of [3, 4, 5]) server.deliver("INBOX", fromAnna(uid));
    await expect.poll(() => received(ada.caller)).toBe(5);
    await expect.poll(() => server.commands.at(-1)).toBe("IDLE");
    const before = server.commands.length;
    await syncMailbox.execute(ada.caller, { id });
    const look = ["DONE", "NOOP", 'LIST "" "*"', 'LSUB "" "*"', "EXAMINE Sent", "EXAMINE INBOX", "IDLE"];
    await expect.poll(() => server.commands.slice(before)).toEqual(look);
    expect(server.made).toBe(2); // one to try the password
  });

  test("has its news read before mailboxes of the workspace that are only due", async () => {
    const { ada, id } = await setUp(login());
    await expect.poll(watchedMailboxes).toBe(1);
    await expect.poll(() => received(ada.caller)).toBe(1);
    const at = `FROM graphile_worker._private_jobs WHERE key LIKE '%mailboxes:sync:${id}'`;
    const isAhead = "priority < 0 AS ahead";
    await expect.poll(() => inspect(`SELECT ${isAhead} ${at}`)).toEqual([{ ahead: false }]);
    // Kept, because it waits there for a moment only.
    await inspect(`CREATE TABLE public.kept_jobs AS SELECT key, priority ${at}`);
    await inspect(`CREATE FUNCTION public.keep_job() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN INSERT INTO public.kept_jobs VALUES (new.key, new.priority); RETURN new; END'`);
    await inspect(
      "CREATE TRIGGER kept AFTER UPDATE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION public.keep_job()",
    );
    server.deliver("INBOX", fromAnna(2));
    await expect.poll(() => inspect(`SELECT ${isAhead} FROM public.kept_jobs`)).toContainEqual({ ahead: true });
    await expect.poll(() => received(ada.caller)).toBe(2);
  });

  test("is watched in a folder that its member chose in place of the inbox, and left alone while nothing comes", async () => {
    const { ada } = await setUp({ ...login(), folders: ["Sent"] });
    const sent = async () => {
      const page = await getTimeline.execute(ada.caller, { focus: ANNA, limit: 500 });
      return "events" in page ? page.events.filter(({ type }) => type === "email_sent").length : 0;
    };
    await expect.poll(() => server.commands).toContain("IDLE");
    const before = server.commands.length;
    server.deliver("INBOX", fromAnna(2));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(server.commands.slice(before)).toEqual([]);
    server.deliver("Sent", { uid: 2, source: source("s2", US, ANNA) });
    await expect.poll(sent).toBe(2);
  });

  test("is read and watched again after the server ended the connection", async () => {
    const { ada, workspace } = await setUp(login());
    await expect.poll(() => server.commands).toContain("IDLE");
    server.instead(/^IDLE/, ({ cut }) => cut());
    server.deliver("INBOX", fromAnna(2));
    await expect.poll(() => received(ada.caller)).toBe(2);
    await expect.poll(watchedMailboxes).toBe(0);
    // Its job may still be running.
    await expect.poll(async () => (await hurryJobs(workspace.id)) && watchedMailboxes()).toBe(1);
  });

  test("is watched no longer once it is disconnected, or has another password", async () => {
    const { ada, id } = await setUp(login());
    await updateMailbox.execute(ada.caller, { id, password: LOGIN.password });
    await expect.poll(() => server.made).toBe(4); // the trial, and the next run with a connection of its own
    await expect.poll(watchedMailboxes).toBe(1);
    await disconnectMailbox.execute(ada.caller, { id, messages: "keep" });
    await expect.poll(() => [watchedMailboxes(), server.open]).toEqual([0, 0]);
  });

  test("is watched no longer when its member leaves", async () => {
    const { ada, workspace } = await setUp(login());
    const [member] = await inspect<{ id: string }>("SELECT id FROM members WHERE workspace_id = $1 AND user_id = $2", [
      workspace.id,
      ada.userId,
    ]);
    await removeMember.execute({ ...ada.caller, role: "owner" }, { id: member?.id });
    await expect.poll(() => [watchedMailboxes(), server.open]).toEqual([0, 0]);
  });

  test("is given back when the process stops, and read at once by the next", async () => {
    const { id } = await setUp(login());
    await stopWorker();
    expect([watchedMailboxes(), server.open]).toEqual([0, 0]);
    const [job] = await inspect<{ due: boolean }>(
      "SELECT run_at <= now() AS due FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1",
      [`mailboxes:sync:${id}`],
    );
    expect(job?.due).toBe(true);
    await startWorker();
    await expect.poll(watchedMailboxes).toBe(1);
  });

  test("is watched by one process: not where another has it", async () => {
    const { ada, id } = await setUp(login());
    await stopWorker();
    const other = await ownership("mailbox", { opened: () => undefined, lost: () => undefined });
    try {
      expect(await other.tryOwn(id)).toBe(true);
      await startWorker();
      server.deliver("INBOX", fromAnna(2));
      await syncMailbox.execute(ada.caller, { id });
      await expect.poll(() => received(ada.caller)).toBe(2);
      await expect.poll(() => server.open).toBe(0);
      expect(watchedMailboxes()).toBe(0);
    } finally {
      await other.stop();
    }
  });

  test("is not watched beyond the number that a process may watch, nor where the server does not announce", async () => {
    bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1", MAIL_WATCHES: "1" });
    const { ada } = await setUp(login());
    const second = await connectMailbox.execute(ada.caller, { ...login(), address: "two@rapport.example" });
    const read = async (id: string) =>
      (await listMailboxes.execute(ada.caller, {})).mailboxes.find((one) => one.id === id)?.state;
    await expect.poll(() => read(second.mailbox.id)).toBe("current");
    await expect.poll(() => server.open).toBe(1);
    server.capabilities = ["AUTH=PLAIN"];
    bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    const third = await connectMailbox.execute(ada.caller, { ...login(), address: "three@rapport.example" });
    await expect.poll(() => read(third.mailbox.id)).toBe("current");
    await expect.poll(() => server.open).toBe(1);
  });
});

describe.skipIf(leftOut(dovecot))("Dovecot", () => {
  const user = { user: US, password: "ada's password" };
  const server = useDovecot(user);

  test("tells of a message, which is there long before the next look", async () => {
    await server.deliver(US, source("s1", US, ANNA), { folder: "Sent" });
    await server.deliver(US, source("first"));
    const { ada } = await setUp({ password: user.password, server: server.address });
    await server.deliver(US, source("second"));
    await expect.poll(() => received(ada.caller), { interval: 20 }).toBe(2);
  });
});
