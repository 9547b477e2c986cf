import { expect, test } from "vitest";
import { calendarOf, eventOf, inDays } from "#lib/testing/ics.fixture.ts";
import { isParsingFailed, limits, parseApart } from "./parsing.ts";

const mail = (n: number) => Buffer.from(`From: a@customer.example\r\nSubject: Offer ${n}\r\n\r\nText ${n}.`);
const window = { from: inDays(-90), to: inDays(60) };

test("mails and calendars come back as they were sent, whatever shares their memory", async () => {
  const whole = Buffer.concat([mail(1), mail(2)]);
  const [one, two, calendar] = await Promise.all([
    parseApart("mail", whole.subarray(0, mail(1).length)),
    parseApart("mail", whole.subarray(mail(1).length)),
    parseApart("meetings", { ics: calendarOf(eventOf("m1", inDays(1), "SUMMARY:Demo")), window }),
  ]);
  expect([one?.subject, one?.text, two?.subject]).toEqual(["Offer 1", "Text 1.", "Offer 2"]);
  expect(calendar?.meetings).toMatchObject([{ uid: "m1", title: "Demo", start: inDays(1) }]);
  expect(whole.toString()).toContain("Offer 2"); // it is not taken away
});

test("what cannot be read is null, and the next is read", async () => {
  const none = parseApart("mail", Buffer.from("\0\0"));
  const neither = parseApart("meetings", { ics: "<html>", window });
  const one = parseApart("mail", mail(3));
  expect([await none, await neither, (await one)?.subject]).toEqual([null, null, "Offer 3"]);
});

test("what the thread dies of is given up alone", async () => {
  const before = { ...limits };
  try {
    await parseApart("mail", mail(4)); // the present thread is quick to end
    Object.assign(limits, { ms: 1 });
    const slow = parseApart("meetings", { ics: calendarOf(...events(20_000)), window });
    const failed = expect(slow).rejects.toSatisfy(isParsingFailed);
    Object.assign(limits, before);
    const others = [5, 6, 7].map((n) => parseApart("mail", mail(n)));
    await failed;
    expect((await Promise.all(others)).map((one) => one?.subject)).toEqual(["Offer 5", "Offer 6", "Offer 7"]);
  } finally {
    Object.assign(limits, before);
  }
});

const events = (count: number) => Array.from({ length: count }, (_, n) => eventOf(`e${n}`, inDays(n % 30)));
