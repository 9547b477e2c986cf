import { propertyNumber } from "#components/ui/numbers.ts";
import { dayAs, isDay } from "#components/ui/times.ts";
import { widthsIn } from "./column-widths.ts";
import type { Column, ListedRecord, Place } from "./list-kind.ts";
import { wordsOf } from "./names.ts";
import { text } from "./shared-columns.tsx";

const PREFIX = "property.";

type More = {
  /** properties that are shown unless the reader chose otherwise */
  standard?: readonly string[];
  /** properties that the workspace has, whether or not a loaded row has a value */
  propertyNames?: readonly string[];
};

export type Columns<Row> = { all: readonly Column<Row>[]; shown: readonly Column<Row>[] };

/**
 * The kind's own columns, and one for every custom property in the loaded rows, in the address or known otherwise. The first
 * is always first; those chosen come in the order and with the widths that the address has.
 */
export function columnsOf<Row extends ListedRecord>(
  own: readonly Column<Row>[],
  rows: readonly Row[],
  place: Place,
  { standard = [], propertyNames: known = [] }: More = {},
): Columns<Row> {
  const chosen = Array.isArray(place.cols) ? place.cols : null;
  const usual = new Set(standard);
  const names = new Set([...known, ...rows.flatMap((row) => Object.keys(row.properties))]);
  for (const id of chosen ?? []) if (id.startsWith(PREFIX)) names.add(id.slice(PREFIX.length));
  const others = [...names].filter((name) => !usual.has(name)).sort();
  const widths = widthsIn(place.widths);
  const all = [
    ...own,
    ...standard.map((name) => ({ ...propertyColumn(name, rows), standard: true })),
    ...others.map((name) => propertyColumn(name, rows)),
  ].map((column) => ({ ...column, weight: widths.get(column.id) ?? column.weight }));
  const isStandard = ({ standard, onceKnown, text }: Column<Row>) =>
    standard === true && (!onceKnown || rows.some((row) => text(row) !== ""));
  const [first, ...rest] = all;
  if (!first) return { all, shown: [] };
  const byId = new Map(rest.map((column) => [column.id, column]));
  const shown = chosen ? chosen.flatMap((id) => byId.get(id) ?? []) : rest.filter(isStandard);
  const hidden = rest.filter((column) => !shown.includes(column));
  return { all: [first, ...shown, ...hidden], shown: [first, ...shown] };
}

/**
 * The columns from before where the next ones are no others: a changed row makes new ones, and with others every row in view would be
 * drawn again. For the same list: what a column's cell shows follows from its id.
 */
export function sameColumns<Row>(before: Columns<Row> | null, next: Columns<Row>): Columns<Row> {
  const look = (columns: readonly Column<Row>[]) =>
    columns.map(({ id, weight, align }) => [id, weight, align].join(" "));
  const looks = ({ all, shown }: Columns<Row>) => [...look(all), "", ...look(shown)].join("\n");
  return before && looks(before) === looks(next) ? before : next;
}

/** The columns a list can be sorted by; a value that no one has yet is none. */
export const sortable = <Row>(all: readonly Column<Row>[], shown: readonly Column<Row>[]): readonly Column<Row>[] =>
  all.filter((column) => column.sort && (!column.onceKnown || shown.includes(column)));

function propertyColumn<Row extends ListedRecord>(name: string, rows: readonly Row[]): Column<Row> {
  const valueIn = (row: Row) => row.properties[name];
  return {
    id: PREFIX + name,
    label: wordsOf(name),
    weight: 12,
    ...(rows.some((row) => typeof valueIn(row) === "number") ? { align: "right" } : {}),
    cell: (row) => text(shownText(name, valueIn(row))),
    text: (row) => propertyText(valueIn(row)),
  };
}

/** As the reader writes it; a file has the value as it is. */
function shownText(name: string, value: unknown): string {
  if (typeof value === "number") return propertyNumber(name, value);
  return typeof value === "string" && isDay(value) ? dayAs("day", value) : propertyText(value);
}

function propertyText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
