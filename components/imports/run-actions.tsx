"use client";

import { Play, Undo2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { toastProblem } from "#components/records/toast-problem.ts";
import { AlertDialog } from "#components/ui/alert-dialog.tsx";
import { Button } from "#components/ui/button.tsx";
import { type Import, type Progress, useStep } from "./calls.ts";
import { pageOf, recordsWords, rowsWords } from "./words.ts";

type RunProps = { workspaceId: string; record: Import; run: Progress };

/** Stops an import that runs. */
export function StopButton({ workspaceId, record, run }: RunProps) {
  const [asking, setAsking] = useState(false);
  const step = useStep({ workspaceId, id: record.id });
  return (
    <>
      <Button onClick={() => setAsking(true)}>Stop…</Button>
      {asking ? (
        <AlertDialog
          open
          onOpenChange={setAsking}
          title="Stop this import?"
          description={`${rowsWords(run.rows_done)} ${run.rows_done === 1 ? "is" : "are"} done and ${run.rows_done === 1 ? "stays" : "stay"}. You can continue later, or undo them.`}
          confirmLabel="Stop import"
          cancelLabel="Let it run"
          onConfirm={async () => {
            await step.mutateAsync("cancel");
          }}
        />
      ) : null}
    </>
  );
}

/** What can be done after a run: see its records, go on, undo. */
export function RunActions({ workspaceId, record, run }: RunProps) {
  const [asking, setAsking] = useState(false);
  const step = useStep({ workspaceId, id: record.id });
  const { kind, state, file } = record;

  async function goOn() {
    try {
      await step.mutateAsync("run");
    } catch (error) {
      toastProblem(error);
    }
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      {run.created > 0 ? (
        <Button asChild variant={state === "done" ? "primary" : "secondary"}>
          <Link href={createdHref(workspaceId, record, run)} prefetch={false}>
            Show new {kind}
          </Link>
        </Button>
      ) : null}
      {state === "done" || !file.kept ? null : (
        <Button variant="primary" loading={step.isPending} onClick={() => void goOn()}>
          <Play aria-hidden="true" /> Go on
        </Button>
      )}
      <Button onClick={() => setAsking(true)}>
        <Undo2 aria-hidden="true" /> Undo…
      </Button>
      {asking ? (
        <AlertDialog
          open
          onOpenChange={setAsking}
          title="Undo this import?"
          description={undoWords(record, run)}
          confirmLabel="Undo import"
          onConfirm={async () => {
            await step.mutateAsync("undo");
          }}
        />
      ) : null}
    </div>
  );
}

function undoWords({ kind }: Import, { created, updated }: Progress): string {
  const effects = [
    ...(created > 0
      ? [
          `${recordsWords(kind, created)} it created ${created === 1 ? "disappears" : "disappear"}${kind === "people" ? ", with companies that were made for them" : ""}`,
        ]
      : []),
    ...(updated > 0 ? [`the values of ${recordsWords(kind, updated)} are again what they were before`] : []),
  ];
  const what = effects.join(", and ");
  const first = what === "" ? "There is nothing to undo." : `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
  return `${first} Records that someone has worked with since stay.`;
}

/** The list of what it created: by source and time, since lists do not know imports. */
function createdHref(workspaceId: string, { kind }: Import, { started_at }: Progress): string {
  if (kind === "notes" || kind === "activities") return `/${workspaceId}/${pageOf(kind)}`;
  return `/${workspaceId}/${kind}?${new URLSearchParams({ source: "csv_import", created_after: started_at, sort: "created_desc" })}`;
}
