/** Custom properties of a file: what they are called, and how the values of a column are read. */
import { reservedForCompanies, reservedForPeople } from "#lib/domain/crm/people/contract.ts";
import type { ImportKind } from "../contract.ts";
import { propertyName, type Reading } from "../words.ts";
import { booleanIn, currencyIn, dateIn, numberIn } from "./cells.ts";

const reserved: Readonly<Record<ImportKind, ReadonlySet<string>>> = {
  people: new Set([...reservedForPeople, "stage", "phone_number"]),
  companies: new Set(reservedForCompanies),
  notes: new Set(),
  activities: new Set(),
};

/** Whether a record of this kind cannot have a custom property of this name; an owner is set by it. */
export const isReserved = (kind: ImportKind, name: string): boolean => name !== "owner" && reserved[kind].has(name);

const PREFIX = "property.";
const LONGEST = 63;

/**
 * The name of the custom property that holds what a column says: after its header, with `_text` where that is a field's name, and a number
 * where another column has it. `taken` gets it.
 */
export function spareName(kind: ImportKind, header: string, column: number, taken: Set<string>): string {
  const plain = header.trim().toLowerCase().startsWith(PREFIX) ? header.trim().slice(PREFIX.length) : header;
  const own = propertyName(plain) ?? `column_${column}`;
  const base = reserved[kind].has(own) ? `${own.slice(0, LONGEST - 5)}_text` : own;
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base.slice(0, LONGEST - 4)}_${number}`;
  taken.add(name);
  return name;
}

/** How a column is read, what in words, and the currency that all of its amounts have. */
export type ColumnReading = { reading: Reading; why: string | null; currency: string | null };

const TEXT: ColumnReading = { reading: "text", why: null, currency: null };

/** So many of the values have to fit; the others stay text. */
const MOST_FIT = 0.95;

/** Numbers that no one adds up: they lose what they are as numbers. */
const CODE =
  /(id|ids|zip|zipcode|postalcode|postcode|plz|postleitzahl|codepostal|cap|code|phone|fax|telefon|number|nummer|vat|ustid|iban|siren|siret)$/;
const DATED =
  /date|datum|data$|fecha|renewal|deadline|birthday|anniversary|expir|since|until|created|updated|modified|contacted|_at$|\bat$|\bon$/i;

/**
 * How the values of a column are read as a custom property. `local`: the file is of a place where the day comes before the month, and
 * a comma before decimals, which decides where the values do not.
 */
export function readingOf(header: string, values: readonly string[], local: boolean): ColumnReading {
  if (values.length === 0) return TEXT;
  const most = (fits: (text: string) => boolean) => values.filter(fits).length / values.length >= MOST_FIT;
  if (most((text) => booleanIn(text) !== null)) return { ...TEXT, reading: "boolean", why: "Yes or no." };
  if (values.every((text) => /^\d{5}([.,]\d+)?$/.test(text)) && DATED.test(header) && serials(values))
    return { ...TEXT, reading: "date_serial", why: "Days as Excel counts them." };
  return dates(values, most, local) ?? numbers(header, values, most, local) ?? TEXT;
}

const serials = (values: readonly string[]): boolean =>
  values.every((text) => Number(text.replace(",", ".")) >= 20_000 && Number(text.replace(",", ".")) < 80_000);

type Most = (fits: (text: string) => boolean) => boolean;

function dates(values: readonly string[], most: Most, local: boolean): ColumnReading | null {
  const fits = (reading: Reading) => values.filter((text) => dateIn(text, reading) !== null).length;
  const [days, months] = [fits("date_day_first"), fits("date_month_first")];
  const reading = days > months || (days === months && local) ? "date_day_first" : "date_month_first";
  if (!most((text) => dateIn(text, reading) !== null)) return null;
  const isShort = values.some((text) => /^\d{1,2}[./-]\d{1,2}[./-]\d{2}/.test(text));
  if (!isShort) return { ...TEXT, reading: "date", why: "Dates." };
  if (days === months && values.every((text) => !/^\d{1,2}[/-]/.test(text)))
    return { ...TEXT, reading: "date_day_first", why: "Dates, the day first." };
  const order = reading === "date_day_first" ? "the day first" : "the month first";
  return { ...TEXT, reading, why: days === months ? `Dates, probably ${order}.` : `Dates, ${order}.` };
}

function numbers(header: string, values: readonly string[], most: Most, local: boolean): ColumnReading | null {
  if (CODE.test(header.toLowerCase().replaceAll(/[^a-z]/g, ""))) return null;
  if (values.some((text) => /^[+-]?0\d/.test(text) || /^\+\d/.test(text))) return null;
  const fits = (decimal: "point" | "comma") => values.filter((text) => numberIn(text, decimal) !== null).length;
  const [points, commas] = [fits("point"), fits("comma")];
  const decimal = commas > points || (commas === points && local) ? "comma" : "point";
  if (!most((text) => numberIn(text, decimal) !== null)) return null;
  const currencies = new Set(values.map(currencyIn));
  if (currencies.size > 1) return null; // as numbers they would look alike
  const [currency = null] = currencies;
  const isOpen = points === commas && values.some((text) => /[.,]/.test(text));
  const sign = decimal === "comma" ? "a comma before decimals" : "a point before decimals";
  const what = currency ? `Amounts in ${currency.toUpperCase()}` : "Numbers";
  const isPlain = values.every((text) => !/[.,]/.test(text));
  return {
    reading: decimal === "comma" && !isPlain ? "number_comma" : "number",
    why: isPlain ? `${what}.` : `${what}, ${isOpen ? "probably " : ""}${sign}.`,
    currency,
  };
}
