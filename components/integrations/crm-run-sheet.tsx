"use client";

import { ExternalLink } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet, SheetContent } from "#components/ui/sheet.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";
import { type CrmRun, type CrmRunRow, type RowOutcome, useCrmRows } from "./crm-calls.ts";
import { outcomeWords, placeOf, rowWords, runTitle } from "./crm-words.ts";
import { PageButtons } from "./page-buttons.tsx";

type CrmRunSheetProps = { workspaceId: string; run: CrmRun; name: string; onClose: () => void };

const EVERYONE = "all";

/** The result of each person of a run. */
export function CrmRunSheet({ workspaceId, run, name, onClose }: CrmRunSheetProps) {
  const isDry = run.kind === "dry_run";
  const [outcome, setOutcome] = useState<RowOutcome | null>(run.failed > 0 ? "failed" : null);
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  const query = useCrmRows(workspaceId, run.id, outcome, cursors.at(-1) ?? null);
  const { data } = query;
  const options = [
    { value: EVERYONE, label: "Everyone" },
    ...Object.entries(outcomeWords).map(([value, words]) => ({ value, label: isDry ? words.would : words.done })),
  ];
  return (
    <Sheet open onOpenChange={(next) => (next ? undefined : onClose())}>
      <SheetContent title={`${runTitle(run)} with ${name}`} description={placeOf(run)}>
        <div className="border-b px-5 py-2">
          <Select
            size="sm"
            aria-label="Which people"
            options={options}
            value={outcome ?? EVERYONE}
            onValueChange={(value) => {
              setOutcome(value === EVERYONE ? null : (value as RowOutcome));
              setCursors([null]);
            }}
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">
          <LoadProblem title="The list could not be loaded" query={query} />
          {query.error ? null : data ? (
            data.rows.length === 0 ? (
              <p className="px-5 py-4 text-muted-foreground text-sm">No one.</p>
            ) : (
              <ol className="divide-y">
                {data.rows.map((row) => (
                  <Row key={row.contact_id} workspaceId={workspaceId} row={row} isDry={isDry} name={name} />
                ))}
              </ol>
            )
          ) : (
            <Loading label="Loading people">
              <div className="flex flex-col gap-3 px-5 py-3">
                {["a", "b", "c", "d"].map((row) => (
                  <Skeleton key={row} className="h-10" />
                ))}
              </div>
            </Loading>
          )}
        </div>
        {cursors.length > 1 || data?.has_more ? (
          <PageButtons
            onPrevious={cursors.length > 1 ? () => setCursors(cursors.slice(0, -1)) : null}
            onNext={
              data?.has_more && !query.isPlaceholderData
                ? () => setCursors([...cursors, data.next_cursor ?? null])
                : null
            }
          />
        ) : null}
      </SheetContent>
    </Sheet>
  );
}

type RowProps = { workspaceId: string; row: CrmRunRow; isDry: boolean; name: string };

function Row({ workspaceId, row, isDry, name }: RowProps) {
  const words = row.outcome && outcomeWords[row.outcome];
  const about = rowWords(row);
  return (
    <li className="flex flex-col gap-0.5 px-5 py-2">
      <div className="flex items-center gap-2">
        <Link
          href={`/${workspaceId}/accounts/${row.contact_id}`}
          className="min-w-0 truncate rounded-xs font-medium hover:underline"
        >
          {row.name}
        </Link>
        {words ? <Badge tone={words.tone}>{isDry ? words.would : words.done}</Badge> : <Badge>Waits</Badge>}
        {row.record_url ? (
          <a
            href={row.record_url}
            target="_blank"
            rel="noreferrer"
            aria-label={`${row.name} in ${name}`}
            className="ml-auto rounded-xs text-muted-foreground hover:text-foreground"
          >
            <ExternalLink aria-hidden="true" className="size-4" />
          </a>
        ) : null}
      </div>
      {row.email && row.email !== row.name ? (
        <span className="wrap-anywhere text-muted-foreground text-sm">{row.email}</span>
      ) : null}
      {about ? <span className="text-pretty text-muted-foreground text-sm">{about}</span> : null}
    </li>
  );
}
