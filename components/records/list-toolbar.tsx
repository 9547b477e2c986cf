"use client";

import { Download } from "lucide-react";
import { type ReactNode, type RefObject, useCallback } from "react";
import type { ListViews } from "#components/saved-views/use-list-views.ts";
import { SaveViewButton, ViewsMenu } from "#components/saved-views/views-menu.tsx";
import { Button } from "#components/ui/button.tsx";
import type { ViewSubject } from "#lib/domain/crm/saved-views/contract.ts";
import { ColumnMenu } from "./column-menu.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { changeOf } from "./filter-values.ts";
import type { Column, Filter, ListedRecord, Place } from "./list-kind.ts";
import { ListSearch } from "./list-search.tsx";
import { standardSort } from "./place.ts";
import { SortMenu } from "./sort-menu.tsx";
import type { SetPlace } from "./use-place.ts";

type ListToolbarProps<Row extends ListedRecord> = {
  filters: readonly Filter[];
  workspaceId: string;
  /** Left out: the list has no saved views. */
  views?: { list: ViewSubject; saved: ListViews };
  place: Place;
  setPlace: SetPlace;
  /** Null: columns are not chosen here. */
  columns: readonly Column<Row>[] | null;
  shown: readonly Column<Row>[];
  /** What the list can be sorted by, where it has no heads of columns to press. */
  sorts: readonly Column<Row>[];
  /** Left out: the choice is in the address only. */
  onShown?: (ids: readonly string[] | null) => void;
  /** The menu of columns is about to be opened. */
  onColumns?: () => void;
  /** Left out: the list has no search. `onLeave`: ArrowDown or Enter goes to the rows. */
  search?: { hint: string; input: RefObject<HTMLInputElement | null>; onLeave: () => void };
  /** Left out: the list is a table only. */
  layout?: ReactNode;
  /** How many rows there are, in words. */
  count: string;
  /** Undefined while there is nothing to export. */
  onExport: (() => void) | undefined;
};

/** The toolbar of a list: saved views, search, filters, count, columns and export. */
export function ListToolbar<Row extends ListedRecord>(props: ListToolbarProps<Row>) {
  const {
    filters,
    workspaceId,
    views,
    place,
    setPlace,
    columns,
    shown,
    sorts,
    onShown,
    onColumns,
    search,
    layout,
    count,
    onExport,
  } = props;
  const onSearch = useCallback((text: string) => setPlace({ search: text || null }, "replace"), [setPlace]);

  const onFilter = (filter: Filter, value: string | boolean) => setPlace(changeOf(filter, place, null, value));

  return (
    <div className="flex flex-wrap items-center gap-2">
      {views ? <ViewsMenu {...views} /> : null}
      {search ? (
        <ListSearch
          className="max-md:order-first"
          label={search.hint}
          value={typeof place.search === "string" ? place.search : ""}
          onSearch={onSearch}
          input={search.input}
          onLeave={search.onLeave}
        />
      ) : null}
      <FilterMenu workspaceId={workspaceId} filters={filters} place={place} onFilter={onFilter} />
      {filters.some(({ id }) => id === "owner") ? (
        <Button
          aria-pressed={place.owner === "me"}
          onClick={() => setPlace({ owner: place.owner === "me" ? null : "me" })}
          className="aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:text-primary-text"
        >
          Mine
        </Button>
      ) : null}
      <SortMenu
        columns={sorts}
        sort={typeof place.sort === "string" ? place.sort : standardSort}
        onSort={(sort) => setPlace({ sort })}
        className={columns ? "list:hidden" : undefined}
      />
      <span role="status" className="text-muted-foreground text-sm">
        {count}
      </span>
      <div className="ml-auto flex items-center gap-2">
        {layout}
        {views ? <SaveViewButton saved={views.saved} /> : null}
        {columns ? (
          <ColumnMenu
            columns={columns}
            shown={shown.map(({ id }) => id)}
            onShown={onShown ?? ((ids) => setPlace({ cols: ids ? [...ids] : null }, "replace"))}
            onNear={onColumns}
          />
        ) : null}
        <Button onClick={onExport} disabled={!onExport} className="max-list:hidden">
          <Download aria-hidden="true" /> Export
        </Button>
      </div>
    </div>
  );
}
