import { toast } from "#components/ui/toaster.tsx";
import { csvOf, download } from "./csv.ts";
import type { Column, ListedRecord, ListKind, Query } from "./list-kind.ts";
import { problemOf } from "./problem.ts";

const PAGE = 1000;

type Exported<Row extends ListedRecord> = Pick<
  ListKind<Row, never, string>,
  "id" | "idLabel" | "one" | "many" | "list"
>;

/** Picked rows as a file: the shown columns, and the id that every operation takes. Whole lists are exported by the server. */
export function exportRows<Row extends ListedRecord>(
  kind: Pick<Exported<Row>, "id" | "idLabel">,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): void {
  const header = [...columns.map(({ label }) => label), kind.idLabel ?? "Entity id"];
  const lines = rows.map((row) => [...columns.map((column) => column.text(row)), row.id]);
  download(`${kind.id}-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(header, lines));
}

/** All rows of the request, however many pages there are. */
export async function exportAll<Row extends ListedRecord>(
  kind: Exported<Row>,
  columns: readonly Column<Row>[],
  workspaceId: string,
  query: Query,
): Promise<void> {
  const id = `export-${kind.id}`;
  const rows: Row[] = [];
  toast.message("Preparing the file…", { id, duration: 600_000 });
  try {
    let cursor: string | null = null;
    do {
      const page = await kind.list(workspaceId, { ...query, limit: PAGE, ...(cursor ? { cursor } : {}) });
      rows.push(...page.rows);
      cursor = page.next_cursor;
      if (cursor)
        toast.message(`Preparing the file: ${rows.length.toLocaleString("en")} so far…`, { id, duration: 600_000 });
    } while (cursor);
    exportRows(kind, columns, rows);
    toast.success(`${rows.length.toLocaleString("en")} ${rows.length === 1 ? kind.one : kind.many} exported.`, { id });
  } catch (error) {
    toast.error(`The export stopped. ${problemOf(error).message}`, { id });
  }
}
