"use client";

import type { ListedRecord } from "./list-kind.ts";
import { RecordCards } from "./record-cards.tsx";
import { RecordTable, type RowsProps } from "./record-table.tsx";
import { useNarrow } from "./use-narrow.ts";

/** The rows as a table or as cards. Until the width of the screen is known both are rendered, and CSS shows one. */
export function ListRows<Row extends ListedRecord>(props: RowsProps<Row>) {
  const narrow = useNarrow();
  return (
    <>
      {narrow !== true ? (
        <div className="@container max-list:hidden">
          <RecordTable {...props} />
        </div>
      ) : null}
      {narrow !== false ? (
        <div className={narrow === null ? "list:hidden" : undefined}>
          <RecordCards {...props} />
        </div>
      ) : null}
    </>
  );
}
