"use client";

import type { ParserMap } from "nuqs";
import { type ReactNode, useMemo, useRef } from "react";
import { startExport } from "#components/exports/start-export.ts";
import { useListViews } from "#components/saved-views/use-list-views.ts";
import { Button } from "#components/ui/button.tsx";
import type { SavedView } from "#lib/domain/saved-views/contract.ts";
import { columnsOf } from "./columns.ts";
import { exportRows } from "./export.ts";
import { FilterChips } from "./filter-chips.tsx";
import type { ListKind } from "./list-kind.ts";
import { type EmptyList, ListRows, NoRows } from "./list-rows.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { LoadProblem } from "./load-problem.tsx";
import { countWords, useOnEnd } from "./pages-of-rows.ts";
import { filtersOf, isFiltered, queryOf, standardSort, withoutFilters } from "./place.ts";
import { RecordActions } from "./record-actions.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { usePlace } from "./use-place.ts";
import { type FirstPage, useRecords } from "./use-records.ts";
import { type StagedRecord, useRowActions } from "./use-row-actions.ts";
import { useSelection } from "./use-selection.ts";
import { useTotal } from "./use-total.ts";

export type RecordListProps<Row extends StagedRecord> = {
  kind: ListKind<Row>;
  address: ParserMap;
  workspaceId: string;
  first: FirstPage<Row> | null;
  views: readonly SavedView[];
  empty: EmptyList;
  /** More that can be done with picked rows; `clear` ends the selection. */
  more?: (picked: readonly Row[], clear: () => void) => ReactNode;
};

/** A list of people or companies: search, filters, sort, columns, selection, and rows without end. */
export function RecordList<Row extends StagedRecord>(props: RecordListProps<Row>) {
  const { kind, address, workspaceId, first, views, empty, more } = props;
  const [place, setPlace] = usePlace(address);
  const query = useMemo(() => queryOf(place), [place]);
  const saved = useListViews({ workspaceId, list: kind.id, address, place, setPlace, initial: views });
  const records = useRecords(kind, workspaceId, query, first);
  const { rows, apply, isFetchNextPageError } = records;
  const { setStage, archive, context } = useRowActions({ kind, workspaceId, place, apply });
  const total = useTotal(kind, workspaceId, query, rows.length, records.hasNextPage);
  const selection = useSelection(rows);
  const searchInput = useRef<HTMLInputElement>(null);
  const { all: columns, shown } = useMemo(() => columnsOf(kind.columns, rows, place), [kind, rows, place]);
  const onExport = () => void startExport(workspaceId, { what: kind.id, filters: filtersOf(query) });
  const [active, goTo] = useListKeys({
    group: kind.id === "people" ? "People" : "Companies",
    count: rows.length,
    search: searchInput,
    selection,
    onExport,
  });
  const onEnd = useOnEnd(records);
  const clear = () => setPlace(withoutFilters(place));
  const filtered = isFiltered(place);
  const picked = rows.filter(({ id }) => selection.has(id));
  const failed = records.error !== null && !isFetchNextPageError;
  const list = { filters: kind.filters, workspaceId, place, setPlace };

  if (records.isPending) return <ListSkeleton label={`Loading ${kind.many}`} />;
  return (
    <div className="flex flex-col gap-3">
      <ListToolbar
        {...list}
        columns={columns}
        shown={shown}
        views={{ list: kind.id, saved }}
        search={{ hint: kind.searchHint, input: searchInput, onLeave: () => goTo(0) }}
        count={failed ? "" : countWords(kind, total)}
        onExport={rows.length > 0 ? onExport : undefined}
      />
      <FilterChips {...list} onClear={clear} />
      {failed ? (
        <LoadProblem
          card
          title={rows.length > 0 ? "What you see may be out of date" : `The ${kind.many} could not be loaded`}
          query={records}
          action={filtered ? <Button onClick={clear}>Clear filters</Button> : null}
        />
      ) : null}
      {!failed && rows.length === 0 ? (
        <NoRows one={kind.one} filtered={filtered} onClear={clear} empty={empty} />
      ) : null}
      {rows.length > 0 ? (
        <ListRows
          kind={kind}
          rows={rows}
          columns={shown}
          context={context}
          selection={selection}
          sort={typeof place.sort === "string" ? place.sort : standardSort}
          onSort={(sort) => setPlace({ sort })}
          hasMore={records.hasNextPage && !isFetchNextPageError}
          onEnd={onEnd}
          dimmed={records.isPlaceholderData}
          active={active}
        />
      ) : null}
      {isFetchNextPageError ? (
        <LoadProblem
          card
          title="The rest of the list could not be loaded"
          query={{ error: records.error, isFetching: records.isFetchingNextPage, refetch: records.fetchNextPage }}
        />
      ) : null}
      {selection.size > 0 ? (
        <SelectionBar count={selection.size} onExport={() => exportRows(kind, shown, picked)} onClear={selection.clear}>
          <RecordActions
            archived={place.status === "archived"}
            onStage={kind.hasStages ? (stage) => setStage(picked, stage) : undefined}
            onArchive={() => {
              archive(picked);
              selection.clear();
            }}
          />
          {more?.(picked, selection.clear)}
        </SelectionBar>
      ) : null}
    </div>
  );
}
