"use client";

import { Download } from "lucide-react";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { wordsOf } from "#components/records/names.ts";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { CardFooter } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { Segments } from "#components/ui/segments.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { type Import, type ImportRow, type Progress, type RowOutcome, resultAddress, useRows } from "./calls.ts";
import { figure, outcomes } from "./words.ts";

type Looks = Readonly<Record<RowOutcome, { label: string; tone: NonNullable<BadgeProps["tone"]> }>>;
type RowsProps = { workspaceId: string; record: Import; progress: Progress; looks: Looks };

const ALL = "all";

/** The result of each row, of all or of one outcome; the choice is in the address. */
export function Rows({ workspaceId, record, progress, looks }: RowsProps) {
  const asked = useSearchParams().get("outcome");
  const [wanted, setWanted] = useState(asked);
  const outcome = outcomes.find((each) => each === wanted) ?? null;
  const since = `${progress.started_at} ${progress.finished_at}`;
  const query = useRows({ workspaceId, id: record.id }, since, outcome);
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const counts = outcomes.map((value) => ({ value, label: looks[value].label, count: progress[value] }));
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t px-4 py-2.5">
        <Segments
          label="Rows shown"
          segments={[{ value: ALL, label: "All", count: progress.rows_done }, ...counts].map(
            ({ count, ...segment }) => ({
              value: segment.value,
              label: (
                <>
                  {segment.label} <span className="font-normal text-muted-foreground">{figure(count)}</span>
                </>
              ),
            }),
          )}
          value={outcome ?? ALL}
          onValue={(next) => {
            setWanted(next); // the address follows when the browser has time
            history.replaceState(null, "", next === ALL ? window.location.pathname : `?outcome=${next}`);
          }}
        />
        {record.file.kept ? (
          <Button asChild size="sm">
            <a href={resultAddress({ workspaceId, id: record.id })} download>
              <Download aria-hidden="true" /> Download as CSV
            </a>
          </Button>
        ) : (
          <p className="text-muted-foreground text-sm">The rows were removed, because a person in them was erased.</p>
        )}
      </div>
      <LoadProblem title="The rows could not be loaded" query={query} className="border-t" />
      {query.isPending ? <RowsSkeleton /> : null}
      {rows.length > 0 ? (
        <ol aria-label="Rows" className={cn("divide-y border-t", query.isPlaceholderData && "opacity-60")}>
          {rows.map((row) => (
            <Row
              key={row.row}
              workspaceId={workspaceId}
              row={row}
              looks={looks}
              linked={record.kind !== "notes" && record.kind !== "activities" && record.undo === null}
            />
          ))}
        </ol>
      ) : null}
      {query.data && rows.length === 0 ? (
        <p className="border-t px-4 py-3 text-muted-foreground">No row {outcome ? "has this result" : "is left"}.</p>
      ) : null}
      {query.hasNextPage ? (
        <CardFooter>
          <Button size="sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more rows
          </Button>
        </CardFooter>
      ) : null}
    </>
  );
}

type RowProps = { workspaceId: string; row: ImportRow; looks: Looks; linked: boolean };

function Row({ workspaceId, row: { row, outcome, entity_id, label, changes, reasons }, looks, linked }: RowProps) {
  const { label: word, tone } = looks[outcome];
  const name = label ?? "No name";
  const details = [
    ...(changes.length > 0 ? [changes.map((change) => wordsOf(change.replace(/^property\./, ""))).join(", ")] : []),
    ...reasons.map(({ message }) => message),
  ];
  return (
    <li className="flex items-start gap-3 px-4 py-2">
      <span className="w-16 shrink-0 text-muted-foreground text-sm leading-5 max-md:w-10">
        <span className="max-md:sr-only">Row </span>
        {figure(row)}
      </span>
      <div className="min-w-0 flex-1 md:grid md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:gap-4">
        <p className={cn("wrap-anywhere line-clamp-2", label === null && "text-muted-foreground")}>
          {entity_id && linked ? (
            <Link href={`/${workspaceId}/accounts/${entity_id}`} prefetch={false} className="hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <p className="wrap-anywhere text-muted-foreground text-sm leading-5">{details.join(" · ")}</p>
      </div>
      <span className="flex w-20 shrink-0 justify-end">
        <Badge tone={tone}>{word}</Badge>
      </span>
    </li>
  );
}

function RowsSkeleton() {
  return (
    <Loading label="Loading rows" className="divide-y border-t">
      {[1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="flex items-center gap-4 px-4 py-2.5">
          <Skeleton className="h-4 w-12" />
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </Loading>
  );
}
