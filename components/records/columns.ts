import type { Column, ListedRecord, Place } from "./list-kind.ts";
import { wordsOf } from "./names.ts";

const PREFIX = "property.";

/**
 * The kind's own columns, and one for every custom property in the loaded rows or in the address. `standard`: properties
 * that are shown unless the reader chose otherwise.
 */
export function columnsOf<Row extends ListedRecord>(
  own: readonly Column<Row>[],
  rows: readonly Row[],
  place: Place,
  standard: readonly string[] = [],
): { all: readonly Column<Row>[]; shown: readonly Column<Row>[] } {
  const chosen = Array.isArray(place.cols) ? place.cols : null;
  const usual = new Set(standard);
  const names = new Set(rows.flatMap((row) => Object.keys(row.properties)));
  for (const id of chosen ?? []) if (id.startsWith(PREFIX)) names.add(id.slice(PREFIX.length));
  const others = [...names].filter((name) => !usual.has(name)).sort();
  const all = [
    ...own,
    ...standard.map((name) => ({ ...propertyColumn<Row>(name), standard: true })),
    ...others.map((name) => propertyColumn<Row>(name)),
  ];
  const isStandard = ({ standard, onceKnown, text }: Column<Row>) =>
    standard === true && (!onceKnown || rows.some((row) => text(row) !== ""));
  const isShown = (column: Column<Row>, index: number) =>
    index === 0 || (chosen ? chosen.includes(column.id) : isStandard(column));
  return { all, shown: all.filter(isShown) };
}

function propertyColumn<Row extends ListedRecord>(name: string): Column<Row> {
  const text = (row: Row) => propertyText(row.properties[name]);
  return { id: PREFIX + name, label: wordsOf(name), weight: 12, cell: (row) => text(row), text };
}

function propertyText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
