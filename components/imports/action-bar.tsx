"use client";

import { ListChecks, Upload } from "lucide-react";
import { useCommands } from "#components/frame/commands.ts";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { type Import, type Step, useStep } from "./calls.ts";
import { recordsWords, rowsWords } from "./words.ts";

type ActionBarProps = {
  workspaceId: string;
  record: Import;
  /** Why it cannot be imported as it is mapped. */
  problem: string | null;
  saving: boolean;
};

/** The next step, always in sight: check, then import. */
export function ActionBar({ workspaceId, record, problem, saving }: ActionBarProps) {
  const step = useStep({ workspaceId, id: record.id });
  const { check, state } = record;
  const isChecking = state === "checking";
  const due = check?.finished_at && problem === null ? check.created + check.updated : null;
  const isBlocked = problem !== null || saving || isChecking || step.isPending;

  async function take(wish: Step) {
    if (isBlocked) return;
    try {
      await step.mutateAsync(wish);
    } catch (error) {
      toastProblem(error);
    }
  }
  const onCheck = () => void take("check");
  const onRun = () => void take("run");
  useCommands([
    { id: "import-check", label: "Check what the import would do", group: "Import", icon: ListChecks, run: onCheck },
    ...(due ? [{ id: "import-run", label: "Import the file", group: "Import", icon: Upload, run: onRun }] : []),
  ]);

  return (
    <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t bg-background px-4 py-3 md:-mx-8 md:px-8">
      <p
        role="status"
        className={`min-w-0 flex-1 text-pretty text-sm ${problem ? "text-danger-text" : "text-muted-foreground"} max-md:basis-full`}
      >
        {problem ?? hintOf(record, due)}
      </p>
      {due === null ? (
        <Button
          variant="primary"
          loading={step.isPending || isChecking}
          disabled={problem !== null || saving}
          onClick={onCheck}
        >
          Check what it would do
        </Button>
      ) : (
        <>
          <Button disabled={isBlocked} onClick={onCheck}>
            Check again
          </Button>
          <Button variant="primary" loading={step.isPending} disabled={due === 0 || saving} onClick={onRun}>
            {due === 0 ? "Nothing to import" : `Import ${rowsWords(due)}`}
          </Button>
        </>
      )}
    </div>
  );
}

function hintOf({ kind, state, check, format }: Import, due: number | null): string {
  if (state === "checking") return "The check writes nothing. You can leave this page.";
  if (due === null || check === null)
    return `Next: a check of ${format?.rows === 1 ? "the row" : `all ${rowsWords(format?.rows ?? 0)}`}. It writes nothing.`;
  if (due === 0) return "Every row is unchanged or skipped.";
  return `${recordsWords(kind, check.created)} would be created, ${recordsWords(kind, check.updated)} updated. You can undo it.`;
}
