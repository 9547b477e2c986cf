import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type LeadChange,
  type LeadSignal,
  type LeadState,
  leadStatuses,
  replyOutcomes,
  saidByActivity,
  stateAfter,
  stateChanged,
} from "./leads.ts";

const day = (n: number): Date => new Date(Date.UTC(2026, 5, n));
const fresh: LeadState = { status: "pending", sentAt: null, repliedAt: null, bouncedAt: null };
const after = (...signals: [LeadSignal["says"], number][]): LeadState =>
  signals.reduce((state, [says, n]) => stateAfter(state, { says, at: day(n) }), fresh);

test.each<[string, LeadState, Partial<LeadState>]>([
  ["a send", after(["sent", 1]), { status: "sent", sentAt: day(1) }],
  ["a second send", after(["sent", 1], ["sent", 3]), { status: "sent", sentAt: day(3) }],
  ["an earlier send that is told later", after(["sent", 3], ["sent", 1]), { sentAt: day(3) }],
  ["a bounce", after(["sent", 1], ["bounced", 1]), { status: "bounced", sentAt: day(1) }],
  ["a send after a bounce", after(["bounced", 1], ["sent", 2]), { status: "sent" }],
  ["a send before a bounce that is told later", after(["bounced", 2], ["sent", 1]), { status: "bounced" }],
  ["a reply", after(["sent", 1], ["replied", 2]), { status: "replied", repliedAt: day(2) }],
  ["a second reply", after(["replied", 2], ["replied", 3]), { status: "replied", repliedAt: day(2) }],
  ["a send after a reply", after(["replied", 2], ["sent", 4]), { status: "replied", sentAt: day(4) }],
  ["a bounce after a reply", after(["replied", 2], ["bounced", 4]), { status: "replied", repliedAt: day(2) }],
])("%s", (_, state, expected) => {
  expect(state).toMatchObject(expected);
});

const signal = fc.record<LeadSignal>({
  says: fc.constantFrom("sent", "replied", "bounced"),
  at: fc.integer({ min: 0, max: 5 }).map(day),
});

test("signals lead to the same state in any order, however often they come", () => {
  const inAnyOrder = fc
    .array(signal, { maxLength: 8 })
    .chain((signals) =>
      fc.tuple(
        fc.constant(signals),
        fc.shuffledSubarray([...signals, ...signals], { minLength: signals.length * 2, maxLength: signals.length * 2 }),
      ),
    );
  fc.assert(
    fc.property(inAnyOrder, ([once, twice]) => {
      expect(twice.reduce(stateAfter, fresh)).toEqual(once.reduce(stateAfter, fresh));
    }),
  );
});

const change = fc.record<LeadChange>(
  {
    status: fc.constantFrom("pending", "sent", "replied", "bounced"),
    sent_at: fc.option(fc.constantFrom(day(1), day(9))),
    replied_at: fc.option(fc.constantFrom(day(2), day(8))),
  },
  { requiredKeys: [] },
);

test("whatever comes, the status is `replied` exactly when there is a reply, and no signal takes a reply back", () => {
  const steps = fc.array(fc.oneof(signal, change), { maxLength: 10 });
  fc.assert(
    fc.property(steps, (all) => {
      let state = fresh;
      for (const step of all) {
        const before = state;
        if ("says" in step) {
          state = stateAfter(state, step);
          if (before.status === "replied") expect(state.status).toBe("replied");
        } else {
          const changed = stateChanged(state, step, day(10));
          if ("contradicts" in changed) continue;
          state = changed;
          if (step.status) expect(state.status).toBe(step.status);
        }
        expect(state.status === "replied").toBe(state.repliedAt !== null);
      }
    }),
  );
});

const now = day(20);
test.each<[string, LeadState, LeadChange, Partial<LeadState> | { contradicts: string }]>([
  ["sent, without a time", fresh, { status: "sent" }, { status: "sent", sentAt: now }],
  ["sent, with a time", fresh, { status: "sent", sent_at: day(3) }, { status: "sent", sentAt: day(3) }],
  ["a time alone", fresh, { sent_at: day(3) }, { status: "sent", sentAt: day(3) }],
  ["replied, without a time", fresh, { status: "replied" }, { status: "replied", repliedAt: now }],
  ["no send after all", after(["sent", 1]), { sent_at: null }, { status: "pending", sentAt: null }],
  [
    "no send of a bounce after all",
    after(["sent", 1], ["bounced", 2]),
    { sent_at: null },
    { status: "bounced", sentAt: null },
  ],
  [
    "no send and no reply",
    after(["sent", 1], ["replied", 2]),
    { sent_at: null, replied_at: null },
    { status: "pending", sentAt: null, repliedAt: null },
  ],
  [
    "replied again",
    after(["sent", 1], ["bounced", 2], ["replied", 3]),
    { status: "replied" },
    { status: "replied", sentAt: day(1), repliedAt: day(3), bouncedAt: day(2) },
  ],
  ["replied and sent", fresh, { status: "replied", sent_at: day(3) }, { sentAt: day(3), repliedAt: now }],
  ["a reply's time alone", fresh, { replied_at: day(3) }, { status: "replied", repliedAt: day(3) }],
  ["no reply after all", after(["sent", 1], ["replied", 2]), { replied_at: null }, { status: "sent", repliedAt: null }],
  [
    "sent again",
    after(["sent", 1], ["replied", 2]),
    { status: "sent" },
    { status: "sent", sentAt: day(1), repliedAt: null },
  ],
  ["pending again", after(["sent", 1]), { status: "pending" }, fresh],
  ["bounced", after(["sent", 1]), { status: "bounced" }, { status: "bounced", sentAt: day(1) }],
  ["bounced, once more", after(["bounced", 1]), { status: "bounced" }, { status: "bounced", bouncedAt: now }],
  ["bounced, before a bounce by another clock", after(["bounced", 25]), { status: "bounced" }, { bouncedAt: day(25) }],
  [
    "bounced after a reply",
    after(["sent", 1], ["replied", 2]),
    { status: "bounced" },
    { status: "bounced", sentAt: day(1), repliedAt: null, bouncedAt: now },
  ],
  [
    "sent after a bounce",
    after(["sent", 1], ["bounced", 2]),
    { status: "sent" },
    { status: "sent", sentAt: day(1), bouncedAt: null },
  ],
  ["sent anew after a bounce", after(["bounced", 2]), { status: "sent" }, { sentAt: now, bouncedAt: null }],
  ["pending with a send", fresh, { status: "pending", sent_at: day(1) }, { contradicts: "sent_at" }],
  ["sent without a send", fresh, { status: "sent", sent_at: null }, { contradicts: "sent_at" }],
  ["sent with a reply", fresh, { status: "sent", replied_at: day(1) }, { contradicts: "replied_at" }],
  ["replied without a reply", fresh, { status: "replied", replied_at: null }, { contradicts: "replied_at" }],
  ["nothing", after(["bounced", 1]), {}, after(["bounced", 1])],
  [
    "nothing, where it was set against its moments",
    { ...after(["bounced", 5]), sentAt: day(9) },
    {},
    { status: "bounced", sentAt: day(9), bouncedAt: day(5) },
  ],
])("a caller sets %s", (_, state, given, expected) => {
  expect(stateChanged(state, given, now)).toMatchObject(expected);
});

test("a lead has one of four statuses, and a reply one of four outcomes", () => {
  expect([leadStatuses, replyOutcomes]).toEqual([
    ["pending", "sent", "replied", "bounced"],
    ["interested", "objection", "wrong_fit", "unsubscribe"],
  ]);
});

test("four types of activity say something about leads", () => {
  const types = ["email_sent", "linkedin_message", "email_received", "email_bounced", "call", "toString"];
  expect(types.map(saidByActivity)).toEqual(["sent", "sent", "replied", "bounced", null, null]);
});
