/**
 * An array as text that Postgres reads, for the elements that statements over many rows have. Null for an array with others,
 * which the driver writes: it takes five times as long.
 */
export function arrayText(values: readonly unknown[]): string | null {
  let text = "{";
  for (let place = 0; place < values.length; place++) {
    const element = elementText(values[place]);
    if (element === null) return null;
    text += place === 0 ? element : `,${element}`;
  }
  return `${text}}`;
}

const SPECIAL = /["\\]/;

/** Twice as fast as one expression for both: every value of JSON has such characters. */
function escaped(text: string): string {
  const whole = text.includes("\\") ? text.replaceAll("\\", "\\\\") : text;
  return whole.replaceAll('"', '\\"');
}

function elementText(value: unknown): string | null {
  if (value === null || value === undefined) return "NULL";
  switch (typeof value) {
    case "string":
      return SPECIAL.test(value) ? `"${escaped(value)}"` : `"${value}"`;
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    default:
      return value instanceof Date ? quoted(isoText(value)) : null;
  }
}

const quoted = (text: string | null): string | null => (text === null ? null : `"${text}"`);

/** The times of one write are mostly the same object. */
let last: { date: Date; time: number; text: string | null } | null = null;

/** A time as ISO 8601; null in years that Postgres writes in another way, and when it is no time. */
export function isoText(date: Date): string | null {
  const time = date.getTime();
  if (last?.date !== date || last.time !== time) {
    const text = Number.isNaN(time) ? "" : date.toISOString();
    last = { date, time, text: /^\d{4}-/.test(text) && !text.startsWith("0000") ? text : null };
  }
  return last.text;
}
