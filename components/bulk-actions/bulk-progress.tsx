"use client";

import { Undo2, X } from "lucide-react";
import { useState } from "react";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { type BulkAction, useBulkCalls } from "./calls.ts";
import { canUndo, detailOf, isUnderWay, shareOf, titleOf } from "./words.ts";

type BulkProgressProps = { workspaceId: string; actions: readonly BulkAction[]; onDismiss: (id: string) => void };

/** Changes of many records: how far they are, and their results with undo. */
export function BulkProgress({ workspaceId, actions, onDismiss }: BulkProgressProps) {
  return (
    <section aria-label="Changes of many records" className="flex flex-col gap-2">
      {actions.map((action) => (
        <OneAction key={action.id} workspaceId={workspaceId} action={action} onDismiss={() => onDismiss(action.id)} />
      ))}
    </section>
  );
}

type OneActionProps = { workspaceId: string; action: BulkAction; onDismiss: () => void };

function OneAction({ workspaceId, action, onDismiss }: OneActionProps) {
  const { cancel, undo } = useBulkCalls(workspaceId);
  const [busy, setBusy] = useState(false);
  const underWay = isUnderWay(action);
  const title = titleOf(action);
  const detail = detailOf(action);

  async function ask(call: (action: BulkAction) => Promise<unknown>) {
    setBusy(true);
    try {
      await call(action);
    } catch (error) {
      toastProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card className="px-4 py-2.5">
      <div className="flex min-h-8 items-center gap-x-2">
        <p role="status" className="min-w-0 flex-1">
          <span className="font-medium">{title}</span>
          {detail && !underWay ? <span className="text-muted-foreground"> {detail}</span> : null}
        </p>
        {detail && underWay ? <span className="text-muted-foreground text-sm tabular-nums">{detail}</span> : null}
        {underWay && action.state !== "undoing" ? (
          <Button variant="ghost" disabled={busy} onClick={() => void ask(cancel)}>
            Stop
          </Button>
        ) : null}
        {canUndo(action) ? (
          <Button variant="ghost" disabled={busy} onClick={() => void ask(undo)}>
            <Undo2 aria-hidden="true" /> Undo
          </Button>
        ) : null}
        {underWay ? null : (
          <IconButton label="Dismiss" onClick={onDismiss}>
            <X aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {underWay ? <Progress value={shareOf(action)} label={title} className="mt-1.5 mb-1" /> : null}
    </Card>
  );
}
