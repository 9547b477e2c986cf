/** Names of months by what they begin with, without accents, in the languages of `forwarded.ts`. */
const MONTHS: readonly (readonly string[])[] = [
  ["jan", "gen", "ene", "янв", "sty", "oca"],
  ["feb", "fev", "фев", "lut", "sub"],
  ["mar", "mrt", "maa", "мар"],
  ["apr", "avr", "abr", "апр", "kwi", "nis"],
  ["may", "mai", "mag", "maj", "mei", "май", "мая"],
  ["jun", "juin", "giu", "июн", "cze", "haz"],
  ["jul", "juil", "lug", "июл", "lip", "tem"],
  ["aug", "aou", "ago", "авг", "sie", "agu"],
  ["sep", "set", "сен", "wrz", "eyl"],
  ["oct", "okt", "ott", "out", "окт", "paz", "eki"],
  ["nov", "ноя", "lis", "kas"],
  ["dec", "dez", "dic", "des", "дек", "gru", "ara"],
];

/** The longest first, so that `juin` is not taken for another `jui`. */
const STEMS = MONTHS.flatMap((stems, month) => stems.map((stem) => ({ stem, month }))).toSorted(
  (one, other) => other.stem.length - one.stem.length,
);

const ZONES: Readonly<Record<string, number>> = {
  ...{ utc: 0, gmt: 0, z: 0, cet: 60, mez: 60, cest: 120, mesz: 120, bst: 60, msk: 180, jst: 540 },
  ...{ est: -300, edt: -240, cst: -360, cdt: -300, mst: -420, mdt: -360, pst: -480, pdt: -420 },
};

/**
 * A date as a mail program writes it for people: `Montag, 1. Juni 2026 um 10:02`, `Jun 1, 2026 at 10:02 AM`, `2026年6月1日 10:02`.
 * UTC where it names no zone. Null when it cannot be told, as `01/06/2026`, which is two days.
 */
export function readDate(written: string): Date | null {
  const text = written.slice(0, 120).replaceAll(/[\u00a0\u202f]/g, " ");
  const day = dayIn(text);
  if (!day) return null;
  const time = timeIn(text);
  const date = new Date(Date.UTC(day.year, day.month, day.day, time.hours, time.minutes, time.seconds));
  const isDay = date.getUTCMonth() === day.month && date.getUTCDate() === day.day;
  return isDay ? new Date(date.getTime() - zoneIn(text) * 60_000) : null;
}

type Day = { year: number; month: number; day: number };

function dayIn(text: string): Day | null {
  const [, y, m, d] = /(\d{4})\s?[年./-]\s?(\d{1,2})\s?[月./-]\s?(\d{1,2})/.exec(text) ?? [];
  if (y) return { year: Number(y), month: Number(m) - 1, day: Number(d) };
  const [, first, dot, second, year] = /\b(\d{1,2})([./-])(\d{1,2})[./-](\d{4})\b/.exec(text) ?? [];
  if (first && second) {
    const [one, other] = [Number(first), Number(second)];
    if (dot !== "/" || one > 12 || one === other) return { year: Number(year), month: other - 1, day: one };
    return other > 12 ? { year: Number(year), month: one - 1, day: other } : null;
  }
  const said = /\b((?:19|20)\d{2})\b/.exec(text)?.[1];
  if (!said) return null;
  for (const [, number, word] of text.matchAll(/\b(\d{1,2})(?:st|nd|rd|th|er|[.º°])?,? (?:de |d['’])?(\p{L}{3,})/gu)) {
    const month = monthOf(word ?? "");
    if (month !== null) return { year: Number(said), month, day: Number(number) };
  }
  for (const [, word, number] of text.matchAll(/(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?!:)/gu)) {
    const month = monthOf(word ?? "");
    if (month !== null) return { year: Number(said), month, day: Number(number) };
  }
  return null;
}

function monthOf(word: string): number | null {
  // Without accents, but й stays й.
  const plain = word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/(?<![а-я])\p{M}/gu, "")
    .normalize("NFC");
  return STEMS.find(({ stem }) => plain.startsWith(stem))?.month ?? null;
}

function timeIn(text: string): { hours: number; minutes: number; seconds: number } {
  const [whole, h, m, s] = /(?<![\d.:/])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])/.exec(text) ?? [];
  if (!whole) return { hours: 0, minutes: 0, seconds: 0 };
  const hours = Number(h);
  const afternoon = /\d\s?p\.?\s?m\b/i.test(text) || /下午|午後|晚上/.test(text);
  const morning = /\d\s?a\.?\s?m\b/i.test(text) || /上午|午前|凌晨/.test(text);
  const shift = afternoon && hours < 12 ? 12 : morning && hours === 12 ? -12 : 0;
  return { hours: hours + shift, minutes: Number(m), seconds: Number(s ?? 0) };
}

/** Minutes before UTC. */
function zoneIn(text: string): number {
  const [, sign, hours, minutes] = /\d (?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})?(?!\d)/.exec(text) ?? [];
  if (sign) return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
  return ZONES[/\b([A-Z]{1,4})$/.exec(text.trim())?.[1]?.toLowerCase() ?? ""] ?? 0;
}
