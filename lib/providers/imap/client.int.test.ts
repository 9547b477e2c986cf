import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { inspect, promisify } from "node:util";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import {
  fetchResponse,
  type ImapServer,
  LOGIN,
  type StoredMail,
  TOKEN,
  useImapServer,
  useLoopbackCertificate,
} from "#lib/testing/imap.fixture.ts";
import {
  type Fetched,
  type Folder,
  type FolderState,
  type MailClient,
  MailFault,
  type MailOptions,
  openMailClient,
} from "./client.ts";

const mail = (uid: number, body = "Hello", more: Partial<StoredMail> = {}): StoredMail => ({
  uid,
  source: `From: a@acme.example\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMessage-ID: <${uid}@acme.example>\r\n\r\n${body}\r\n`,
  ...more,
});

const inbox = (mails: StoredMail[], more = {}) => ({ path: "INBOX", mails, ...more });

useLoopbackCertificate();
const server = useImapServer({ folders: [inbox([mail(3), mail(5), mail(9)], { highestModseq: 77 })] });

function bootWith(settings: Record<string, string>): void {
  setBoot({
    env: readEnv(settings as NodeJS.ProcessEnv),
    databaseUrl: "",
    secrets: { sessionSecret: "", encryptionKeys: [] },
  });
}

const opened: MailClient[] = [];
async function openAt(of: ImapServer, options: MailOptions = {}, login: Parameters<typeof openMailClient>[1] = LOGIN) {
  const client = await openMailClient(of.address, login, { timeoutMs: 5_000, ...options });
  opened.push(client);
  return client;
}
const open = (options: MailOptions = {}) => openAt(server, options);

async function openInbox(options: MailOptions = {}): Promise<MailClient> {
  const client = await open(options);
  await client.open("INBOX");
  return client;
}

async function all(client: MailClient, uids: number[], most = 10_000): Promise<Fetched[]> {
  const fetched: Fetched[] = [];
  for await (const one of client.fetch(uids, most)) fetched.push(one);
  return fetched;
}

const faultOf = async (work: Promise<unknown>): Promise<MailFault> => {
  const error = await work.then(
    () => new Error("It did not fail."),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MailFault);
  return error as MailFault;
};
const reasonOf = async (work: Promise<unknown>) => (await faultOf(work)).reason;

beforeAll(() => bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" }));
beforeEach(() => server.calm());
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await expect.poll(() => server.open).toBe(0);
});

describe("a folder", () => {
  test("is opened to read, and nothing is marked as seen", async () => {
    const client = await open();
    const state: FolderState = { uidValidity: "17", uidNext: 10, messages: 3, highestModseq: "77" };
    expect(await client.open("INBOX")).toEqual(state);
    const [first] = await all(client, [3]);
    expect(first).toEqual({
      uid: 3,
      internalDate: new Date("2026-06-01T10:00:00Z"),
      size: Buffer.byteLength(mail(3).source),
      source: Buffer.from(mail(3).source),
      head: Buffer.from(String(mail(3).source).replace("Hello\r\n", "")),
    });
    expect(server.commands.filter((line) => /SELECT|STORE|BODY\[/.test(line))).toEqual([]);
  });

  test("may say no UIDNEXT and no HIGHESTMODSEQ", async () => {
    server.folders = [inbox([mail(1)], { uidNext: null })];
    const client = await open();
    expect(await client.open("INBOX")).toEqual({ uidValidity: "17", uidNext: null, messages: 1, highestModseq: null });
  });

  test("without UIDVALIDITY is not read: its UIDs mean nothing", async () => {
    server.folders = [inbox([mail(1)], { uidValidity: null })];
    expect(await reasonOf((await open()).open("INBOX"))).toBe("not_imap");
  });

  test("that cannot be opened leaves the connection as it was", async () => {
    server.folders.push({ path: "Clients", flags: ["\\Noselect"], mails: [] });
    const client = await open();
    expect(
      (await client.folders({ counted: true })).map(({ path, selectable, messages }) => [path, selectable, messages]),
    ).toEqual([
      ["INBOX", true, 3],
      ["Clients", false, undefined],
    ]);
    expect(await reasonOf(client.open("Clients"))).toBe("no_folder");
    expect(await reasonOf(client.open("Gone"))).toBe("no_folder");
    expect((await client.open("INBOX")).messages).toBe(3);
  });

  test("has the name that people gave it, in any script", async () => {
    server.folders = [
      inbox([]),
      { path: "Entw&APw-rfe", mails: [mail(1)] },
      { path: "&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1-", mails: [] },
    ];
    const client = await open();
    const folders: Folder[] = await client.folders();
    expect(Object.fromEntries(folders.map(({ path, role }) => [path, role]))).toEqual({
      INBOX: "inbox",
      Entwürfe: "drafts",
      Отправленные: "sent",
    });
    expect((await client.open("Entwürfe")).messages).toBe(1);
  });

  test("is only asked for UIDs from one on", async () => {
    const client = await openInbox();
    expect(await client.uids(1, null)).toEqual([3, 5, 9]);
    expect(await client.uids(5, null)).toEqual([5, 9]);
    // The server answers `10:*` with the last message.
    expect(await client.uids(10, null)).toEqual([]);
    server.folders[0]?.mails.splice(0);
    expect(await client.uids(1, null)).toEqual([]);
  });

  test("is searched by what was sent or received since a day, and the day before", async () => {
    const dated = (uid: number, sent: string, received: string): StoredMail => ({
      uid,
      source: `Date: ${sent}\r\nMessage-ID: <${uid}@acme.example>\r\n\r\nHello`,
      internalDate: received,
    });
    server.folders = [
      inbox([
        dated(1, "Mon, 1 Jun 2026 23:59:00 +0000", "01-Jun-2026 23:59:00 +0000"),
        dated(2, "Tue, 2 Jun 2026 01:00:00 +0000", "02-Jun-2026 01:00:00 +0000"),
        dated(3, "Fri, 2 Jan 2015 10:00:00 +0000", "05-Jun-2026 10:00:00 +0000"),
        dated(4, "Fri, 5 Jun 2026 10:00:00 +0000", "02-Jan-2015 10:00:00 +0000"),
        dated(5, "nonsense", "05-Jun-2026 10:00:00 +0000"),
      ]),
    ];
    const client = await openInbox();
    expect(await client.uids(1, new Date("2026-06-03T08:00:00Z"))).toEqual([2, 3, 4, 5]);
  });
});

describe("messages", () => {
  test("come by ascending UID, whatever is asked and however they are sent", async () => {
    const client = await openInbox();
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      for (const uid of [9, 3, 5]) wire.send(fetchResponse(0, mail(uid), `BODY.PEEK[]<0.10001>`));
      wire.say(`${wire.tag} OK done`);
    });
    expect((await all(client, [9, 5, 3, 5])).map(({ uid }) => uid)).toEqual([3, 5, 9]);
  });

  test("that were deleted meanwhile do not come, whatever the server says about it", async () => {
    const client = await openInbox();
    expect((await all(client, [3, 4, 5])).map(({ uid }) => uid)).toEqual([3, 5]);
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      server.folders[0]?.mails.splice(1, 1);
      wire.say("* 2 EXPUNGE");
      wire.send(fetchResponse(0, mail(3), "BODY.PEEK[]<0.10001>"));
      wire.send(fetchResponse(1, mail(9), "BODY.PEEK[]<0.10001>"));
      wire.say(`${wire.tag} NO Some of the requested messages no longer exist`);
    });
    expect((await all(client, [3, 5, 9])).map(({ uid }) => uid)).toEqual([3, 9]);
  });

  test("that the server lists and does not give are named, so that none is lost in silence", async () => {
    const client = await openInbox();
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      wire.send(fetchResponse(0, mail(3), "BODY.PEEK[]<0.10001>"));
      wire.say("* 2 FETCH (UID 5 BODY[]<0> garbage");
      wire.send(fetchResponse(2, mail(9), "BODY.PEEK[]<0.10001>"));
      wire.say(`${wire.tag} OK done`);
    });
    const fetched = await all(client, [3, 5, 9]);
    expect(fetched.map(({ uid, source, head }) => [uid, source !== null, head.length > 0])).toEqual([
      [3, true, true],
      [5, false, false],
      [9, true, true],
    ]);
  });

  test("without size and date are named too", async () => {
    const client = await openInbox();
    server.instead(/^UID FETCH.*SIZE/, (wire) => {
      wire.say("* 2 FETCH (UID 5 RFC822.SIZE (((");
      wire.say(`${wire.tag} OK done`);
    });
    const [one] = await all(client, [5]);
    expect(one).toMatchObject({ uid: 5, internalDate: new Date(0), source: Buffer.from(mail(5).source) });
  });

  test("larger than what is wanted come with their headers only, and 50 MB are never sent", async () => {
    let sent = 0;
    const large = mail(20, "x".repeat(300_000), { saidSize: 50_000_000 });
    server.folders = [inbox([mail(19), large, mail(21)])];
    const client = await openInbox();
    server.instead(
      /^UID FETCH 20 .*BODY/,
      (wire, line) => {
        const bytes = fetchResponse(1, large, line);
        sent = bytes.length;
        wire.send(bytes);
        wire.say(`${wire.tag} OK done`);
      },
      1,
    );
    const fetched = await all(client, [19, 20, 21]);
    expect(fetched.map(({ uid, size, source }) => [uid, size > 1_000_000, source === null])).toEqual([
      [19, false, false],
      [20, true, true],
      [21, false, false],
    ]);
    expect(String(fetched[1]?.head)).toContain("Message-ID: <20@acme.example>\r\n\r\n");
    expect(String(fetched[1]?.head)).not.toContain("xxx");
    expect(sent).toBeLessThan(300_000);
  });

  test("whose size was said too small are cut off where what is wanted ends", async () => {
    server.folders = [inbox([mail(20, "x".repeat(30_000), { saidSize: 10 })])];
    const [one] = await all(await openInbox(), [20]);
    expect(one).toMatchObject({ uid: 20, source: null });
    expect(String(one?.head)).toContain("Message-ID: <20@acme.example>");
  });

  test("of 50 MB from a server that was asked for less end the connection", async () => {
    const client = await openInbox({ timeoutMs: 10_000 });
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      wire.say("* 1 FETCH (UID 3 BODY[]<0> {50000000}");
      wire.send(Buffer.alloc(1_000_000, "x"));
    });
    expect(await reasonOf(all(client, [3]))).toBe("not_imap");
  });

  test("are read in batches, a large number of them", async () => {
    server.folders = [inbox(Array.from({ length: 1_000 }, (_, at) => mail(at + 1)))];
    const client = await openInbox();
    const fetched = await all(client, await client.uids(1, null));
    expect(fetched.map(({ uid }) => uid)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
    expect(fetched.every(({ source }) => source !== null)).toBe(true);
    expect(server.commands.filter((line) => line.startsWith("UID FETCH")).length).toBe(10);
  });

  test("may be left in the middle, and others asked for", async () => {
    const client = await openInbox();
    for await (const { uid } of client.fetch([3, 5, 9], 10_000)) if (uid === 3) break;
    expect((await all(client, [9])).map(({ uid }) => uid)).toEqual([9]);
  });
});

describe("a bad server", () => {
  test.each([
    [
      "in the middle of a message",
      (wire: { send(bytes: string): void }) => wire.send("* 1 FETCH (UID 3 BODY[]<0> {500}\r\nFrom: a@"),
    ],
    ["before it answers", () => undefined],
  ])("that hangs %s is left after the time limit", async (_, say) => {
    const client = await openInbox({ timeoutMs: 800 });
    server.instead(/^UID FETCH.*BODY/, (wire) => say(wire));
    expect(await reasonOf(all(client, [3]))).toBe("timeout");
    expect(await reasonOf(client.uids(1, null))).toBe("timeout");
    await expect.poll(() => server.open).toBe(0);
  });

  test("that sends a byte now and then is left too", async () => {
    const client = await openInbox({ timeoutMs: 400 });
    let timer: NodeJS.Timeout | undefined;
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      wire.send("* 1 FETCH (UID 3 BODY[]<0> {500}\r\n");
      timer = setInterval(() => wire.send("x"), 20);
    });
    expect(await reasonOf(all(client, [3]))).toBe("timeout");
    clearInterval(timer);
  });

  test("that is slow, and goes on, is waited for", async () => {
    const client = await openInbox({ timeoutMs: 800 });
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      const bytes = Buffer.concat([
        fetchResponse(0, mail(3), "BODY.PEEK[]<0.10001>"),
        Buffer.from(`${wire.tag} OK done\r\n`),
      ]);
      let at = 0;
      const timer = setInterval(() => {
        wire.send(bytes.subarray(at, at + 40));
        at += 40;
        if (at >= bytes.length) clearInterval(timer);
      }, 300);
    });
    expect((await all(client, [3])).map(({ uid }) => uid)).toEqual([3]);
  });

  test.each([
    ["a message", /^UID FETCH.*BODY/, "* 1 FETCH (UID 3 BODY[]<0> {500}\r\nFrom: a@"],
    ["the sizes", /^UID FETCH.*SIZE/, "* 1 FETCH (UID 3 RFC822.SIZE 5"],
  ])("that cuts the connection in the middle of %s is no end of the messages", async (_, pattern, said) => {
    const client = await openInbox();
    server.instead(pattern, (wire) => {
      wire.send(said);
      wire.cut();
    });
    expect(await reasonOf(all(client, [3, 5, 9]))).toBe("closed");
  });

  test("that cuts a literal short and goes on is not believed", async () => {
    const client = await openInbox({ timeoutMs: 800 });
    server.instead(/^UID FETCH.*BODY/, (wire) => {
      wire.send("* 1 FETCH (UID 3 BODY[]<0> {500}\r\nFrom: a@acme.example)\r\n");
      wire.say(`${wire.tag} OK done`);
    });
    expect(await reasonOf(all(client, [3]))).toBe("timeout");
  });

  test("that says goodbye is gone, and later when it says that it is busy", async () => {
    const client = await openInbox();
    server.instead(/^UID SEARCH/, (wire) => {
      wire.say("* BYE server is going down");
      wire.cut();
    });
    expect(await reasonOf(client.uids(1, null))).toBe("closed");

    server.greeting = "* BYE Too many connections from your address";
    expect(await faultOf(open())).toMatchObject({ reason: "throttled", retryAfterMs: expect.any(Number) });
  });

  test("that throttles is waited for by the caller, for as long as it says", async () => {
    const client = await openInbox();
    server.instead(/^UID FETCH.*BODY/, (wire) =>
      wire.say(`${wire.tag} BAD Request is throttled. Suggested Backoff Time: 92415 milliseconds`),
    );
    expect(await faultOf(all(client, [3]))).toMatchObject({ reason: "throttled", retryAfterMs: 92_415 });
  });

  test.each(["UID SEARCH", "UID FETCH"])("that refuses %s has not said that there is nothing", async (command) => {
    const client = await openInbox();
    server.instead(new RegExp(`^${command}`), (wire) => wire.say(`${wire.tag} NO internal error`));
    expect(await reasonOf(command === "UID SEARCH" ? client.uids(1, null) : all(client, [3]))).toBe("closed");
  });

  test.each([
    ["says nothing", null, "timeout"],
    ["speaks SMTP", "220 mail.acme.example ESMTP Postfix", "not_imap"],
    ["speaks SSH", "SSH-2.0-OpenSSH_9.2p1", "not_imap"],
  ])("that %s is no IMAP server", async (_, greeting, reason) => {
    server.greeting = greeting;
    expect(await reasonOf(open({ timeoutMs: 1_500 }))).toBe(reason);
  });

  test("that is not there cannot be reached", async () => {
    const { address } = server;
    expect(await reasonOf(openMailClient({ ...address, port: 1 }, LOGIN))).toBe("unreachable");
  });

  test("without any extension is read all the same", async () => {
    server.capabilities = [];
    const client = await open({ pollMs: 50 });
    expect(await client.open("INBOX")).toMatchObject({ messages: 3 });
    expect((await all(client, await client.uids(1, null))).length).toBe(3);
    expect((await client.folders()).length).toBe(1);
  });
});

describe("waiting", () => {
  const never = new AbortController().signal;

  test("ends with news when a message arrives", async () => {
    const client = await openInbox();
    const waiting = client.idle(never);
    await expect.poll(() => server.commands.at(-1)).toBe("IDLE");
    server.deliver("INBOX", mail(10));
    expect(await waiting).toBe("news");
    expect(await client.uids(10, null)).toEqual([10]);
  });

  test("is news at once when something came since the last look", async () => {
    const client = await openInbox();
    server.deliver("INBOX", mail(10));
    await all(client, [3]); // the server says so with the answer to any command
    expect(await client.idle(never)).toBe("news");
    expect(await client.uids(1, null)).toEqual([3, 5, 9, 10]);
    const ends = new AbortController();
    const waiting = client.idle(ends.signal);
    ends.abort();
    expect(await waiting).toBe("ended");
  });

  test("ends when it is told to, and the connection is there for what follows", async () => {
    const client = await openInbox();
    const ends = new AbortController();
    const waiting = client.idle(ends.signal);
    await expect.poll(() => server.commands.at(-1)).toBe("IDLE");
    ends.abort();
    expect(await waiting).toBe("ended");
    expect(server.commands.slice(-2)).toEqual(["DONE", "NOOP"]);
    expect(await client.uids(1, null)).toEqual([3, 5, 9]);
  });

  test("ends after the time to poll where the server cannot tell", async () => {
    server.capabilities = ["AUTH=PLAIN"];
    const client = await openInbox({ pollMs: 50 });
    expect(await client.idle(never)).toBe("ended");
    const ends = new AbortController();
    const waiting = openInbox({ pollMs: 60_000 }).then((other) => other.idle(ends.signal));
    setTimeout(() => ends.abort(), 50);
    expect(await waiting).toBe("ended");
  });

  test("fails when the connection is cut, and when its end is not answered", async () => {
    const client = await openInbox();
    server.instead(/^IDLE/, (wire) => {
      wire.say("+ idling");
      setTimeout(() => wire.cut(), 20);
    });
    expect(await reasonOf(client.idle(never))).toBe("closed");

    const other = await openInbox({ timeoutMs: 800 });
    const ends = new AbortController();
    server.instead(/^IDLE/, (wire) => {
      wire.say("+ idling");
      setTimeout(() => ends.abort(), 20);
    });
    server.instead(/^DONE/, () => undefined);
    expect(await reasonOf(other.idle(ends.signal))).toBe("timeout");
  });
});

describe("the end", () => {
  test("of a connection says goodbye, and may be said twice", async () => {
    const client = await openInbox();
    await client.close();
    await client.close();
    expect(server.commands.at(-1)).toBe("LOGOUT");
    expect(await reasonOf(client.uids(1, null))).toBe("closed");
  });

  test("does not wait for a server that hangs", async () => {
    const client = await openInbox();
    server.instead(/^LOGOUT/, () => undefined);
    await client.close();
    await expect.poll(() => server.open).toBe(0);
  });

  test("by the caller's signal ends what is asked, and what is about to be", async () => {
    const ends = new AbortController();
    const client = await openInbox({ signal: ends.signal });
    server.instead(/^UID SEARCH/, () => ends.abort());
    expect(await reasonOf(client.uids(1, null))).toBe("closed");
    expect(await reasonOf(open({ signal: ends.signal }))).toBe("closed");
  });

  test("leaves nothing that keeps a process alive", async () => {
    const script = `
      const { setDefaultCACertificates } = await import("node:tls");
      const { readFileSync } = await import("node:fs");
      setDefaultCACertificates([readFileSync("lib/testing/samples/tls/loopback.cert.pem", "utf8")]);
      const { setBoot } = await import("#lib/settings/boot.ts");
      setBoot({ env: { PRIVATE_MAIL_SERVERS: ["127.0.0.1"] } });
      const { openMailClient } = await import("#lib/providers/imap/client.ts");
      const open = async () => {
        const client = await openMailClient(${JSON.stringify(server.address)}, ${JSON.stringify(LOGIN)}, { timeoutMs: 60_000 });
        await client.open("INBOX");
        return client;
      };
      const client = await open();
      await client.uids(1, null);
      await client.close();
      const other = await open();
      const waiting = other.idle(new AbortController().signal).catch(() => undefined);
      await other.close();
      await waiting;
      console.log("over");`;
    const args = ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", script];
    // It would be killed, and fail, if anything were left.
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    expect(stdout).toBe("over\n");
  });
});

describe("signing in", () => {
  const upgrading = useImapServer({ security: "starttls", folders: [inbox([mail(3)])] });
  const stripped = useImapServer({ security: "stripped", folders: [inbox([mail(3)])] });
  beforeEach(() => {
    upgrading.calm();
    stripped.calm();
  });

  test("is possible with a token", async () => {
    const client = await openAt(server, {}, { user: LOGIN.user, accessToken: TOKEN });
    expect((await client.open("INBOX")).messages).toBe(3);
  });

  test("waits for TLS where the connection begins without", async () => {
    const client = await openAt(upgrading);
    expect((await client.open("INBOX")).messages).toBe(1);
    const [before = []] = [upgrading.commands.slice(0, upgrading.commands.indexOf("STARTTLS"))];
    expect(before).toEqual(["CAPABILITY"]);
  });

  test("never happens where TLS was taken out on the way", async () => {
    expect(await reasonOf(openAt(stripped))).toBe("tls");
    stripped.greeting = "* PREAUTH already in";
    expect(await reasonOf(openAt(stripped))).toBe("tls");
    upgrading.instead(/^STARTTLS/, (wire) => wire.say(`${wire.tag} NO not today`));
    expect(await reasonOf(openAt(upgrading))).toBe("tls");
    for (const { commands } of [stripped, upgrading])
      expect(commands.filter((line) => /AUTH|LOGIN [^O]|[a-zA-Z0-9+/]{20}/.test(line))).toEqual([]);
  });

  test.each([
    ["a wrong password", { user: LOGIN.user, password: "wrong pass" }],
    ["a wrong token", { user: LOGIN.user, accessToken: "ya29.wrong-token" }],
  ])("with %s is refused, and says it nowhere", async (_, login) => {
    const fault = await faultOf(openAt(server, {}, login));
    expect(fault).toMatchObject({ reason: "refused_login" });
    const secret = "password" in login ? login.password : login.accessToken;
    const said = [inspect(fault, { depth: 9, showHidden: true }), String(fault.stack), JSON.stringify(fault)].join(
      "\n",
    );
    for (const form of [secret, Buffer.from(secret).toString("base64").slice(0, 8)]) expect(said).not.toContain(form);
    expect(fault.cause).toBeUndefined();
    await expect.poll(() => server.open).toBe(0);
  });

  test("with the account's own password where an app password is wanted says so", async () => {
    server.instead(/^AUTHENTICATE/, (wire) =>
      wire.say(`${wire.tag} NO [ALERT] Application-specific password required: https://support.example (Failure)`),
    );
    expect((await faultOf(open())).message).toBe(
      "The mail server wants an app password in place of the account's own.",
    );
  });

  test.each([
    ["[UNAVAILABLE] Temporary authentication failure"],
    ["[LIMIT] Too many login attempts"],
    ["Too many simultaneous connections. (Failure)"],
  ])("at a server that is busy is not refused: %s", async (text) => {
    server.instead(/^AUTHENTICATE/, (wire) => wire.say(`${wire.tag} NO ${text}`));
    expect(await reasonOf(open())).toBe("throttled");
  });
});

describe("addresses", () => {
  test("of one's own network are not reached, by number or by name", async () => {
    bootWith({});
    try {
      for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "10.0.0.1", "169.254.169.254"])
        for (const secure of [true, false])
          expect([
            host,
            await reasonOf(openMailClient({ ...server.address, host, secure }, LOGIN, { timeoutMs: 500 })),
          ]).toEqual([host, "private_address"]);
      expect(server.made).toBe(0);
    } finally {
      bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    }
  });

  test("that the operator names are, and no others", async () => {
    expect((await (await open()).open("INBOX")).messages).toBe(3);
    expect(await reasonOf(openMailClient({ ...server.address, host: "localhost" }, LOGIN))).toBe("private_address");
  });
});

describe("certificates", () => {
  test("for another name are refused, with and without STARTTLS", async () => {
    bootWith({ PRIVATE_MAIL_SERVERS: "localhost" });
    try {
      const fault = await faultOf(openMailClient({ ...server.address, host: "localhost" }, LOGIN));
      expect(fault).toMatchObject({
        reason: "tls",
        message: "The certificate of the mail server is for another name.",
      });
    } finally {
      bootWith({ PRIVATE_MAIL_SERVERS: "127.0.0.1" });
    }
  });

  test("cannot be had from a server that speaks no TLS", async () => {
    const plain = createServer((socket) => void socket.on("error", () => undefined).end("* OK ready\r\n"));
    plain.listen(0, "127.0.0.1");
    await once(plain, "listening");
    const { port } = plain.address() as AddressInfo;
    expect(await reasonOf(openMailClient({ host: "127.0.0.1", port, secure: true }, LOGIN, { timeoutMs: 1_000 }))).toBe(
      "tls",
    );
    plain.close();
  });
});
