import { numeral } from "#components/ui/numbers.ts";
import type { Export } from "./calls.ts";

const words: Readonly<Record<Export["what"], readonly [one: string, many: string]>> = {
  people: ["person", "people"],
  companies: ["company", "companies"],
  notes: ["note", "notes"],
  activities: ["activity", "activities"],
  leads: ["lead", "leads"],
};

/** "1 person", "1,204 people". */
export const countOf = (what: Export["what"], count: number): string =>
  `${numeral(count)} ${words[what][count === 1 ? 0 : 1]}`;

export const labelOf = (what: Export["what"]): string => {
  const [, many] = words[what];
  return many.charAt(0).toUpperCase() + many.slice(1);
};

const UNITS = ["bytes", "KB", "MB", "GB"];

/** A size as people read it: 812 bytes, 4.2 MB. */
export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
