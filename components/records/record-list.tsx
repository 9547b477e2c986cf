"use client";

import { Download, Users } from "lucide-react";
import type { ParserMap } from "nuqs";
import { type ReactNode, useCallback, useMemo, useRef } from "react";
import { useListViews } from "#components/saved-views/use-list-views.ts";
import { SaveViewButton, ViewsMenu } from "#components/saved-views/views-menu.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { SavedView } from "#lib/domain/saved-views/contract.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { columnsOf } from "./columns.ts";
import { exportAll, exportRows } from "./export.ts";
import { FilterChips } from "./filter-chips.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import type { CellContext, Filter, ListedRecord, ListKind } from "./list-kind.ts";
import { ListSearch } from "./list-search.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { LoadProblem } from "./load-problem.tsx";
import { isFiltered, queryOf, standardSort, withoutFilters } from "./place.ts";
import { RecordCards } from "./record-cards.tsx";
import { RecordTable, type RowsProps } from "./record-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { type Stage, stageLabels } from "./stages.ts";
import { useListKeys } from "./use-list-keys.ts";
import { useNarrow } from "./use-narrow.ts";
import { usePlace } from "./use-place.ts";
import { type FirstPage, useRecordChanges, useRecords } from "./use-records.ts";
import { useSelection } from "./use-selection.ts";

export type RecordListProps<Row extends ListedRecord> = {
  kind: ListKind<Row>;
  address: ParserMap;
  workspaceId: string;
  first: FirstPage<Row> | null;
  views: readonly SavedView[];
  /** What stands there before the first record. */
  empty: { sentence: string; action: ReactNode; example: { label: string; code: string } };
};

/** A list of people or companies: search, filters, sort, columns, selection, and rows without end. */
export function RecordList<Row extends ListedRecord & { pipeline_stage?: Stage; status: "active" | "archived" }>({
  kind,
  address,
  workspaceId,
  first,
  views,
  empty,
}: RecordListProps<Row>) {
  const [place, setPlace] = usePlace(address);
  const query = useMemo(() => queryOf(place), [place]);
  const saved = useListViews({ workspaceId, list: kind.id, address, place, setPlace, initial: views });
  const records = useRecords(kind, workspaceId, query, first);
  const { rows, hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError } = records;
  const changes = useRecordChanges(kind, workspaceId);
  const selection = useSelection(rows);
  const narrow = useNarrow();
  const searchInput = useRef<HTMLInputElement>(null);
  const { all: columns, shown } = useMemo(() => columnsOf(kind.columns, rows, place), [kind, rows, place]);
  const properties = columns.filter(({ id }) => id.startsWith("property.")).map(({ id }) => id.slice(9));
  const exportList = () => void exportAll(kind, shown, workspaceId, query);
  const [active, goTo] = useListKeys({
    group: kind.id === "people" ? "People" : "Companies",
    count: rows.length,
    search: searchInput,
    selection,
    onExport: exportList,
  });

  const onEnd = useCallback(() => {
    if (!isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const onSearch = useCallback((text: string) => setPlace({ search: text || null }, "replace"), [setPlace]);
  const clear = () => setPlace(withoutFilters(place));

  function onFilter(filter: Filter, value: string | number | boolean) {
    if (filter.kind !== "property") return setPlace({ [filter.id]: value });
    const before = Array.isArray(place.property) ? place.property : [];
    setPlace({ property: [...before.filter((item) => item !== value), String(value)] });
  }

  const setStage = (targets: readonly Row[], stage: Stage) =>
    void changes.apply(
      targets,
      { pipeline_stage: stage },
      (row) => ({ pipeline_stage: row.pipeline_stage ?? "identified" }),
      (done) => `${counted(kind, done)} moved to ${stageLabels[stage]}`,
    );

  function archive(targets: readonly Row[]) {
    const archived = place.status === "archived";
    void changes.apply(
      targets,
      { status: archived ? "active" : "archived" },
      () => ({ status: archived ? "archived" : "active" }),
      (done) => `${counted(kind, done)} ${archived ? "restored" : "archived"}`,
    );
    selection.clear();
  }

  const moveOne = useRef(setStage);
  moveOne.current = setStage;
  const context = useMemo<CellContext<Row>>(
    () => ({ workspaceId, onStage: (row, stage) => moveOne.current([row], stage) }),
    [workspaceId],
  );

  const picked = rows.filter(({ id }) => selection.has(id));
  const failed = records.error !== null && !isFetchNextPageError;
  const parts: RowsProps<Row> = {
    kind,
    rows,
    columns: shown,
    context,
    selection,
    sort: typeof place.sort === "string" ? place.sort : standardSort,
    onSort: (sort) => setPlace({ sort }),
    hasMore: hasNextPage && !isFetchNextPageError,
    onEnd,
    dimmed: records.isPlaceholderData,
    active,
  };

  if (records.isPending) return <ListSkeleton label={`Loading ${kind.many}`} />;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <ViewsMenu list={kind.id} saved={saved} />
        <ListSearch
          className="max-md:order-first"
          label={kind.searchHint}
          value={typeof place.search === "string" ? place.search : ""}
          onSearch={onSearch}
          input={searchInput}
          onLeave={() => goTo(0)}
        />
        <FilterMenu workspaceId={workspaceId} filters={kind.filters} properties={properties} onFilter={onFilter} />
        <span role="status" className="text-muted-foreground text-sm">
          {failed
            ? ""
            : `${rows.length.toLocaleString("en")}${hasNextPage ? "+" : ""} ${rows.length === 1 ? kind.one : kind.many}`}
        </span>
        <div className="ml-auto flex items-center gap-2">
          <SaveViewButton saved={saved} />
          <ColumnMenu
            columns={columns}
            shown={shown.map(({ id }) => id)}
            onShown={(ids) => setPlace({ cols: ids ? [...ids] : null }, "replace")}
          />
          <Button onClick={exportList} disabled={rows.length === 0} className="max-md:hidden">
            <Download aria-hidden="true" /> Export
          </Button>
        </div>
      </div>
      <FilterChips
        workspaceId={workspaceId}
        filters={kind.filters}
        place={place}
        setPlace={setPlace}
        properties={properties}
        onClear={clear}
      />
      {failed ? (
        <LoadProblem
          card
          title={rows.length > 0 ? "What you see may be out of date" : `The ${kind.many} could not be loaded`}
          query={records}
          action={isFiltered(place) ? <Button onClick={clear}>Clear filters</Button> : null}
        />
      ) : null}
      {!failed && rows.length === 0 ? (
        <Card>
          {isFiltered(place) ? (
            <EmptyState icon={<Users />} action={<Button onClick={clear}>Clear filters</Button>}>
              No {kind.one} matches this search.
            </EmptyState>
          ) : (
            <EmptyState icon={<Users />} action={empty.action} example={empty.example}>
              {empty.sentence}
            </EmptyState>
          )}
        </Card>
      ) : null}
      {rows.length > 0 ? (
        <>
          {narrow !== true ? (
            <div className="max-md:hidden">
              <RecordTable {...parts} />
            </div>
          ) : null}
          {narrow !== false ? (
            <div className="md:hidden">
              <RecordCards {...parts} />
            </div>
          ) : null}
        </>
      ) : null}
      {isFetchNextPageError ? (
        <LoadProblem
          card
          title="The rest of the list could not be loaded"
          query={{ error: records.error, isFetching: isFetchingNextPage, refetch: fetchNextPage }}
        />
      ) : null}
      {selection.size > 0 ? (
        <SelectionBar
          count={selection.size}
          archived={place.status === "archived"}
          onStage={kind.hasStages ? (stage) => setStage(picked, stage) : undefined}
          onArchive={() => archive(picked)}
          onExport={() => exportRows(kind, shown, picked)}
          onClear={selection.clear}
        />
      ) : null}
    </div>
  );
}

const counted = <Row extends ListedRecord>(kind: ListKind<Row>, rows: readonly Row[]): string =>
  rows.length === 1 && rows[0] ? kind.nameOf(rows[0]) : `${rows.length} ${kind.many}`;
