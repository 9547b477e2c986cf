"use client";

import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import Link from "next/link";
import { callOperation } from "#components/api.ts";
import { getAccount } from "#components/operations/contacts.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { type Progress as Counts, type Import, useStep } from "./calls.ts";
import { anyRecordsWords, figure, recordsWords, rowsWords } from "./words.ts";

type UndoneProps = { workspaceId: string; record: Import; run: Counts; undo: NonNullable<Import["undo"]> };

/** How far an undo is, and what it took back and left. */
export function Undone({ workspaceId, record: { id, kind, state }, run, undo }: UndoneProps) {
  const { removed, restored, kept, also, kept_ids, rows_done } = undo;
  if (state === "undoing")
    return (
      <Card aria-label="Undo" className="flex flex-col gap-3 px-4 py-4">
        <div>
          <h2 className="font-semibold">Undoing</h2>
          <p className="text-muted-foreground text-sm">
            {figure(rows_done)} of {rowsWords(run.rows_done)}. It continues when you leave this page.
          </p>
        </div>
        <Progress value={rows_done} max={Math.max(1, run.rows_done)} label="Undoing" />
      </Card>
    );
  if (undo.finished_at === null)
    return (
      <Card aria-labelledby="import-undone">
        <CardHeader
          titleId="import-undone"
          title="The undo stopped"
          description={`${figure(rows_done)} of ${rowsWords(run.rows_done)} ${run.rows_done === 1 ? "is" : "are"} taken back.`}
          actions={<UndoAgain workspaceId={workspaceId} id={id} />}
        />
      </Card>
    );
  return (
    <Card aria-labelledby="import-undone">
      <CardHeader
        titleId="import-undone"
        title="Undone"
        description={`${recordsWords(kind, removed)} removed, ${figure(restored)} as before${
          also > 0 ? `, ${anyRecordsWords(also)} that ${also === 1 ? "was" : "were"} made for them removed` : ""
        }${
          kept > 0 ? `, ${figure(kept)} kept because someone has worked with ${kept === 1 ? "it" : "them"} since` : ""
        }.`}
      />
      {kept_ids.length > 0 && kind !== "notes" && kind !== "activities" ? (
        <Kept workspaceId={workspaceId} ids={kept_ids} />
      ) : null}
    </Card>
  );
}

function UndoAgain({ workspaceId, id }: { workspaceId: string; id: string }) {
  const step = useStep({ workspaceId, id });
  return (
    <Button loading={step.isPending} onClick={() => step.mutate("undo", { onError: toastProblem })}>
      <Undo2 aria-hidden="true" /> Go on undoing
    </Button>
  );
}

const SHOWN = 10;

/** The records that stayed, by name. */
function Kept({ workspaceId, ids }: { workspaceId: string; ids: readonly string[] }) {
  const shown = ids.slice(0, SHOWN);
  const query = useQuery({
    queryKey: ["import-kept", workspaceId, shown],
    queryFn: ({ signal }) =>
      Promise.all(
        shown.map(async (id) => {
          const account = await callOperation(getAccount, workspaceId, { focus: id }, { signal });
          return { id, name: "name" in account ? account.name : null };
        }),
      ),
  });
  return (
    <div className="border-t px-4 py-3">
      <LoadProblem title="Their names could not be loaded" query={query} />
      <ul aria-label="Records that stayed" className="flex flex-wrap gap-x-4 gap-y-1">
        {query.data?.map(({ id, name }) => (
          <li key={id}>
            <Link
              href={`/${workspaceId}/accounts/${id}`}
              prefetch={false}
              className="text-primary-text hover:underline"
            >
              {name ?? "Unnamed"}
            </Link>
          </li>
        ))}
        {ids.length > shown.length ? (
          <li className="text-muted-foreground">and {figure(ids.length - shown.length)} more</li>
        ) : null}
      </ul>
    </div>
  );
}
