"use client";

import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { type Import, useStep } from "./calls.ts";
import { Reasons } from "./reasons.tsx";
import { Rows } from "./rows.tsx";
import { plannedLooks, tookWords } from "./words.ts";
import { Working } from "./working.tsx";

/** What the import would do, row by row. */
export function Dryrun({ workspaceId, record }: { workspaceId: string; record: Import }) {
  const { check, format, state } = record;
  if (state === "checking" || check === null || check.finished_at === null)
    return (
      <Card aria-label="The check">
        <Working
          title="Checking what it would do"
          progress={check}
          rows={format?.rows ?? null}
          looks={plannedLooks}
          action={<StopCheck workspaceId={workspaceId} id={record.id} />}
        />
      </Card>
    );
  return (
    <Card aria-labelledby="import-check">
      <CardHeader
        titleId="import-check"
        title="What it would do"
        description={`Nothing is written yet. The check took ${tookWords(check)}.`}
      />
      <Reasons progress={check} />
      <Rows workspaceId={workspaceId} record={record} progress={check} looks={plannedLooks} />
    </Card>
  );
}

/** A check writes nothing, so that stopping one needs no question. */
function StopCheck({ workspaceId, id }: { workspaceId: string; id: string }) {
  const step = useStep({ workspaceId, id });
  const stop = () => step.mutate("cancel", { onError: toastProblem });
  return (
    <Button loading={step.isPending} onClick={stop}>
      Stop the check
    </Button>
  );
}
