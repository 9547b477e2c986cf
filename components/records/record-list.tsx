"use client";

import { type ReactNode, useCallback, useMemo, useRef } from "react";
import { startExport } from "#components/exports/start-export.ts";
import { useListViews } from "#components/saved-views/use-list-views.ts";
import { Button } from "#components/ui/button.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import type { ParserMap } from "#components/ui/query-state.ts";
import type { SavedView } from "#lib/domain/crm/saved-views/contract.ts";
import { AppliedFilters } from "./applied-filters.tsx";
import { sortable } from "./columns.ts";
import { EmptyList } from "./empty-list.tsx";
import { exportRows } from "./export.ts";
import { LayoutSwitch } from "./layout-switch.tsx";
import type { ListKind, Query } from "./list-kind.ts";
import type { PickedRows, ListSelection as Selected } from "./list-selection.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { LoadedRows } from "./loaded-rows.tsx";
import type { NoRowsProps } from "./no-rows.tsx";
import { countWords } from "./pages-of-rows.ts";
import { isFiltered, queryOf, standardSort, withoutFilters } from "./place.ts";
import { useArrangement } from "./use-arrangement.ts";
import { useColumns } from "./use-columns.ts";
import { useListKeys } from "./use-list-keys.ts";
import { usePlace } from "./use-place.ts";
import { useKnownProperties } from "./use-properties.ts";
import { type FirstPage, useRecords } from "./use-records.ts";
import { type StagedRecord, useRowActions } from "./use-row-actions.ts";
import { useSelection } from "./use-selection.ts";
import { useTotal } from "./use-total.ts";

const BulkDock = onDemand(null, () =>
  import("#components/bulk-actions/bulk-dock.tsx").then((module) => module.BulkDock),
);
const ListSelection = onDemand("The actions on what is picked", () =>
  import("./list-selection.tsx").then((module) => module.ListSelection),
) as typeof Selected;

export type RecordListProps<Row extends StagedRecord> = {
  kind: ListKind<Row>;
  address: ParserMap;
  workspaceId: string;
  first: FirstPage<Row> | null;
  views: readonly SavedView[];
  empty: NoRowsProps["empty"];
  /** Shown in place of the table when the address says so. */
  board?: (shown: ListView) => ReactNode;
  /** More that can be done with what is picked. */
  more?: (chosen: PickedRows<Row>) => ReactNode;
};

/** What a list shows: its request and its order. `empty`: for a list without rows. */
export type ListView = { query: Query; sort: string; empty: ReactNode };

/** A list of people or companies: search, filters, sort, columns, selection, and rows without end. */
export function RecordList<Row extends StagedRecord>(props: RecordListProps<Row>) {
  const { kind, address, workspaceId, first, views, board, more } = props;
  const [place, setPlace] = usePlace(address);
  const query = useMemo(() => queryOf(place), [place]);
  const saved = useListViews({ workspaceId, list: kind.id, address, place, setPlace, initial: views });
  const onBoard = board !== undefined && place.layout === "board";
  const records = useRecords(kind, workspaceId, query, first, !onBoard);
  const { rows } = records;
  const { setStage, setOwner, archive, context } = useRowActions({ kind, workspaceId, place, apply: records.apply });
  const total = useTotal(kind, workspaceId, query, rows.length, records.hasNextPage);
  const selection = useSelection(rows, query);
  const searchInput = useRef<HTMLInputElement>(null);
  const arrangement = useArrangement(kind.id, workspaceId, place, setPlace);
  const [known, askKnown] = useKnownProperties(workspaceId, kind.id === "people" ? "person" : "company");
  const { all: columns, shown } = useColumns({ own: kind.columns, rows, place, propertyNames: known });
  const onExport = () => void startExport(workspaceId, { what: kind.id, filters: query });
  const [active, goTo] = useListKeys({
    group: kind.id === "people" ? "People" : "Companies",
    count: onBoard ? 0 : rows.length,
    search: searchInput,
    selection,
    onExport,
  });
  const clear = () => setPlace(withoutFilters(place));
  const onSort = useCallback((next: string) => setPlace({ sort: next }), [setPlace]);
  const failed = records.error !== null && !records.isFetchNextPageError;
  const list = { filters: kind.filters, workspaceId, place, setPlace };
  const sort = typeof place.sort === "string" ? place.sort : standardSort;
  const none = <EmptyList one={kind.one} filtered={isFiltered(place)} onClear={clear} empty={props.empty} />;
  const onLayout = (wanted: boolean) => setPlace({ layout: wanted ? "board" : null });

  if (records.isPending && !onBoard) return <ListSkeleton label={`Loading ${kind.many}`} />;
  return (
    <div className="flex flex-col gap-3">
      <ListToolbar
        {...list}
        columns={onBoard ? null : columns}
        shown={shown}
        sorts={sortable(columns, shown)}
        onShown={arrangement.onShown}
        onColumns={askKnown}
        views={{ list: kind.id, saved }}
        search={{ hint: kind.searchHint, input: searchInput, onLeave: () => goTo(0) }}
        count={failed || onBoard ? "" : countWords(kind, total)}
        onExport={rows.length > 0 || onBoard ? onExport : undefined}
        layout={board ? <LayoutSwitch board={onBoard} onBoard={onLayout} /> : null}
      />
      <BulkDock workspaceId={workspaceId} what={kind.id} />
      <AppliedFilters {...list} onClear={clear} />
      {onBoard ? (
        board({ query, sort, empty: none })
      ) : (
        <LoadedRows
          kind={kind}
          records={records}
          problemAction={isFiltered(place) ? <Button onClick={clear}>Clear filters</Button> : null}
          none={none}
          table={{
            columns: shown,
            context,
            selection,
            sort,
            onSort,
            active,
            arrangement,
          }}
        />
      )}
      {selection.size > 0 && !onBoard ? (
        <ListSelection
          kind={kind}
          workspaceId={workspaceId}
          place={place}
          selection={selection}
          rows={rows}
          hasMore={records.hasNextPage}
          count={countWords(kind, total)}
          filters={query}
          setStage={setStage}
          setOwner={setOwner}
          archive={archive}
          onExport={(picked) => (picked ? exportRows(kind, shown, picked) : onExport())}
          more={more}
        />
      ) : null}
    </div>
  );
}
