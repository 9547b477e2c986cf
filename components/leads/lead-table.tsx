"use client";

import { useCallback, useEffect, useMemo } from "react";
import { curlOf } from "#components/curl.ts";
import { startExport } from "#components/exports/start-export.ts";
import { createLeads } from "#components/operations/leads.ts";
import { AppliedFilters } from "#components/records/applied-filters.tsx";
import { sortable } from "#components/records/columns.ts";
import { EmptyList } from "#components/records/empty-list.tsx";
import { exportRows } from "#components/records/export.ts";
import { ListSkeleton } from "#components/records/list-skeleton.tsx";
import { ListToolbar } from "#components/records/list-toolbar.tsx";
import { LoadedRows } from "#components/records/loaded-rows.tsx";
import { countWords } from "#components/records/pages-of-rows.ts";
import { isFiltered, queryOf, withoutFilters } from "#components/records/place.ts";
import { useColumns } from "#components/records/use-columns.ts";
import { useListKeys } from "#components/records/use-list-keys.ts";
import { usePlace } from "#components/records/use-place.ts";
import { type FirstPage, useRecords } from "#components/records/use-records.ts";
import { useSelection } from "#components/records/use-selection.ts";
import { useTotal } from "#components/records/use-total.ts";
import { Button } from "#components/ui/button.tsx";
import { AddLeadButton } from "./add-lead-button.tsx";
import { leadsAddress } from "./address.ts";
import type { LeadList, LeadRow } from "./calls.ts";
import { LeadSelection } from "./lead-selection.tsx";
import { leadsKind } from "./leads-kind.tsx";
import { useLeadChanges } from "./use-lead-changes.ts";

/** How many fields have a column unless the reader chose otherwise. */
const MOST_FIELDS = 4;

type LeadTableProps = { workspaceId: string; origin: string; list: LeadList; first: FirstPage<LeadRow> | null };

/** The leads of a list: filters, sort, columns of their fields, selection, and rows without end. */
export function LeadTable({ workspaceId, origin, list, first }: LeadTableProps) {
  const [place, setPlace] = usePlace(leadsAddress);
  const query = useMemo(() => ({ ...queryOf(place), list_id: list.id }), [place, list.id]);
  const { change, serve } = useLeadChanges();
  const kind = useMemo(() => leadsKind((lead, wanted) => change([lead], wanted)), [change]);
  const records = useRecords(kind, workspaceId, query, first);
  const { rows, apply } = records;
  useEffect(() => serve(apply), [serve, apply]);
  const total = useTotal(kind, workspaceId, query, rows.length, records.hasNextPage);
  const selection = useSelection(rows);
  const standard = useMemo(() => list.columns.slice(0, MOST_FIELDS), [list.columns]);
  const { all: columns, shown } = useColumns({ own: kind.columns, rows, place, standard });
  const context = useMemo(() => ({ workspaceId, onStage: () => {} }), [workspaceId]);
  const onExport = () => void startExport(workspaceId, { what: "leads", filters: query });
  const [active] = useListKeys({ group: "Leads", count: rows.length, selection, onExport });
  const onSort = useCallback((sort: string) => setPlace({ sort }), [setPlace]);
  const clear = () => setPlace(withoutFilters(place));
  const failed = records.error !== null && !records.isFetchNextPageError;
  const picked = rows.filter(({ id }) => selection.has(id));

  const toolbar = { filters: kind.filters, workspaceId, place, setPlace };

  if (records.isPending) return <ListSkeleton label="Loading leads" />;
  return (
    <div className="flex flex-col gap-3">
      <ListToolbar
        {...toolbar}
        columns={columns}
        shown={shown}
        sorts={sortable(columns, shown)}
        count={failed ? "" : countWords(kind, total)}
        onExport={rows.length > 0 ? onExport : undefined}
      />
      <AppliedFilters
        filters={kind.filters}
        workspaceId={workspaceId}
        place={place}
        setPlace={setPlace}
        onClear={clear}
      />
      <LoadedRows
        kind={kind}
        records={records}
        problemAction={isFiltered(place) ? <Button onClick={clear}>Clear filters</Button> : null}
        none={<NoLeads origin={origin} listId={list.id} filtered={isFiltered(place)} onClear={clear} />}
        table={{
          columns: shown,
          context,
          selection,
          sort: String(place.sort),
          onSort,
          active,
        }}
      />
      {selection.size > 0 ? (
        <LeadSelection
          workspaceId={workspaceId}
          list={list}
          picked={picked}
          onChange={(wanted) => change(picked, wanted)}
          onExport={() => exportRows(kind, shown, picked)}
          onClear={selection.clear}
        />
      ) : null}
    </div>
  );
}

type NoLeadsProps = { origin: string; listId: string; filtered: boolean; onClear: () => void };

const NoLeads = ({ origin, listId, filtered, onClear }: NoLeadsProps) => (
  <EmptyList
    one="lead"
    filtered={filtered}
    onClear={onClear}
    empty={{
      sentence: "This list is empty. Pick people under People and add them, or let an agent do it.",
      action: <AddLeadButton variant="secondary" />,
      example: {
        label: "What an agent sends",
        code: curlOf(origin, createLeads, { body: { list_id: listId, leads: [example] } }),
      },
    }}
  />
);

const example = { email: "anna@acme.com", name: "Anna Smith", fields: { title: "CFO" } };
