import { formatNoteDate, type NoteDate, parseNoteDate } from "#lib/domain/knowledge/notes/service.ts";
import { DAY_MS } from "#lib/text/time.ts";
import type { Reading } from "../words.ts";

/** A cell that was too long is its length. */
export type Cell = string | number;

/** What exports write into a cell that has no value. */
const PLACEHOLDER =
  /^(n\/a|n\.a\.|#n\/a|-+|—|–|null|\(null\)|none|undefined|unknown|not available|\.|\?|email_not_unlocked@.*)$/i;

/** A cell's value without what surrounds it; null when it has none. */
export function valueIn(cell: string | undefined): string | null {
  if (cell === undefined) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a database keeps no U+0000
  const plain = cell.replaceAll(/\u0000/g, "").trim();
  // Exports write an apostrophe before what a spreadsheet would take for a formula.
  const text = /^'[=+\-@＝＋－＠]/.test(plain) ? plain.slice(1) : plain;
  return text === "" || PLACEHOLDER.test(text) ? null : text;
}

/** The several values of one cell, such as `a@x.com; b@x.com`. */
export const valuesIn = (text: string): string[] =>
  text
    .split(/[,;|\s]+/)
    .map((part) => part.replace(/^<|>$/g, "").replace(/^mailto:/i, ""))
    .filter((part) => valueIn(part) !== null);

/** A whole number written as people write it: `1,200`, `1.200`, `51-200` (its lower end), `10k`; null when it is none. */
export function countIn(text: string): number | null {
  const [, digits = "", unit = ""] = /^(\d[\d.,'\s]*?)\s*(k)?\s*(?:\+|[-–].*)?$/i.exec(text.trim()) ?? [];
  if (digits === "") return null;
  const plain = /^\d{1,3}([.,'\s]\d{3})+$/.test(digits) ? digits.replaceAll(/[.,'\s]/g, "") : digits.replace(",", ".");
  const count = Math.round(Number(plain) * (unit === "" ? 1 : 1000));
  return Number.isSafeInteger(count) && count >= 0 && count < 2 ** 31 ? count : null;
}

const SHORT_DATE =
  /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?:[\s,T]+(\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?))?$/i;
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})[./](\d{1,2})(?=$|[\s,T])/;

/**
 * A day or moment as exports write it: what the date of a note may be (ISO 8601, `12 Mar 2024`, `Mar 12, 2024`), `2024/12/31`, and short
 * dates in the order that the column has. Without an order, those with slashes are read only where one of the two numbers
 * cannot be a month, and those with points have the day first. Null for anything else.
 */
export function dateIn(text: string, reading: Reading | null = null): NoteDate | null {
  if (reading === "date_serial") return dateOfSerial(text);
  const written = text.trim().replace(YEAR_FIRST, (_, year, month, day) => isoDay(year, month, day));
  const date = parseNoteDate(written.replace(/^(\d{1,2})-([a-z]{3,9})-(\d{4})/i, "$1 $2 $3"));
  if (date) return date;
  const [, a = "", mark = "", b = "", year = "", time] = SHORT_DATE.exec(written) ?? [];
  if (mark === "") return null;
  const order =
    reading === "date_day_first" || reading === "date_month_first"
      ? reading
      : mark === "." || Number(a) > 12
        ? "date_day_first"
        : Number(b) > 12 || a === b
          ? "date_month_first"
          : null;
  if (order === null) return null;
  const [day, month] = order === "date_day_first" ? [a, b] : [b, a];
  return parseNoteDate(isoDay(fullYear(year), month, day) + (time ? ` ${time}` : ""));
}

const isoDay = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;

const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 70 ? "20" : "19"}${year}`);

/** A day as Excel counts them: 1 is 1 January 1900, and 46023 the same day of 2026. */
function dateOfSerial(text: string): NoteDate | null {
  const serial = Number(text.trim().replace(",", "."));
  if (!(serial >= 1 && serial < 2_958_466)) return null;
  const time = new Date(Date.UTC(1899, 11, 30) + Math.round((serial * DAY_MS) / 1000) * 1000);
  return { time, dateOnly: Number.isInteger(serial) };
}

const CURRENCIES: Readonly<Record<string, string>> = {
  "€": "eur",
  $: "usd",
  us$: "usd",
  "£": "gbp",
  "¥": "jpy",
  "₹": "inr",
  zł: "pln",
};
const CURRENCY = /^(?:us\$|[€$£¥₹]|zł|eur|usd|gbp|chf|jpy|pln|sek|nok|dkk|czk|cad|aud|brl|inr)$/i;

/** An amount without the currency that is written before or after it. */
function amountIn(text: string): { amount: string; currency: string | null } {
  const [, before = "", amount = "", after = ""] =
    /^([^\d\s(.,+-]{0,3}?)\s*([(+-]?\s*[\d.,'’\s]*\d\)?)\s*(\D{0,3})$/u.exec(text.trim()) ?? [];
  const sign = before.trim() || after.trim();
  if (amount === "" || (before.trim() !== "" && after.trim() !== "")) return { amount: text.trim(), currency: null };
  if (sign === "") return { amount, currency: null };
  return CURRENCY.test(sign)
    ? { amount, currency: CURRENCIES[sign.toLowerCase()] ?? sign.toLowerCase() }
    : { amount: text.trim(), currency: null };
}

export const currencyIn = (text: string): string | null => amountIn(text).currency;

const PLAIN = { point: /^\d+(\.\d+)?$/, comma: /^\d+(,\d+)?$/ };
const GROUPED = {
  point: /^\d{1,3}(?:([,'’\s])\d{3})(?:\1\d{3})*(\.\d+)?$/,
  comma: /^\d{1,3}(?:([.'’\s])\d{3})(?:\1\d{3})*(,\d+)?$/,
};

/** A number as people write it, with its currency or without: `1,200.50`, `€ 1.200,50`, `(300)`; null when it is none. */
export function numberIn(text: string, decimal: "point" | "comma"): number | null {
  const { amount } = amountIn(text);
  const [, open = "", digits = ""] = /^([(+-]?)\s*(.*?)\)?$/.exec(amount) ?? [];
  if (open !== "(" && amount.endsWith(")")) return null;
  if (!PLAIN[decimal].test(digits) && !GROUPED[decimal].test(digits)) return null;
  const plain =
    decimal === "point" ? digits.replaceAll(/[,'’\s]/g, "") : digits.replaceAll(/[.'’\s]/g, "").replace(",", ".");
  const value = Number(plain) * (open === "-" || open === "(" ? -1 : 1);
  return Number.isFinite(value) && plain.replace(".", "").length <= 15 ? value : null;
}

const YES = new Set(["true", "yes", "y", "ja", "oui", "si", "sí", "sim", "tak", "wahr", "vrai", "verdadero"]);
const NO = new Set(["false", "no", "n", "nein", "non", "não", "nao", "nee", "nie", "falsch", "faux", "falso"]);

export function booleanIn(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : null;
}

/** The value of a cell of a custom property; what does not fit stays text. */
export function typedIn(text: string, reading: Reading | null): string | number | boolean {
  switch (reading) {
    case "number":
      return numberIn(text, "point") ?? text;
    case "number_comma":
      return numberIn(text, "comma") ?? text;
    case "boolean":
      return booleanIn(text) ?? text;
    case "date":
    case "date_day_first":
    case "date_month_first":
    case "date_serial": {
      const date = dateIn(text, reading);
      return date ? formatNoteDate(date) : text;
    }
    default:
      return text;
  }
}

/** First and last name from a whole one. `Smith, Anna` is turned round. */
export function namesIn(text: string): { first_name?: string; last_name?: string } {
  if (text.includes("@")) return {};
  const [last, first, more] = text.split(",").map((part) => part.trim());
  const ordered = first && last && more === undefined ? `${first} ${last}` : text;
  const [head = "", ...rest] = ordered.trim().split(/\s+/);
  return { ...(head ? { first_name: head } : {}), ...(rest.length > 0 ? { last_name: rest.join(" ") } : {}) };
}

/** A cell of a file for people: what a spreadsheet would take for a formula gets an apostrophe before it. */
export const safeCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
