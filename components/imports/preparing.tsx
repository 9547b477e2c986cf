"use client";

import { Info, TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ActionBar } from "./action-bar.tsx";
import type { Import, ImportKind } from "./calls.ts";
import { Columns } from "./columns.tsx";
import { Dryrun } from "./dry-run.tsx";
import { FileFacts } from "./file-facts.tsx";
import { Options } from "./options.tsx";
import { StageValues } from "./stage-values.tsx";
import { useImportChanges } from "./use-import-changes.ts";
import { useMapping } from "./use-mapping.ts";
import { kindLabels, kinds } from "./words.ts";

/** A file that is not imported yet: how it is read, what its columns are, and what it would do. */
export function Preparing({ workspaceId, record }: { workspaceId: string; record: Import }) {
  const { shown, patch, saving } = useImportChanges(workspaceId, record);
  const mapping = useMapping(shown, patch);
  const isChecking = shown.state === "checking";
  const isChecked = shown.check !== null && mapping.problem === null;
  const hasStages = mapping.columns.some(({ to }) => to === "stage") && shown.stages_seen.length > 0;
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (isChecking) setOpen(false);
  }, [isChecking]);
  // The choices keep their place, and so the focus, when one of them makes the check out of date.
  return (
    <>
      <FileFacts workspaceId={workspaceId} record={shown} disabled={isChecking || saving} />
      <Noticed record={shown} onKind={(kind) => patch({ kind }, { kind, state: "reading" })} />
      {isChecking || isChecked ? <Dryrun workspaceId={workspaceId} record={shown} /> : null}
      {isChecked && !isChecking ? (
        <Button variant="ghost" size="sm" className="self-start" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide" : "Change"} columns and options
        </Button>
      ) : null}
      {!isChecking && (open || !isChecked) ? (
        <>
          <Columns workspaceId={workspaceId} kind={shown.kind} mapping={mapping} />
          {hasStages ? <StageValues record={shown} patch={patch} /> : null}
          <Options workspaceId={workspaceId} record={shown} patch={patch} />
        </>
      ) : null}
      <ActionBar workspaceId={workspaceId} record={shown} problem={mapping.problem} saving={saving} />
    </>
  );
}

/** What was noticed in the file, and why a check ended early. */
function Noticed({ record: { warnings, problem }, onKind }: { record: Import; onKind: (kind: ImportKind) => void }) {
  if (warnings.length === 0 && problem === null) return null;
  return (
    <Card aria-label="Noticed" className="px-4 py-2.5">
      <ul className="flex flex-col gap-1">
        {problem === null ? null : (
          <li className="flex gap-2 text-danger-text">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span className="wrap-anywhere">{problem}</span>
          </li>
        )}
        {warnings.map(({ code, message }) => {
          const other = kinds.find((kind) => code === `looks_like_${kind}`);
          return (
            <li key={message} className="flex flex-wrap items-start gap-2">
              <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
              <span className="wrap-anywhere min-w-0 flex-1">{message}</span>
              {other ? (
                <Button size="sm" onClick={() => onKind(other)}>
                  Import {kindLabels[other].toLowerCase()}
                </Button>
              ) : null}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
