import { DAY_MS } from "#lib/text/time.ts";
import { monthOf } from "./note-dates.ts";

/**
 * Days a question mentions: from the first moment of `from` up to `to`. UTC. `core`: the days meant by "early in March", for which the
 * whole month is a second guess.
 */
export type Span = { from: Date; to: Date; core?: { from: Date; to: Date } };

const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

/** Parts of a month in words, as days: the first, and the last from which the month is over when it is 0 or less. */
const PARTS: Readonly<Record<string, [first: number, last: number]>> = {
  early: [1, 11],
  beginning: [1, 11],
  start: [1, 11],
  "first days": [1, 8],
  "first week": [1, 9],
  "first half": [1, 16],
  mid: [9, 22],
  middle: [9, 22],
  "second half": [15, 1],
  late: [19, 2],
  end: [19, 4],
  "last days": [22, 3],
  "last week": [21, 3],
};
const PART = `(?:early|mid|late)|(?:the )?(?:beginning|start|first days|first week|first half|middle|second half|end|last days|last week)(?= of| in)`;
const PART_OF_MONTH = String.raw`\b(${PART})(?: of| in)?[ -]+(${MONTH})\b\.?(?:,? (?:of )?(\d{4})\b)?(?! \d{1,2}\b)`;

const QUARTERS: Readonly<Record<string, number>> = { first: 0, second: 1, third: 2, fourth: 3, last: 3 };
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

/** Why no library: docs/decisions/0060. */
type Reader = [pattern: RegExp, read: (match: RegExpExecArray, now: Date) => Span | null];

/** Applied in this order; text that one has read is hidden from the next. */
const readers: readonly Reader[] = [
  [/\b(\d{4})-(\d{2})-(\d{2})\b/g, ([, y, m, d]) => day(Number(y), Number(m) - 1, Number(d))],
  [/\b(\d{4})-(\d{2})\b/g, ([, y, m]) => month(Number(y), Number(m) - 1)],
  [
    new RegExp(String.raw`\b(${DAY}) (?:of )?(${MONTH})\b\.?,? ?(\d{4})?\b`, "g"),
    ([, d, m, y], now) => dayOf(d, m, y, now),
  ],
  [new RegExp(String.raw`\b(${MONTH})\.? (${DAY})\b(?:,? (\d{4})\b)?`, "g"), ([, m, d, y], now) => dayOf(d, m, y, now)],
  [new RegExp(PART_OF_MONTH, "g"), ([, part, m, y], now) => partOfMonth(part, m, y, now)],
  [
    new RegExp(
      String.raw`\b(?:between|from) (${MONTH}) (?:and|to|until|till|through) (${MONTH})\b(?: (?:of )?(\d{4})\b)?`,
      "g",
    ),
    ([, a = "", b = "", y], now) => monthsBetween(monthOf(a), monthOf(b), y, now),
  ],
  [new RegExp(String.raw`\b(${MONTH})\b\.?,? (?:of )?(\d{4})\b`, "g"), ([, m = "", y]) => month(Number(y), monthOf(m))],
  [
    new RegExp(String.raw`\b(${MONTH}) (?:of )?(last|this) year\b`, "g"),
    ([, m = "", which], now) => month(now.getUTCFullYear() - (which === "last" ? 1 : 0), monthOf(m)),
  ],
  [
    new RegExp(String.raw`\blast (${MONTH})\b`, "g"),
    ([, m = ""], now) => latestMonth(monthOf(m), now, { begun: false }),
  ],
  [
    new RegExp(
      String.raw`\b(?:(?:in|since|during|from|of|early|late|last|this|mid|until|by|for)[ -]+(${MONTH})|((?!may\b)(?!mar\b)(?:${MONTH})))\b`,
      "g",
    ),
    ([, a, b], now) => latestMonth(monthOf(a ?? b ?? ""), now),
  ],
  [
    /\bq([1-4])\b(?: (?:of )?(\d{4})\b)?/g,
    ([, q, y], now) => quarter(Number(q) - 1, y === undefined ? null : Number(y), now),
  ],
  [
    /\b(first|second|third|fourth|last) quarter(?: of (?:the year|(\d{4})))\b/g,
    ([, which = "", y], now) => quarter(QUARTERS[which] ?? 3, y === undefined ? null : Number(y), now),
  ],
  [
    /\b(?:(first|second) half of (?:the year|(20\d{2}))|h([12])(?: (20\d{2}))?)\b/g,
    ([, which, y, h, z], now) => half(which === "first" || h === "1" ? 0 : 1, y ?? z, now),
  ],
  [
    /\b(?:(last|this|in|during|over|since|of) (?:the )?)(spring|summer|autumn|fall|winter)\b(?: (?:of )?(20\d{2})\b)?/g,
    ([, which, name = "", y], now) => season(name, y, now, { begun: which !== "last" }),
  ],
  [/\b(20\d{2})\b/g, ([, y], now) => (Number(y) <= now.getUTCFullYear() + 1 ? months(Number(y), 0, 12) : null)],
  [/\b(?:the )?day before yesterday\b/g, (_, now) => days(now, -2, 1)],
  [/\byesterday\b/g, (_, now) => days(now, -1, 1)],
  [/\b(?:today|this morning|this afternoon)\b/g, (_, now) => days(now, 0, 1)],
  [/\btomorrow\b/g, (_, now) => days(now, 1, 1)],
  [/\b(?:last|past|previous) (\d{1,3}|[a-z]+) (day|week|month)s\b/g, ([, n, unit], now) => window(count(n), unit, now)],
  [/\b(\d{1,3}|an?|[a-z]+) (day|week|month|year)s? ago\b/g, ([, n, unit], now) => ago(count(n), unit, now)],
  [
    /\b(this|last|past|previous|next) (week|month|quarter|year)\b/g,
    ([, which, unit], now) => relative(which, unit, now),
  ],
  [
    new RegExp(String.raw`\b(?:on|last|this|since) (${WEEKDAYS.join("|")})\b`, "g"),
    ([, name = ""], now) => weekday(WEEKDAYS.indexOf(name), now),
  ],
];

/**
 * The days a question names: dates, months, seasons, quarters, years, and relative ones such as `last week`. A month or day without a
 * year is the latest one; `since` reaches until today.
 */
export function readSpans(question: string, now: Date): Span[] {
  let text = question.toLowerCase().replace(/\s+/g, " ");
  const spans: Span[] = [];
  for (const [pattern, read] of readers) {
    text = text.replace(pattern, (...match) => {
      const span = read(match as unknown as RegExpExecArray, now);
      if (!span) return match[0] as string;
      const offset = match.findLast((part) => typeof part === "number") as number;
      const since = /\bsince (?:the )?$/.test(text.slice(0, offset)) || (match[0] as string).startsWith("since ");
      spans.push(since && span.from < now ? { from: (span.core ?? span).from, to: days(now, 0, 1).to } : span);
      return " | ";
    });
  }
  return spans;
}

const day = (year: number, index: number, date: number): Span | null => {
  const from = new Date(Date.UTC(year, index, date));
  return from.getUTCMonth() === index && from.getUTCDate() === date
    ? { from, to: new Date(from.getTime() + DAY_MS) }
    : null;
};

const months = (year: number, first: number, many: number): Span => ({
  from: new Date(Date.UTC(year, first, 1)),
  to: new Date(Date.UTC(year, first + many, 1)),
});

const month = (year: number, index: number): Span | null => (index >= 0 && index < 12 ? months(year, index, 1) : null);

/** `begun`: whether the current month counts. */
const latestMonth = (index: number, now: Date, { begun } = { begun: true }): Span | null =>
  month(now.getUTCFullYear() - (index > now.getUTCMonth() || (!begun && index === now.getUTCMonth()) ? 1 : 0), index);

function partOfMonth(part = "", name = "", year: string | undefined, now: Date): Span | null {
  const index = monthOf(name);
  const whole = year === undefined ? latestMonth(index, now) : month(Number(year), index);
  const [first, last] = PARTS[part.replace(/^the /, "")] ?? [1, 1];
  if (!whole) return null;
  const [from, to] = [new Date(whole.from), new Date(last < 8 && first > last ? whole.to : whole.from)];
  from.setUTCDate(first);
  to.setUTCDate(last);
  return { ...whole, core: { from, to } };
}

/** From one month to another; when the second is the earlier of the two, over the turn of the year. */
function monthsBetween(first: number, last: number, year: string | undefined, now: Date): Span | null {
  if (first < 0 || last < 0) return null;
  const many = ((last - first + 12) % 12) + 1;
  const end = year === undefined ? now.getUTCFullYear() - (last > now.getUTCMonth() ? 1 : 0) : Number(year);
  return months(end, last - many + 1, many);
}

const half = (index: number, year: string | undefined, now: Date): Span =>
  months(
    year === undefined ? now.getUTCFullYear() - (index * 6 > now.getUTCMonth() ? 1 : 0) : Number(year),
    index * 6,
    6,
  );

/** Three months, in the northern half of the world. */
function season(name: string, year: string | undefined, now: Date, { begun }: { begun: boolean }): Span {
  const first = SEASONS[name] ?? 0;
  if (year !== undefined) return months(Number(year), first, 3);
  const recent = months(now.getUTCFullYear() - (first > now.getUTCMonth() ? 1 : 0), first, 3);
  return begun || recent.to <= now ? recent : months(recent.from.getUTCFullYear() - 1, first, 3);
}

function dayOf(date: string | undefined, name: string | undefined, year: string | undefined, now: Date): Span | null {
  const [index, number] = [monthOf(name ?? ""), Number.parseInt(date ?? "", 10)];
  if (year !== undefined) return day(Number(year), index, number);
  const recent = day(now.getUTCFullYear(), index, number);
  return recent && recent.from > now ? day(now.getUTCFullYear() - 1, index, number) : recent;
}

function quarter(index: number, year: number | null, now: Date): Span {
  const recent = now.getUTCFullYear() - (index * 3 > now.getUTCMonth() ? 1 : 0);
  return months(year ?? recent, index * 3, 3);
}

function days(now: Date, first: number, many: number): Span {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return { from: new Date(today + first * DAY_MS), to: new Date(today + (first + many) * DAY_MS) };
}

const count = (word: string | undefined): number =>
  word === "a" || word === "an"
    ? 1
    : /^\d/.test(word ?? "")
      ? Number(word)
      : word === "few" || word === "couple"
        ? 3
        : NUMBERS.indexOf(word ?? "");

const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

function window(many: number, unit: string | undefined, now: Date): Span | null {
  const length = many * (UNIT_DAYS[unit ?? ""] ?? 0);
  return length > 0 ? days(now, -length, length + 1) : null;
}

/** "Two months ago" is not exact: half the unit to each side, at least a day. */
function ago(many: number, unit: string | undefined, now: Date): Span | null {
  const size = UNIT_DAYS[unit ?? ""] ?? 0;
  if (many <= 0 || size === 0) return null;
  const half = Math.floor(size / 2);
  return days(now, -many * size - half, 2 * half + 1);
}

function relative(which: string | undefined, unit: string | undefined, now: Date): Span | null {
  const step = which === "this" ? 0 : which === "next" ? 1 : -1;
  const [year, index] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (unit === "week") return days(now, step * 7 - ((now.getUTCDay() + 6) % 7), 7);
  if (unit === "month") return months(year, index + step, 1);
  if (unit === "quarter") return months(year, (Math.floor(index / 3) + step) * 3, 3);
  return months(year + step, 0, 12);
}

function weekday(index: number, now: Date): Span {
  const back = (now.getUTCDay() - index + 7) % 7 || 7;
  return days(now, -back, 1);
}

/** The words of a question that say which part of a month is meant. */
export const datingWords = (question: string): ReadonlySet<string> =>
  new Set(
    [...question.toLowerCase().matchAll(new RegExp(PART_OF_MONTH, "g"))].flatMap(([, part = ""]) => part.split(" ")),
  );

/** How well a date fits the days that a question names, from 0 to 1: half for the rest of a month of which it means a part. */
export function fitOf(date: Date, spans: readonly Span[]): number {
  const within = ({ from, to }: { from: Date; to: Date }) => date >= from && date < to;
  return Math.max(0, ...spans.map((span) => (within(span.core ?? span) ? 1 : within(span) ? 0.5 : 0)));
}

/** True for a word that only says when: a month or a year. */
export const isDateWord = (form: string): boolean => /^20\d{2}$/.test(form) || monthOf(form) >= 0;
