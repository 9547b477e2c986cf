/** The mail client against a real server. */
import { beforeAll, describe, expect, test } from "vitest";
import { setBoot } from "#lib/settings/boot.ts";
import { readEnv } from "#lib/settings/env.ts";
import { useDovecot } from "#lib/testing/dovecot.fixture.ts";
import { useLoopbackCertificate } from "#lib/testing/imap.fixture.ts";
import { dovecot, leftOut } from "#lib/testing/outside-servers.ts";
import { type MailClient, type MailServer, openMailClient } from "./client.ts";

const anna = { user: "anna@acme.example", password: "anna's password" };
const tom = { user: "tom@acme.example", password: 'pässwörd {1} "quoted"' };
const of = (subject: string, body = "Hello") =>
  `From: Sam <sam@rapport.example>\r\nTo: ${anna.user}\r\nSubject: ${subject}\r\nDate: Mon, 1 Jun 2026 10:00:00 +0000\r\nMessage-ID: <${subject}@rapport.example>\r\n\r\n${body}\r\n`;

describe.skipIf(leftOut(dovecot))("Dovecot", () => {
  useLoopbackCertificate();
  const server = useDovecot(anna, tom);
  beforeAll(() =>
    setBoot({
      env: readEnv({ PRIVATE_MAIL_SERVERS: "127.0.0.1" } as Record<string, string> as NodeJS.ProcessEnv),
      databaseUrl: "",
      secrets: { sessionSecret: "", encryptionKeys: [] },
    }),
  );

  async function using<T>(
    user: typeof anna,
    work: (client: MailClient) => Promise<T>,
    at: MailServer = server.address,
  ) {
    const client = await openMailClient(at, user, { timeoutMs: 10_000 });
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  async function subjects(client: MailClient, uids: number[], most = 100_000): Promise<(string | null)[]> {
    const found: (string | null)[] = [];
    for await (const { head } of client.fetch(uids, most))
      found.push(/^Subject: (.*)\r$/m.exec(String(head))?.[1] ?? null);
    return found;
  }

  test("admits a user by TLS and by STARTTLS, whatever is in the password, and nobody else", async () => {
    for (const at of [server.address, server.withStarttls])
      for (const user of [anna, tom])
        await using(user, async (client) => expect((await client.open("INBOX")).messages).toBe(0), at);
    const wrong = openMailClient(server.address, { ...anna, password: tom.password });
    await expect(wrong).rejects.toMatchObject({ reason: "refused_login" });
  });

  test("gives folders with roles and counts", async () => {
    await server.deliver(anna.user, of("sent-1"), { folder: "Sent" });
    await server.deliver(anna.user, of("deep"), { folder: "Clients/Acme" });
    const folders = await using(anna, (client) => client.folders({ counted: true }));
    expect(Object.fromEntries(folders.map(({ path, role, messages }) => [path, [role, messages]]))).toMatchObject({
      INBOX: ["inbox", 0],
      Sent: ["sent", 1],
      Drafts: ["drafts", 0],
      Junk: ["spam", 0],
      Trash: ["trash", 0],
      "Clients/Acme": ["other", 1],
    });
  });

  test("gives messages whole and in order, marks none as seen, and of a large one the headers", async () => {
    await server.deliver(tom.user, of("old"), { date: new Date("2026-01-01T10:00:00Z") });
    await server.deliver(tom.user, of("new", "Grüße\r\n.\r\n"), { date: new Date("2026-06-01T10:00:00Z") });
    await server.deliver(tom.user, of("large", "x".repeat(200_000)));
    await using(tom, async (client) => {
      expect(await client.open("INBOX")).toMatchObject({ messages: 3, uidNext: 4, highestModseq: expect.any(String) });
      expect(await client.uids(1, null)).toEqual([1, 2, 3]);
      const fetched = [];
      for await (const one of client.fetch([1, 2, 3, 4], 100_000)) fetched.push(one);
      expect(fetched.map(({ uid, source }) => [uid, source === null])).toEqual([
        [1, false],
        [2, false],
        [3, true],
      ]);
      expect(fetched[1]?.source?.toString()).toBe(of("new", "Grüße\r\n.\r\n"));
      expect(fetched[1]?.internalDate).toEqual(new Date("2026-06-01T10:00:00Z"));
      expect(String(fetched[2]?.head)).toBe(of("large").replace("Hello\r\n", ""));
    });
  });

  test("is searched by the day of sending or arrival", async () => {
    await using(tom, async (client) => {
      await client.open("INBOX");
      // `old` was received in January, but says that it was sent in June.
      expect(await client.uids(1, new Date("2026-06-01T10:00:00Z"))).toEqual([1, 2, 3]);
      expect(await client.uids(1, new Date("2027-06-01T10:00:00Z"))).toEqual([]);
    });
  });

  test("tells of a message as it arrives", async () => {
    await using(anna, async (client) => {
      const { uidNext } = await client.open("INBOX");
      const waiting = client.idle(AbortSignal.timeout(20_000));
      await server.deliver(anna.user, of("fresh"));
      expect(await waiting).toBe("news");
      expect(await subjects(client, await client.uids(uidNext ?? 1, null))).toEqual(["fresh"]);
      const ends = new AbortController();
      setTimeout(() => ends.abort(), 100);
      expect(await client.idle(ends.signal)).toBe("ended");
    });
  });

  test("has another UIDVALIDITY when it forgot its UIDs", async () => {
    const before = await using(tom, (client) => client.open("INBOX"));
    await server.forgetUids(tom.user);
    const after = await using(tom, (client) => client.open("INBOX"));
    expect(after.messages).toBe(before.messages);
    expect(after.uidValidity).not.toBe(before.uidValidity);
  });

  test("that ends takes the connection with it, and is there again", async () => {
    await using(tom, async (client) => {
      await client.open("INBOX");
      const waiting = expect(client.idle(new AbortController().signal)).rejects.toMatchObject({ reason: "closed" });
      await server.restart();
      await waiting;
    });
    await using(tom, async (client) => expect((await client.open("INBOX")).messages).toBe(3));
  });
});
