import { csvOf, download } from "./csv.ts";
import type { Column, ListedRecord, ListKind } from "./list-kind.ts";

type ExportableKind<Row extends ListedRecord> = Pick<ListKind<Row, never, string>, "id" | "idLabel">;

/** Picked rows as a file: the shown columns, and the id that every operation takes. Whole lists are exported by the server. */
export function exportRows<Row extends ListedRecord>(
  kind: ExportableKind<Row>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): void {
  const header = [...columns.map(({ label }) => label), kind.idLabel ?? "Record id"];
  const lines = rows.map((row) => [...columns.map((column) => column.text(row)), row.id]);
  download(`${kind.id}-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(header, lines));
}
