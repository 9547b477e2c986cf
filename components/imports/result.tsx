"use client";

import Link from "next/link";
import { Card, CardHeader } from "#components/ui/card.tsx";
import type { Import, Progress } from "./calls.ts";
import { Reasons } from "./reasons.tsx";
import { Rows } from "./rows.tsx";
import { RunActions, StopButton } from "./run-actions.tsx";
import { Undone } from "./undone.tsx";
import { figure, joined, outcomeLooks, recordsWords, rowsWords, tookWords } from "./words.ts";
import { Working } from "./working.tsx";

type ResultProps = { workspaceId: string; record: Import; run: Progress };

/** An import that runs or ran: how far it is, its result, and what was undone. */
export function Result({ workspaceId, record, run }: ResultProps) {
  const { state, format, undo, problem } = record;
  const rows = format?.rows ?? null;
  if (state === "running")
    return (
      <>
        <Card aria-label="The import">
          <Working
            title="Importing"
            progress={run}
            rows={rows}
            looks={outcomeLooks}
            action={<StopButton workspaceId={workspaceId} record={record} run={run} />}
          />
        </Card>
        <p className="text-muted-foreground text-sm">
          It continues when you leave this page, and after the server restarts. No row is imported twice.
        </p>
      </>
    );
  return (
    <>
      {undo ? <Undone workspaceId={workspaceId} record={record} run={run} undo={undo} /> : null}
      <Card aria-labelledby="import-result">
        <CardHeader
          className="max-md:flex-col max-md:items-start max-md:*:basis-auto"
          titleId="import-result"
          title={undo ? "What it had done" : state === "done" ? "Imported" : "Stopped"}
          description={summaryOf(record, run)}
          actions={undo ? null : <RunActions workspaceId={workspaceId} record={record} run={run} />}
        />
        {problem ? (
          <p role="alert" className="border-t px-4 py-3 text-danger-text">
            {problem}
          </p>
        ) : null}
        {record.backfill_id ? (
          <p className="border-t px-4 py-3 text-muted-foreground">
            Their past bookings are looked up; see{" "}
            <Link href={`/${workspaceId}/integrations`} className="text-primary-text underline underline-offset-4">
              Integrations
            </Link>
            .
          </p>
        ) : null}
        <Reasons progress={run} />
        <Rows workspaceId={workspaceId} record={record} progress={run} looks={outcomeLooks} />
      </Card>
    </>
  );
}

function summaryOf({ kind, state, format }: Import, run: Progress): string {
  const took = tookWords(run);
  const counts = joined([
    `${recordsWords(kind, run.created)} created`,
    ...(run.updated > 0 ? [`${figure(run.updated)} updated`] : []),
    ...(run.unchanged > 0 ? [`${figure(run.unchanged)} unchanged`] : []),
    ...(run.skipped > 0 ? [`${rowsWords(run.skipped)} skipped`] : []),
  ]);
  const isPart = (state === "cancelled" || state === "failed") && format?.rows !== null;
  const part = isPart ? `Stopped after ${figure(run.rows_done)} of ${rowsWords(format?.rows ?? 0)}: ` : "";
  return `${part}${counts}${took && !isPart ? ` in ${took}` : ""}.`;
}
