import { expect, test } from "vitest";
import { type OtherReport, planFor, type ToldActivity, type Wish } from "./plan.ts";

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 11, 3, hour, minute));

const wish = (more: Partial<Wish> = {}): Wish => ({
  ...{ isKnown: true, isOn: true, isCancelled: false, isHeld: false, repeats: false },
  ...{ startsAt: at(10), endsAt: at(11), uid: "u@acme", id: "u@acme", changedAt: at(5) },
  ...more,
});
const off = { isOn: false, isCancelled: true };

const told = (externalId: string, hour: number, more: Partial<ToldActivity> = {}): ToldActivity => ({
  ...{ externalId, type: "meeting_scheduled", at: at(hour), activity: `a-${externalId}`, hidden: false },
  ...more,
});
const cancelled = (of: string, hour: number, more: Partial<ToldActivity> = {}) =>
  told(`cancelled:${of}`, hour, { type: "meeting_cancelled", ...more });
const held = (hour: number, more: Partial<ToldActivity> = {}) =>
  told("held:u@acme", hour, { type: "meeting_held", ...more });

const by = (source: string, hour: number, more: Partial<OtherReport> = {}): OtherReport => ({
  ...{ type: "meeting_scheduled", at: at(hour), recordedAt: at(1), source, externalId: `${source}-1`, uid: null },
  ...{ isOff: false, isOurs: false },
  ...more,
});

/** In short: `+` is told, with the time that it is about; `-` taken off, `~` put back, `>` replaced by. */
function said(before: readonly ToldActivity[], reported: readonly OtherReport[], wanted: Wish): string[] {
  const { tell, hide, show, replace } = planFor(before, reported, wanted);
  return [
    ...tell.map(({ externalId, at: time, uid }) => `+${externalId} at ${time.getUTCHours()}${uid ? "" : " of others"}`),
    ...hide.map(({ externalId }) => `-${externalId}`),
    ...show.map(({ externalId }) => `~${externalId}`),
    ...replace.map(({ source, externalId, byExternalId }) => `${source} ${externalId}>${byExternalId}`),
  ];
}

const foreign = "cancelled:u@acme@2026-12-03T10:00:00.000Z";

test.each<[string, ToldActivity[], OtherReport[], Wish, string[]]>([
  ["new", [], [], wish(), ["+u@acme at 10"]],
  ["known", [told("u@acme", 10)], [], wish(), []],
  ["moved", [told("u@acme", 9)], [], wish(), ["+u@acme#1 at 10", "calendar u@acme>u@acme#1"]],
  [
    "moved again",
    [told("u@acme", 8), told("u@acme#1", 9)],
    [],
    wish(),
    ["+u@acme#2 at 10", "calendar u@acme#1>u@acme#2"],
  ],
  [
    "moved back",
    [told("u@acme", 10), told("u@acme#1", 9)],
    [],
    wish(),
    ["+u@acme#2 at 10", "calendar u@acme#1>u@acme#2"],
  ],
  [
    "moved for the eleventh time",
    Array.from({ length: 11 }, (_, n) => told(n ? `u@acme#${n}` : "u@acme", 9)),
    [],
    wish(),
    ["+u@acme#11 at 10", "calendar u@acme#10>u@acme#11"],
  ],
  ["called off", [told("u@acme", 10)], [], wish(off), ["+cancelled:u@acme at 10"]],
  ["called off before it was moved", [told("u@acme", 9)], [], wish(off), ["+cancelled:u@acme at 9"]],
  ["called off, and that is told", [told("u@acme", 10), cancelled("u@acme", 10)], [], wish(off), []],
  ["called off before it was told", [], [], wish(off), []],
  ["not ours any more", [told("u@acme", 10)], [], wish({ isOn: false }), ["+cancelled:u@acme at 10"]],
  ["on again", [told("u@acme", 10), cancelled("u@acme", 10)], [], wish(), ["+u@acme#1 at 10"]],
  ["over, and held", [told("u@acme", 10)], [], wish({ isHeld: true }), ["+held:u@acme at 10 of others"]],
  ["first seen when it is over", [], [], wish({ isHeld: true }), ["+u@acme at 10", "+held:u@acme at 10 of others"]],
  [
    "held, but declined afterwards",
    [told("u@acme", 10), held(10)],
    [],
    wish(off),
    ["+cancelled:u@acme at 10", "-held:u@acme"],
  ],
  [
    "not shared any more",
    [told("u@acme", 10), held(10), told("u@acme#1", 9, { hidden: true })],
    [],
    wish({ isKnown: false }),
    ["-u@acme", "-held:u@acme"],
  ],
  ["shared again", [told("u@acme", 10, { hidden: true })], [], wish(), ["~u@acme"]],
  ["private from the beginning", [], [], wish({ isKnown: false }), []],
  ["private and called off", [told("u@acme", 10, { hidden: true })], [], wish({ ...off, isKnown: false }), []],
])("a meeting that is %s", (_, before, reported, wanted, expected) => {
  expect(said(before, reported, wanted)).toEqual(expected);
});

test.each<[string, ToldActivity[], OtherReport[], Wish, string[]]>([
  ["booked it first", [], [by("cal_com", 10)], wish(), []],
  ["booked it within the minute", [], [by("cal_com", 10, { at: new Date(at(10).getTime() + 30_000) })], wish(), []],
  ["booked another one", [], [by("cal_com", 12)], wish(), ["+u@acme at 10"]],
  ["booked it later", [told("u@acme", 10)], [by("cal_com", 10)], wish(), ["-u@acme"]],
  ["booked it, and still does", [told("u@acme", 10, { hidden: true })], [by("cal_com", 10)], wish(), []],
  [
    "booked it, and called it off",
    [told("u@acme", 10, { hidden: true })],
    [by("cal_com", 10, { isOff: true })],
    wish(),
    ["~u@acme"],
  ],
  ["booked its new time", [told("u@acme", 9)], [by("cal_com", 10)], wish(), ["calendar u@acme>cal_com-1"]],
  [
    "booked it by its UID for the time before",
    [],
    [by("agent", 9, { uid: "u@acme" })],
    wish(),
    ["+u@acme at 10", "agent agent-1>u@acme"],
  ],
  [
    "booked it so without an id",
    [],
    [by("agent", 9, { uid: "u@acme", externalId: null })],
    wish(),
    ["+cancelled:u@acme@2026-12-03T09:00:00.000Z at 9 of others", "+u@acme at 10"],
  ],
  ["moved it just now", [told("u@acme", 10)], [by("cal_com", 9, { uid: "u@acme", recordedAt: at(6) })], wish(), []],
  [
    "booked another time of a repeated one",
    [],
    [by("agent", 9, { uid: "u@acme" })],
    wish({ repeats: true }),
    ["+u@acme at 10"],
  ],
  ["booked what is called off", [], [by("agent", 10)], wish(off), [`+${foreign} at 10 of others`]],
  [
    "booked what is called off, which is told",
    [cancelled("u@acme@2026-12-03T10:00:00.000Z", 10)],
    [by("agent", 10)],
    wish(off),
    [],
  ],
  [
    "booked what is on again",
    [cancelled("u@acme@2026-12-03T10:00:00.000Z", 10)],
    [by("agent", 10)],
    wish(),
    [`-${foreign}`],
  ],
  ["booked what our people declined", [], [by("cal_com", 10)], wish({ isOn: false }), []],
  [
    "called it off too",
    [told("u@acme", 10), cancelled("u@acme", 10)],
    [by("cal_com", 10, { type: "meeting_cancelled" })],
    wish(off),
    ["-cancelled:u@acme"],
  ],
  ["called it off first", [told("u@acme", 10)], [by("cal_com", 10, { type: "meeting_cancelled" })], wish(off), []],
  [
    "recorded it",
    [told("u@acme", 10)],
    [by("fathom", 10, { type: "meeting_held", at: at(10, 4) })],
    wish({ isHeld: true }),
    [],
  ],
  [
    "recorded it later",
    [told("u@acme", 10), held(10)],
    [by("fathom", 10, { type: "meeting_held", at: at(10, 59) })],
    wish({ isHeld: true }),
    ["-held:u@acme"],
  ],
  [
    "recorded another one",
    [told("u@acme", 10)],
    [by("fathom", 12, { type: "meeting_held" })],
    wish({ isHeld: true }),
    ["+held:u@acme at 10 of others"],
  ],
  [
    "is another calendar that names it differently",
    [told("u@acme", 10)],
    [by("calendar", 10, { isOurs: true })],
    wish(),
    ["-u@acme"],
  ],
  [
    "is another calendar, where it is still on",
    [told("u@acme", 10, { hidden: true })],
    [by("calendar", 10, { isOurs: true })],
    wish(off),
    [],
  ],
])("a meeting whose other reporter %s", (_, before, reported, wanted, expected) => {
  expect(said(before, reported, wanted)).toEqual(expected);
});
