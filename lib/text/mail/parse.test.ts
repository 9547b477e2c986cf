import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MailAddress, type MailKind, MailUnreadable, type ParsedMail, parseMail } from "./parse.ts";

const folder = "lib/testing/samples/mail";
const bytesOf = (name: string): Buffer => readFileSync(`${folder}/${name}.eml`);
const sample = (name: string): Promise<ParsedMail> => parseMail(bytesOf(name));
const lines = (...all: string[]): Buffer => Buffer.from(all.join("\r\n"), "latin1");

/** What each mail says, as far as it differs from the others of its kind. */
const expected: Readonly<Record<MailKind, Record<string, Partial<ParsedMail>>>> = {
  person: {
    "01-plain-reply-gmail": {
      messageId: "CAF=third@mail.acme.example",
      key: "CAF=third@mail.acme.example",
      references: ["CA+first@mail.rapport.example", "CA+second@mail.acme.example"],
      inReplyTo: "CA+second@mail.acme.example",
      subject: "Re: Offer for 40 seats",
      baseSubject: "Offer for 40 seats",
      from: { address: "anna@acme.example", name: "Anna Smith" },
      to: [{ address: "sam@rapport.example", name: "Sam Lee" }],
      cc: [{ address: "tom.berg@acme.example", name: "Berg, Tom" }],
      date: new Date("2026-06-01T09:12:31Z"),
      visible: "Hi Sam,\n\n40 seats at $29 work for us. Can you send the contract to Tom?\n\nAnna",
    },
    "02-outlook-html-only-latin1": {
      from: { address: "juergen.mueller@grosshandel.example", name: "Jürgen Müller" },
      to: [{ address: "sales@rapport.example", name: "Vertrieb" }],
      subject: "AW: Rückfrage zum Vertrag",
      baseSubject: "Rückfrage zum Vertrag",
      visible:
        "Guten Tag,\n\ndie Kündigungsfrist ist zu lang – wären 3 Monate möglich?\n\nMit freundlichen Grüßen\nJürgen Müller",
    },
    "03-windows-1252-8bit": {
      from: { address: "jose@madera.example", name: "José García" },
      subject: "Presupuesto – ¿cuándo?",
      visible: "Hola,\n\n¿cuándo nos envía el presupuesto? Serían unos 3.000 € “aproximadamente”.",
    },
    "04-iso-2022-jp": {
      from: { address: "tanaka@kaisha.example", name: "田中 太郎" },
      baseSubject: "お見積もりの件",
      text: "田中です。\nお見積もりをありがとうございます。来週の火曜日に電話できますか。",
    },
    "05-koi8-r-base64": {
      from: { address: "ivan@zavod.example", name: "Иван Петров" },
      subject: "Отв: Счёт",
      baseSubject: "Счёт",
      text: "Добрый день!\n\nСчёт получили, оплатим в пятницу.\n\nС уважением,\nИван Петров",
    },
    "06-no-message-id": {
      messageId: null,
      key: "hash:tt4PIsmLhtpqNDiNAcXWP0GMjMHNQJAda9HIR7qTq58",
      text: "Do you have a plan for two people?",
    },
    "07-broken-mime": {
      text: "Bitte schicken Sie das Angebot für 12 Plätze. Danke!",
      attachments: [{ name: "Anfrage.pdf", type: "application/pdf", size: 19 }],
    },
    "08-folded-headers": {
      messageId: "0100018fd0a1b2c3-folded@studio.example",
      from: { address: "zoe@studio.example", name: "Zoë Kravitz-Ünlü" },
      replyTo: [{ address: "hello@studio.example", name: "Zoe" }],
      to: [
        { address: "sam@rapport.example", name: "Sam Lee" },
        { address: "team@rapport.example", name: "Team, Sales" },
        { address: "ops@rapport.example", name: null },
        { address: "bjorn@rapport.example", name: "Björn" },
      ] satisfies MailAddress[],
      subject: "A subject that is long enough to be folded – twice and goes on",
      references: ["a@studio.example", "b@studio.example", "c@studio.example"],
      text: "This line is flowed and goes on here, in the same paragraph.\n\nSecond paragraph.",
    },
    "09-attachments-inline-picture": {
      baseSubject: "Signed order form",
      attachments: [{ name: "Bestellübersicht 2026.pdf", type: "application/pdf", size: 17 }],
      text: "Here is the signed form.\n\nSent from my iPhone",
      visible: "Here is the signed form.",
    },
    "10-french-apple-mail": {
      subject: "Réf : Démo",
      baseSubject: "Démo",
      from: { address: "helene@maison.example", name: "Hélène Dupré" },
      visible: "Bonjour Sam,\n\njeudi à 15 h me convient très bien.\n\nHélène",
    },
  },
  auto_reply: {
    "01-exchange-english": { inReplyTo: "offer-1@rapport.example", text: "I am out of the office until June 8." },
    "02-exchange-german": { text: "Ich bin bis 8. Juni nicht im Büro." },
    "03-gmail-vacation": { from: { address: "tom.berg@acme.example", name: "Tom Berg" } },
    "04-sieve": {},
    "05-unix-vacation": {},
    "06-ticket-system": { subject: "[#4711] We got your request", baseSubject: "We got your request" },
    "07-french-only-subject": { subject: "Réponse automatique : Démo" },
    "08-read-receipt": {},
    "09-delivered-report": { bounced: [] },
    "10-japanese": { text: "本日は休暇をいただいております。" },
  },
  group: {
    "01-mailman": {
      baseSubject: "Release 2",
      sender: { address: "discuss-bounces@lists.dev.example", name: "discuss" },
    },
    "02-google-group": { from: { address: "sales@acme.example", name: "'Ana' via Sales" } },
    "03-newsletter-mailchimp": { subject: "☕ New beans" },
    "04-github": { references: ["acme/app/issues/12@github.example"] },
    "05-bulk-precedence": { text: "20 % on everything\n\nOnly today" },
    "06-sales-sequence": {},
    "07-sympa-french": { text: "Réunion jeudi à 14 h." },
    "08-list-post-only": {},
    "09-linkedin": {},
    "10-digest": {},
  },
  bounce: {
    "01-postfix": { bounced: [{ address: "gone@acme.example", status: "5.1.1", permanent: true }], attachments: [] },
    "02-exchange": {
      bounced: [{ address: "max.mustermann@grosshandel.example", status: "5.1.10", permanent: true }],
    },
    "03-gmail": { bounced: [{ address: "nobody@kiosk.example", status: "5.1.1", permanent: true }] },
    "04-postfix-delayed": { bounced: [{ address: "slow@far.example", status: "4.4.1", permanent: false }] },
    "05-several-recipients": {
      bounced: [
        { address: "one@acme.example", status: "5.2.2", permanent: true },
        { address: "two@acme.example", status: "5.7.1", permanent: true },
      ],
    },
    "06-exim": {
      bounced: [
        { address: "lost@shop.example", status: null, permanent: true },
        { address: "more@shop.example", status: null, permanent: true },
      ],
    },
    "07-qmail": { bounced: [{ address: "user@vintage.example", status: null, permanent: true }] },
    "08-german-t-online": { bounced: [{ address: "voll@tonline.example", status: "5.2.2", permanent: true }] },
    "09-no-addresses": { bounced: [] },
    "10-internationalised": {
      bounced: [{ address: "info@xn--bcher-kva.example", status: "5.1.1", permanent: true }],
    },
  },
  calendar: {
    "01-google-request": { attachments: [{ name: "invite.ics", type: "application/ics", size: 323 }] },
    "02-outlook-request": {},
    "03-accepted": { text: "Anna has accepted." },
    "04-declined": {},
    "05-cancelled": {},
    "06-auto-submitted": {},
    "07-german-zusage": {},
    "08-counter": {},
    "09-only-part": { attachments: [] },
    "10-from-a-list": {},
  },
};

describe.each(Object.entries(expected))("mails of the kind %s", (kind, mails) => {
  test.each(Object.entries(mails))("%s", async (name, said) => {
    const parsed = await sample(`${kind}/${name}`);
    expect(parsed).toMatchObject({ kind, ...(kind === "bounce" ? {} : { bounced: [] }), ...said });
  });

  test("are all of the samples", () => {
    const files = readdirSync(`${folder}/${kind}`).map((file) => file.replace(/\.eml$/, ""));
    expect(files.toSorted()).toEqual(Object.keys(mails).toSorted());
  });

  test.each(Object.keys(mails))("%s says the same with lines that end as on the wire", async (name) => {
    const bytes = bytesOf(`${kind}/${name}`);
    const wired = Buffer.from(bytes.toString("latin1").replaceAll("\n", "\r\n"), "latin1");
    const { attachments, ...parsed } = await parseMail(wired);
    const { attachments: names, ...same } = await parseMail(bytes);
    expect(parsed).toEqual(same);
    expect(attachments.map((one) => one.name)).toEqual(names.map((one) => one.name));
  });
});

describe("parseMail", () => {
  test("makes the same key of the same mail without Message-ID, and another of another", async () => {
    const mail = (body: string, from = "lea@kiosk.example", trace = "a") =>
      parseMail(lines(`Received: by ${trace}`, `From: ${from}`, "Date: Sat, 6 Jun 2026 18:00:00 +0000", "", body));
    const { key } = await mail("Hello");
    expect(key).toMatch(/^hash:[\w-]{43}$/);
    expect((await mail("Hello", "lea@kiosk.example", "b")).key).toBe(key);
    expect((await mail("Hallo")).key).not.toBe(key);
    expect((await mail("Hello", "leo@kiosk.example")).key).not.toBe(key);
  });

  test("reads the headers of a mail whose parts are nested too deeply", async () => {
    const nested = Array.from(
      { length: 300 },
      (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary="b${at + 1}"\r\n`,
    );
    const parsed = await parseMail(
      lines("From: a@deep.example", "Subject: deep", 'Content-Type: multipart/mixed; boundary="b0"', "", ...nested),
    );
    expect(parsed).toMatchObject({ subject: "deep", from: { address: "a@deep.example", name: null }, text: "" });
  });

  test.each([
    ["nothing", Buffer.alloc(0), "It has none of the headers of a mail."],
    ["words", Buffer.from("just some words"), "It has none of the headers of a mail."],
    ["noise", Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256)), "It has none of the headers"],
  ])("refuses %s with a sentence", async (_, source, sentence) => {
    const refused = parseMail(source);
    await expect(refused).rejects.toThrow(MailUnreadable);
    await expect(refused).rejects.toThrow(sentence);
  });

  test("gives the database nothing that it does not keep", async () => {
    const parsed = await parseMail(
      Buffer.from(
        "From: =?utf-8?Q?A=00nna?= <a@acme.example>\r\nSubject: =?utf-16le?Q?a=00=00=D8?=\r\n\r\nx\0y",
        "latin1",
      ),
    );
    expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud800/);
    expect(parsed.from?.name).toBe("Anna");
  });

  test("leaves out dates and addresses that are none", async () => {
    const parsed = await parseMail(
      lines(
        "From: nobody",
        "To: a@b.example, @, c@, undisclosed-recipients:;",
        "Date: Thu, 1 Jan 99999 00:00:00",
        "",
        "",
      ),
    );
    expect(parsed).toMatchObject({ from: null, to: [{ address: "a@b.example", name: null }], date: null });
  });

  test("names the first and the latest messages of a long thread", async () => {
    const ids = Array.from({ length: 500 }, (_, at) => `${at}@acme.example`);
    const { references } = await parseMail(
      lines("From: a@acme.example", `References: ${ids.map((id) => `<${id}>`).join("\r\n ")}`, "", ""),
    );
    expect(references).toEqual(["0@acme.example", ...ids.slice(-99)]);
  });

  const seeds = Object.entries(expected).flatMap(([kind, mails]) =>
    Object.keys(mails).map((name) => bytesOf(`${kind}/${name}`)),
  );
  const noise = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes));
  const damaged = fc
    .record({ seed: fc.constantFrom(...seeds), at: fc.nat(), cut: fc.nat(200), put: fc.uint8Array({ maxLength: 40 }) })
    .map(({ seed, at, cut, put }) => {
      const place = at % seed.length;
      return Buffer.concat([seed.subarray(0, place), put, seed.subarray(place + cut)]);
    });

  test("never throws anything but MailUnreadable, whatever the bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(noise, damaged), async (source) => {
        const parsed = await parseMail(source).catch((error: unknown) => {
          expect(error).toBeInstanceOf(MailUnreadable);
          return null;
        });
        if (parsed) expect(parsed.key).not.toBe("");
      }),
      { numRuns: 1_000 },
    );
  });

  const MEGABYTE = 1_000_000;
  const filled = (unit: string): string => unit.repeat(Math.ceil(MEGABYTE / unit.length)).slice(0, MEGABYTE);
  const head = (type: string) => ["From: a@acme.example", "Subject: x", `Content-Type: ${type}`, ""].join("\r\n");
  const body = (unit: string, type = "text/plain; charset=utf-8") => Buffer.from(`${head(type)}\r\n${filled(unit)}`);
  const hostile: [string, Buffer][] = [
    ...["\n", " \n", "> ", ">\n", "On a b wrote:\n", "On a ", "Op x schreef y\n", "Op schreef", "abc. x skrev y\n"].map(
      named,
    ),
    ...["Dnia pisze:\n", "在写道", "在\n", "From: <", "From:\n", "-- \n", "$' ", "On $' $` wrote:\n", "<a@b>:\n"].map(
      named,
    ),
    ...["[[[[", "Re: ", "20260 from <>:\n", "01.02.2026 ", "_\n", "\u{1F600}", "Sent from x ", "x on at wrote: "].map(
      named,
    ),
    ...["<", "<a ", "<!--", "</style ", "<style>", "<blockquote>", '<a "', "<a '\">", "&", "&#x", "<pre>\n", "<p>"].map(
      html,
    ),
    ["many parts", body("--b\r\n\r\nx\r\n", 'multipart/mixed; boundary="b"')],
    [
      "many parts that open parts",
      body('--b\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n', 'multipart/mixed; boundary="b"'),
    ],
    ["a long subject", Buffer.from(`From: a@acme.example\r\nSubject: ${filled("Re: [x] ")}\r\n\r\n`)],
    ["a long list of recipients", Buffer.from(`From: a@acme.example\r\nTo: ${filled("<a@b.example>,")}\r\n\r\n`)],
    ["brackets for recipients", Buffer.from(`From: a@acme.example\r\nTo: ${filled('(<"')}\r\n\r\n`)],
    ["many references", Buffer.from(`From: a@acme.example\r\nReferences: ${filled("<a@b> <")}\r\n\r\n`)],
    ["many headers", Buffer.from(`From: a@acme.example\r\n${filled("List-Id: x\r\n")}\r\n\r\n`)],
    ["many encoded words", Buffer.from(`From: a@acme.example\r\nSubject: ${filled("=?utf-8?Q?a?= ")}\r\n\r\n`)],
    [
      "a long delivery status",
      Buffer.from(
        `${head("multipart/report; report-type=delivery-status; boundary=b")}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${filled("Final-Recipient: rfc822; a@b.example\nAction: failed\n\n")}`,
      ),
    ],
  ];
  /** What a mail may have before the parser of replies is watched. */
  const short: [string, Buffer][] = [
    ...[
      "x on at wrote: ",
      "On a b ",
      "20260 from <>: ",
      "01.02.2026 12.34 < ",
      "From: [ ",
      "a <b> schrieb ",
      "On a\nwrote ",
    ],
    ...["Den a skrev b ", "Am a um b schrieb ", "2026.1 작성 ", "> ", "x@y <"],
  ].map((unit) => {
    const lines = unit.repeat(8_000 / unit.length).replaceAll(/.{190}/g, "$&\n");
    return [`a short mail of ${JSON.stringify(unit)}`, Buffer.from(`${head("text/plain")}\r\n${lines}`)];
  });
  function named(unit: string): [string, Buffer] {
    return [JSON.stringify(unit), body(unit)];
  }
  function html(unit: string): [string, Buffer] {
    return [`HTML ${JSON.stringify(unit)}`, body(unit, "text/html; charset=utf-8")];
  }

  test.each([...hostile, ...short])(
    "reads %s, a megabyte or what is not watched, in no more than a moment",
    async (_, source) => {
      const begun = process.cpuUsage();
      const parsed = await parseMail(source);
      expect(parsed.from?.address).toBe("a@acme.example");
      // Time of this process alone: others may keep the machine busy.
      expect(process.cpuUsage(begun).user / 1_000_000).toBeLessThan(4);
    },
  );
});
