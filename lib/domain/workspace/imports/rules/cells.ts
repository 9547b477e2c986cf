import { type NoteDate, parseNoteDate } from "#lib/domain/knowledge/notes/service.ts";

/** What exports write into a cell that has no value. */
const PLACEHOLDER =
  /^(n\/a|n\.a\.|#n\/a|-+|—|–|null|\(null\)|none|undefined|unknown|not available|\.|\?|email_not_unlocked@.*)$/i;

/** A cell's value without what surrounds it; null when it has none. */
export function valueIn(cell: string | undefined): string | null {
  if (cell === undefined) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a database keeps no U+0000
  const text = cell.replaceAll(/\u0000/g, "").trim();
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

/**
 * A day or moment as exports write it: what the date of a note may be (ISO 8601, `12 Mar 2024`, `Mar 12, 2024`),
 * `31.12.2024`, and with slashes only where one of the two numbers cannot be a month. Null for anything else.
 */
export function dateIn(text: string): NoteDate | null {
  const known = parseNoteDate(text.replace(/^(\d{1,2})-([a-z]{3,9})-(\d{4})/i, "$1 $2 $3"));
  if (known) return known;
  const [, a = "", mark = "", b = "", year = ""] = /^(\d{1,2})([./])(\d{1,2})[./](\d{4})$/.exec(text.trim()) ?? [];
  if (mark === "." || (mark === "/" && Number(a) > 12)) return dayOf(year, b, a);
  return mark === "/" && (Number(b) > 12 || a === b) ? dayOf(year, a, b) : null;
}

const dayOf = (year: string, month: string, day: string): NoteDate | null =>
  parseNoteDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);

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
