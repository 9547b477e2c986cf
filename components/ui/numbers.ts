import { localeOfReader } from "./reader.ts";

/** How numbers are written, as the reader writes them. */
const formats = {
  /** 1,234 */
  whole: { maximumFractionDigits: 0 },
  /** 1,234.5678 */
  exact: { maximumFractionDigits: 6 },
  /** 1.2K */
  short: { notation: "compact", maximumFractionDigits: 1 },
} as const satisfies Record<string, Intl.NumberFormatOptions>;

export type NumberFormat = keyof typeof formats;

const made = new Map<string, Intl.NumberFormat>();

export function numberAs(format: NumberFormat, value: number): string {
  const locale = localeOfReader();
  const key = `${format} ${locale}`;
  let writer = made.get(key);
  if (!writer) {
    writer = new Intl.NumberFormat(locale, formats[format]);
    made.set(key, writer);
  }
  return writer.format(value);
}

/** A whole number: 1,234. */
export const numeral = (value: number): string => numberAs("whole", value);

/** "1 person", "1,234 people": a number of things, `many` of which have an "s" unless they are named. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${numeral(count)} ${count === 1 ? one : many}`;

/** A year: a whole number of four digits in a property that is named after one. */
const isYear = (property: string, value: number): boolean =>
  Number.isInteger(value) && value >= 1000 && value <= 2999 && /(^|[^a-z])(year|founded)([^a-z]|$)/i.test(property);

/** The number in a property: 1,234.5678, but 2019 in `founded` and `fiscal_year`. */
export const propertyNumber = (property: string, value: number): string =>
  isYear(property, value) ? String(value) : numberAs("exact", value);

const lists = new Intl.ListFormat("en");

/** "one, two, and three" */
export const listed = (words: readonly string[]): string => lists.format(words);
