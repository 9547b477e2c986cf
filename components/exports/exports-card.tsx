"use client";

import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { Download, FileDown, Trash2, X } from "lucide-react";
import { useState } from "react";
import { ExactTime } from "#components/records/exact-time.tsx";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { ShowOlder } from "#components/records/show-older.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Select } from "#components/ui/select.tsx";
import { type Export, type ExportRequest, exportCallsOf, exportsKey, fileAddress } from "./calls.ts";
import { countOf, labelOf, sizeOf } from "./words.ts";

type ExportPage = { exports: Export[]; has_more: boolean; next_cursor: string | null };

const looks: Record<Export["state"], { label: string; tone: BadgeProps["tone"] }> = {
  queued: { label: "Waiting", tone: "neutral" },
  running: { label: "Being written", tone: "accent" },
  done: { label: "Ready", tone: "success" },
  failed: { label: "Failed", tone: "danger" },
  cancelled: { label: "Stopped", tone: "neutral" },
  expired: { label: "Removed", tone: "neutral" },
};

const LOOK_MS = 1_000;
const isUnderWay = ({ state }: Export) => state === "queued" || state === "running";

const lists = (["people", "companies", "notes", "activities", "leads"] as const).map((value) => ({
  value,
  label: labelOf(value),
}));
const formats = [
  { value: "csv", label: "CSV" },
  { value: "ndjson", label: "NDJSON" },
] as const;

/** The files made of lists: those under way, those to download, and what was before. */
export function ExportsCard({ workspaceId, initial }: { workspaceId: string; initial: ExportPage }) {
  const query = useInfiniteQuery({
    queryKey: exportsKey(workspaceId),
    queryFn: ({ pageParam, signal }) => exportCallsOf(workspaceId).list(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: ExportPage) => last.next_cursor,
    initialData: { pages: [initial], pageParams: [null] },
    refetchInterval: ({ state }) => (exportsIn(state.data).some(isUnderWay) ? LOOK_MS : false),
  });
  const rows = exportsIn(query.data);
  return (
    <Card aria-labelledby="exports">
      <CardHeader
        titleId="exports"
        title="Exports"
        description="Exported lists, including those that agents asked for. A file is kept for 7 days, and goes when a person is erased. CSV opens in a spreadsheet; NDJSON has a line of JSON for each row."
      />
      <NewExport workspaceId={workspaceId} />
      <LoadProblem
        title="The list could not be refreshed"
        query={query}
        note="What you see may be out of date."
        className="border-t"
      />
      {rows.length === 0 ? (
        <EmptyState icon={<FileDown />} className="border-t">
          Nothing exported yet. You can also export from each list, as it is filtered.
        </EmptyState>
      ) : (
        <ol aria-label="Exports" className="border-t">
          {rows.map((row) => (
            <ExportRow key={row.id} row={row} workspaceId={workspaceId} />
          ))}
        </ol>
      )}
      <ShowOlder query={query} />
    </Card>
  );
}

/** Whether it has less than the list without filters. */
const isFiltered = ({ filters }: Export): boolean =>
  Object.entries(filters).some(([name, value]) => name !== "sort" && !(name === "status" && value === "active"));

const exportsIn = (data: InfiniteData<ExportPage> | undefined): Export[] =>
  (data?.pages ?? []).flatMap((page) => page.exports);

function NewExport({ workspaceId }: { workspaceId: string }) {
  const queries = useQueryClient();
  const [what, setWhat] = useState<ExportRequest["what"]>("people");
  const [format, setFormat] = useState<Export["format"]>("csv");
  const create = useMutation({
    mutationFn: () => exportCallsOf(workspaceId).create({ what, format, filters: {} }),
    onSettled: () => queries.invalidateQueries({ queryKey: exportsKey(workspaceId) }),
    onError: toastProblem,
  });
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-4">
      <Select aria-label="List" size="sm" className="w-32" value={what} onValueChange={setWhat} options={lists} />
      <Select
        aria-label="Format"
        size="sm"
        className="w-24"
        value={format}
        onValueChange={setFormat}
        options={formats}
      />
      <Button size="sm" loading={create.isPending} onClick={() => create.mutate()}>
        Export all
      </Button>
    </div>
  );
}

function ExportRow({ row, workspaceId }: { row: Export; workspaceId: string }) {
  const queries = useQueryClient();
  const calls = exportCallsOf(workspaceId);
  const settle = { onSettled: () => queries.invalidateQueries({ queryKey: exportsKey(workspaceId) }) };
  const cancel = useMutation({ mutationFn: () => calls.cancel(row.id), ...settle });
  const remove = useMutation({ mutationFn: () => calls.remove(row.id), ...settle });
  const { label, tone } = looks[row.state];
  const name = `${labelOf(row.what)}, ${row.format.toUpperCase()}`;
  const onError = toastProblem;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-2.5 first:border-t-0">
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          <Badge tone={tone}>{label}</Badge>
          {isFiltered(row) ? <Badge tone="neutral">Filtered</Badge> : null}
        </div>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {row.state === "done" ? `${countOf(row.what, row.rows)}, ${sizeOf(row.bytes)}. ` : null}
          {isUnderWay(row) ? `${countOf(row.what, row.rows)} so far. ` : null}
          {row.message ? `${row.message} ` : null}
          Made <RelativeTime value={row.created_at} />
          {row.state === "done" && row.expires_at ? (
            <>
              , kept until <ExactTime value={row.expires_at} />
            </>
          ) : null}
          .
        </p>
      </div>
      <div className="flex items-center gap-1">
        {row.state === "done" ? (
          <Button size="sm" asChild>
            <a href={fileAddress(workspaceId, row.id)} download aria-label={`Download ${name}`}>
              <Download aria-hidden="true" /> <span className="max-sm:sr-only">Download</span>
            </a>
          </Button>
        ) : null}
        {isUnderWay(row) ? (
          <IconButton label={`Stop the export of ${name}`} onClick={() => cancel.mutate(undefined, { onError })}>
            <X aria-hidden="true" />
          </IconButton>
        ) : (
          <IconButton label={`Delete the export of ${name}`} onClick={() => remove.mutate(undefined, { onError })}>
            <Trash2 aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </li>
  );
}
