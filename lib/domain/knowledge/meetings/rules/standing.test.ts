import { expect, test } from "vitest";
import { answerOf, type Copy, standingOf } from "./standing.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 11, 3, hour));

const copy = (more: Partial<Copy> = {}): Copy => ({
  ...{ startsAt: at(10), endsAt: at(11), sequence: 0, readAt: at(1) },
  ...{ cancelled: false, declined: false, organizes: false, gone: false },
  guests: [
    { address: "anna@acme.example", answer: "accepted", outside: true },
    { address: "ada@rapport.example", answer: "accepted", outside: false },
  ],
  ...more,
});
const moved = { startsAt: at(12) };

test.each<[string, Copy[], { hour: number; isOn: boolean; isCancelled?: boolean }]>([
  ["one calendar", [copy()], { hour: 10, isOn: true }],
  ["the later change", [copy({ ...moved, sequence: 1 }), copy({ readAt: at(2) })], { hour: 12, isOn: true }],
  ["its organizer", [copy({ ...moved, organizes: true }), copy({ readAt: at(2) })], { hour: 12, isOn: true }],
  ["the last look", [copy(), copy({ ...moved, readAt: at(2) })], { hour: 12, isOn: true }],
  [
    "its organizer, who called it off",
    [copy({ cancelled: true, sequence: 1 }), copy()],
    { hour: 10, isOn: false, isCancelled: true },
  ],
  ["who declined", [copy({ declined: true })], { hour: 10, isOn: false }],
  ["who declined, beside one who comes", [copy({ declined: true, readAt: at(2) }), copy()], { hour: 10, isOn: true }],
  ["who took it out", [copy({ gone: true })], { hour: 10, isOn: false }],
  [
    "who took it out, beside one who has it",
    [copy({ ...moved, gone: true, sequence: 2 }), copy()],
    { hour: 10, isOn: true },
  ],
  [
    "its organizer, who took it out",
    [copy({ gone: true, organizes: true })],
    { hour: 10, isOn: false, isCancelled: true },
  ],
])("a meeting stands as %s says", (_, copies, { hour, isOn, isCancelled = false }) => {
  expect(standingOf(copies)).toMatchObject({ startsAt: at(hour), isOn, isCancelled });
});

test("without a calendar it does not stand", () => expect(standingOf([])).toBeNull());

test("a guest's answer is the best of their addresses; who is not invited has none", () => {
  const standing = standingOf([
    copy({
      guests: [
        { address: "anna@acme.example", answer: "declined", outside: true },
        { address: "anna@home.example", answer: "tentative", outside: true },
      ],
    }),
  ]);
  if (!standing) throw new Error("no standing");
  expect(answerOf(standing, ["anna@acme.example", "anna@home.example"])).toBe("tentative");
  expect(answerOf(standing, ["anna@acme.example"])).toBe("declined");
  expect(answerOf(standing, ["ben@acme.example"])).toBeNull();
});
