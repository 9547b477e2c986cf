/** Meetings of a calendar within a time: repeated ones each by itself, with what was moved, cancelled or left out. */
import ical, { type VEvent } from "node-ical";
import type { MailAddress } from "../mail/address.ts";
import { clean } from "../mail/message.ts";
import { normaliseEmail } from "../mailbox.ts";
import { withKnownZones } from "./zones.ts";

type GuestAnswer = "accepted" | "declined" | "tentative" | "none";

type Guest = MailAddress & { answer: GuestAnswer; kind: "person" | "group" | "room" };

export type Meeting = {
  uid: string;
  /** of a repeated meeting, when it was planned before it was moved; null for one that does not repeat */
  planned: Date | null;
  start: Date;
  end: Date;
  /** on whole days, in no time zone: `start` and `end` are midnight UTC of the days, `end` of the day after the last */
  allDay: boolean;
  title: string | null;
  description: string | null;
  location: string | null;
  status: "confirmed" | "tentative" | "cancelled";
  /** its owner does not share it: of such a meeting nothing is kept */
  isPrivate: boolean;
  organizer: MailAddress | null;
  guests: Guest[];
  /** how often it was changed, as its organizer counts */
  sequence: number;
};

/** Nothing of a calendar can be read. */
export class CalendarUnreadable extends Error {
  override name = "CalendarUnreadable";
}

/** More than this many times in a window, no one meets. */
const MOST_TIMES = 2_000;
const MOST_GUESTS = 1_000;
/** What repeats more often than daily is no meeting, and could be a million of them. */
const RARELY = /^(?:YEARLY|MONTHLY|WEEKLY|DAILY)$/;

/** Throws `CalendarUnreadable`, and nothing else. One event that cannot be read is left out, and counted. */
export function meetingsIn(ics: string, window: { from: Date; to: Date }): { meetings: Meeting[]; unreadable: number } {
  const events = eventsOf(ics);
  const meetings: Meeting[] = [];
  let unreadable = 0;
  for (const event of events) {
    try {
      meetings.push(...timesOf(event, window));
    } catch {
      unreadable++;
    }
  }
  return { meetings: meetings.toSorted((one, other) => one.start.getTime() - other.start.getTime()), unreadable };
}

function eventsOf(ics: string): VEvent[] {
  if (!/^BEGIN:VCALENDAR\b/im.test(ics)) throw new CalendarUnreadable("It is no calendar.");
  // Alarms, tasks and journals are not read, whatever is in them.
  try {
    const components = silently(() => ical.sync.parseICS(withKnownZones(ics)));
    return Object.values(components).filter((one): one is VEvent => one?.type === "VEVENT");
  } catch {
    throw new CalendarUnreadable("It is a calendar that cannot be read.");
  }
}

/** The parser writes what it does not understand to the log: pieces of private events. Nothing else runs meanwhile. */
function silently<T>(parse: () => T): T {
  // biome-ignore-start lint/suspicious/noConsole: it is switched off, not written to
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return parse();
  } finally {
    console.warn = warn;
  }
  // biome-ignore-end lint/suspicious/noConsole: it is switched off, not written to
}

function timesOf(event: VEvent, { from, to }: { from: Date; to: Date }): Meeting[] {
  const repeats = event.rrule !== undefined;
  if (repeats && !RARELY.test(/FREQ=([A-Z]+)/.exec(String(event.rrule))?.[1] ?? "")) return [];
  const times = ical.expandRecurringEvent(event, { from, to, expandOngoing: true });
  return times.slice(0, MOST_TIMES).map(({ start, end, isFullDay, isOverride, event: own }) => ({
    ...wordsOf(own as VEvent, event),
    planned: repeats ? atDay(isOverride ? ((own as VEvent).recurrenceid as Date) : start, isFullDay) : null,
    start: atDay(start, isFullDay),
    end: atDay(end, isFullDay),
    allDay: isFullDay,
  }));
}

/** Days have no time zone: the parser gives their midnight where this machine stands. */
const atDay = (date: Date, isDay: boolean): Date =>
  isDay ? new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())) : new Date(date.getTime());

/** What one time of an event says itself, else what the event says. */
function wordsOf(own: VEvent, event: VEvent) {
  const said = <K extends keyof VEvent>(key: K): VEvent[K] => own[key] ?? event[key];
  const status = (said("status") ?? "").toString().toUpperCase();
  return {
    uid: clean(event.uid).slice(0, 998),
    title: textOf(said("summary"), 998),
    description: textOf(said("description"), 20_000),
    location: textOf(said("location"), 998),
    status: status === "CANCELLED" ? "cancelled" : status === "TENTATIVE" ? "tentative" : "confirmed",
    isPrivate: /^(?:PRIVATE|CONFIDENTIAL)$/i.test(String(said("class") ?? "")),
    organizer: addressOf(said("organizer")),
    guests: guestsOf(said("attendee")),
    sequence: Number(said("sequence") ?? 0) || 0,
  } as const;
}

type Property = string | { val?: unknown; params?: Record<string, unknown> } | undefined;

/** Text, which may come with parameters, as its language. */
function textOf(property: unknown, most: number): string | null {
  const value = typeof property === "object" && property !== null ? (property as { val?: unknown }).val : property;
  const text = typeof value === "string" ? clean(value).trim().slice(0, most).toWellFormed() : "";
  return text === "" ? null : text;
}

function addressOf(property: Property): MailAddress | null {
  const value = typeof property === "object" ? property.val : property;
  const { EMAIL, CN } = typeof property === "object" ? (property.params ?? {}) : {};
  const written = [value, EMAIL].map((one) => String(one ?? "").replace(/^mailto:/i, ""));
  const address = written.map((one) => normaliseEmail(one)).find((one) => one !== null) ?? null;
  if (address === null) return null;
  const name = textOf(String(CN ?? "").replace(/^"(.*)"$/, "$1"), 300);
  return { address, name: name?.toLowerCase() === address ? null : name };
}

const ANSWERS: Readonly<Record<string, GuestAnswer>> = {
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "tentative",
};

function guestsOf(property: Property | Property[]): Guest[] {
  const found = new Map<string, Guest>();
  for (const one of [property].flat().slice(0, MOST_GUESTS)) {
    const address = addressOf(one);
    if (!address) continue;
    const { PARTSTAT, CUTYPE } = typeof one === "object" ? (one.params ?? {}) : {};
    const type = String(CUTYPE ?? "").toUpperCase();
    found.set(address.address, {
      ...address,
      answer: ANSWERS[String(PARTSTAT ?? "").toUpperCase()] ?? "none",
      kind: type === "GROUP" ? "group" : type === "ROOM" || type === "RESOURCE" ? "room" : "person",
    });
  }
  return [...found.values()];
}
