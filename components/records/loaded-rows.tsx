"use client";

import type { ReactNode } from "react";
import type { ListedRecord } from "./list-kind.ts";
import { ListRows } from "./list-rows.tsx";
import { LoadProblem } from "./load-problem.tsx";
import { useOnEnd } from "./pages-of-rows.ts";
import type { RowsProps } from "./record-table.tsx";
import type { Records } from "./use-records.ts";

type LoadedRowsProps<Row extends ListedRecord> = {
  kind: RowsProps<Row>["kind"];
  records: Omit<Records<Row>, "apply">;
  /** Beside the retry, when nothing could be loaded. */
  problemAction: ReactNode;
  /** For a list without rows. */
  none: ReactNode;
  table: Pick<RowsProps<Row>, "columns" | "context" | "selection" | "sort" | "onSort" | "active" | "arrangement">;
};

/** The rows, or why there are none. */
export function LoadedRows<Row extends ListedRecord>({ kind, records, ...rest }: LoadedRowsProps<Row>) {
  const { rows, error, isFetchNextPageError } = records;
  const failed = error !== null && !isFetchNextPageError;
  const onEnd = useOnEnd(records);
  return (
    <>
      {failed ? (
        <LoadProblem
          card
          title={rows.length > 0 ? "What you see may be out of date" : `The ${kind.many} could not be loaded`}
          query={records}
          action={rest.problemAction}
        />
      ) : null}
      {!failed && rows.length === 0 ? rest.none : null}
      {rows.length > 0 ? (
        <ListRows
          kind={kind}
          rows={rows}
          {...rest.table}
          hasMore={records.hasNextPage && !isFetchNextPageError}
          onEnd={onEnd}
          dimmed={records.isPlaceholderData}
        />
      ) : null}
      {isFetchNextPageError ? (
        <LoadProblem
          card
          title="The rest of the list could not be loaded"
          query={{ error, isFetching: records.isFetchingNextPage, refetch: records.fetchNextPage }}
        />
      ) : null}
    </>
  );
}
