import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "#lib/text/time.ts";
import { closenessOf, strengthOf } from "./rules.ts";
import { HALF_LIFE_DAYS, WEIGHED_AT, WEIGHTS } from "./words.ts";

const now = new Date("2026-11-27T12:00:00Z");

type Contact = [what: keyof typeof WEIGHTS | "answer", daysAgo: number, times: number];

/** What an installation stores after all of this. */
function weighed(contacts: readonly Contact[]) {
  const sum = { given: 0, got: 0 };
  for (const [what, daysAgo, times] of contacts) {
    const days = (+now - daysAgo * DAY_MS - Date.parse(WEIGHED_AT)) / DAY_MS;
    const weight = what === "answer" ? WEIGHTS.received + WEIGHTS.reply : WEIGHTS[what];
    sum[what === "sent" ? "given" : "got"] += times * weight * 2 ** (days / HALF_LIFE_DAYS);
  }
  return sum;
}

const strength = (...contacts: Contact[]) => strengthOf(weighed(contacts), now);

test.for<[string, Contact[], number, "strong" | "medium" | "weak"]>([
  ["nothing", [], 0, "weak"],
  ["one mail to them", [["sent", 1, 1]], 7, "weak"],
  ["a hundred mails without an answer", [["sent", 1, 100]], 7, "weak"],
  ["one mail from them", [["received", 0, 1]], 13, "weak"],
  [
    "one answer a week ago",
    [
      ["sent", 8, 1],
      ["answer", 7, 1],
    ],
    23,
    "weak",
  ],
  [
    "two mails and their answers in this week",
    [
      ["sent", 3, 2],
      ["answer", 2, 2],
    ],
    42,
    "medium",
  ],
  [
    "five mails and their answers in this month",
    [
      ["sent", 15, 5],
      ["answer", 14, 5],
    ],
    71,
    "strong",
  ],
  ["a meeting yesterday", [["meeting", 1, 1]], 34, "medium"],
  ["three meetings in this month", [["meeting", 10, 3]], 68, "strong"],
  [
    "a long correspondence half a year ago",
    [
      ["sent", 180, 20],
      ["answer", 180, 20],
    ],
    75,
    "strong",
  ],
  [
    "the same two years ago",
    [
      ["sent", 730, 20],
      ["answer", 730, 20],
    ],
    2,
    "weak",
  ],
] as const)("%s", ([, contacts, expected, closeness]) => {
  expect(strength(...contacts)).toBe(expected);
  expect(closenessOf(strength(...contacts))).toBe(closeness);
});

const contacts = fc.array(
  fc.tuple(
    fc.constantFrom("sent" as const, "received" as const, "answer" as const, "meeting" as const),
    fc.integer({ min: 0, max: 4_000 }),
    fc.integer({ min: 1, max: 500 }),
  ),
  { maxLength: 20 },
);

test("is from 0 to 100, grows with each contact, and falls while there is none", () => {
  fc.assert(
    fc.property(contacts, contacts, fc.integer({ min: 1, max: 2_000 }), (some, more, days) => {
      const before = strength(...some);
      expect(before).toBeGreaterThanOrEqual(0);
      expect(before).toBeLessThanOrEqual(100);
      expect(strength(...some, ...more)).toBeGreaterThanOrEqual(before);
      expect(strengthOf(weighed(some), new Date(+now + days * DAY_MS))).toBeLessThanOrEqual(before);
    }),
  );
});

test("of two members, who had the same contact later is at least as close", () => {
  fc.assert(
    fc.property(contacts, fc.integer({ min: 1, max: 500 }), (some, days) => {
      const earlier = some.map(([what, daysAgo, times]): Contact => [what, daysAgo + days, times]);
      expect(strength(...some)).toBeGreaterThanOrEqual(strength(...earlier));
    }),
  );
});
