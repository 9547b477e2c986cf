import { expect, test } from "vitest";
import { columnsOf, sameColumns } from "./columns.ts";
import type { Column, ListedRecord } from "./list-kind.ts";

type Row = ListedRecord & { name: string; score: string };

const column = (id: "name" | "score", more: Partial<Column<Row>> = {}): Column<Row> => ({
  ...{ id, label: id, weight: 1, cell: (row) => row[id], text: (row) => row[id], ...more },
});
const own = [column("name"), column("score", { standard: true, onceKnown: true })];
const row = (score: string) => ({ id: score, name: "Anna", score, properties: {} }) as unknown as Row;

test.each<[string, Row[], string[] | null, string[]]>([
  ["no row has a value", [row("")], null, ["name"]],
  ["a row has one", [row(""), row("82")], null, ["name", "score"]],
  ["the reader chose it", [row("")], ["score"], ["name", "score"]],
])("a column that is shown once known, where %s", (_, rows, cols, ids) => {
  expect(columnsOf(own, rows, { cols }).shown.map(({ id }) => id)).toEqual(ids);
});

test("chosen columns come in the order and with the widths of the address; the first stays first", () => {
  const three = [column("name"), column("score", { standard: true }), { ...column("score"), id: "email" }];
  const rows = [{ ...row("1"), properties: { region: "DACH" } }];
  const place = { cols: ["property.region", "email", "gone", "name"], widths: ["email:33", "name:50"] };
  const { all, shown } = columnsOf(three, rows, place, { propertyNames: ["budget"] });
  expect(shown.map(({ id, weight }) => `${id} ${weight}`)).toEqual(["name 50", "property.region 12", "email 33"]);
  expect(all.map(({ id }) => id)).toEqual(["name", "property.region", "email", "score", "property.budget"]);
});

test("a custom property is shown as the reader writes it, and goes into a file as it is", () => {
  const rows = [{ ...row("1"), properties: { budget_eur: 15_000.5, renewal: "2026-06-03" } }];
  const known = columnsOf(own, rows, { cols: ["property.budget_eur", "property.renewal"] }).shown.slice(1);
  const line = rows[0] as Row;
  expect(known.map(({ align }) => align)).toEqual(["right", undefined]);
  expect(known.map(({ text }) => text(line))).toEqual(["15000.5", "2026-06-03"]);
  expect(JSON.stringify(known.map(({ cell }) => cell(line, {} as never)))).toMatch(/15,000\.5.*Jun 3, 2026/);
});

test("columns are the same objects after a change of a row that makes no others", () => {
  const before = columnsOf(own, [row("82")], { cols: null });
  expect(sameColumns(before, columnsOf(own, [row("83")], { cols: null }))).toBe(before);
  for (const next of [
    columnsOf(own, [row("")], { cols: null }),
    columnsOf(own, [row("82")], { cols: null, widths: ["score:40"] }),
    columnsOf(own, [{ ...row("82"), properties: { seats: 12 } }], { cols: null }),
  ]) {
    expect(sameColumns(before, next)).toBe(next);
  }
});
