"use client";

import { useState } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { LocalTimes } from "#components/ui/local-times.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { type CrmSync, useCancelRun, useSyncNow } from "./crm-calls.ts";
import { countsOf, isUnderWay, placeOf, rulesWords, runTitle } from "./crm-words.ts";

const CrmRulesDialog = onDemand("The rules", () =>
  import("./crm-rules-dialog.tsx").then((module) => module.CrmRulesDialog),
);
const CrmRunSheet = onDemand("The people", () => import("./crm-run-sheet.tsx").then((module) => module.CrmRunSheet));

type CrmPanelProps = {
  workspaceId: string;
  canManage: boolean;
  crm: CrmSync;
  /** What the card shows already. */
  problem: string | undefined;
};

/** What is pushed to a CRM, and how the latest run went: rules, dry run, sync, progress, result by person. */
export function CrmPanel({ workspaceId, canManage, crm, problem: said }: CrmPanelProps) {
  const [opened, setOpened] = useState<"rules" | "people" | null>(null);
  const start = useSyncNow(workspaceId);
  const cancel = useCancelRun(workspaceId);
  const { provider, display_name: name, last_run: run } = crm;
  const isRunning = run !== null && isUnderWay(run);
  const isOpen = isRunning || run?.state === "blocked";

  async function act(work: Promise<unknown>) {
    try {
      await work;
    } catch (error) {
      toastProblem(error);
    }
  }

  return (
    <>
      <section aria-label="What is pushed" className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t px-4 py-3">
        <div className="min-w-60 flex-1">
          <h3 className="font-medium">What is pushed</h3>
          <p className="text-pretty text-muted-foreground text-sm">{rulesWords(crm.config)}</p>
        </div>
        {canManage ? (
          <Button size="sm" onClick={() => setOpened("rules")}>
            {crm.config ? "Change" : "Set up"}
          </Button>
        ) : null}
      </section>
      <section aria-label="Sync" className="flex flex-col gap-2 border-t px-4 py-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <div className="min-w-60 flex-1">
            <h3 className="font-medium">{run ? runTitle(run) : "Sync"}</h3>
            <p className="text-pretty text-muted-foreground text-sm">
              {run ? (
                <>
                  {placeOf(run)}{" "}
                  {countsOf(run)
                    .map(({ text }) => text)
                    .join(", ")}
                  {run.finished_at ? (
                    <>
                      {countsOf(run).length > 0 ? ", " : ""}
                      <RelativeTime value={run.finished_at} />
                    </>
                  ) : null}
                </>
              ) : (
                "Nothing pushed yet. A dry run shows what a sync would do, person by person."
              )}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {run && run.compared > 0 ? (
              <Button size="sm" variant="ghost" onClick={() => setOpened("people")}>
                By person
              </Button>
            ) : null}
            {canManage && isOpen ? (
              <Button size="sm" loading={cancel.isPending} onClick={() => void act(cancel.mutateAsync(run.id))}>
                Stop
              </Button>
            ) : null}
            {canManage && !isOpen ? (
              <>
                <Button
                  size="sm"
                  loading={start.isPending && start.variables.dry_run === true}
                  disabled={start.isPending}
                  onClick={() => void act(start.mutateAsync({ provider, dry_run: true, full: true }))}
                >
                  Dry run
                </Button>
                <Button
                  size="sm"
                  variant="primary"
                  loading={start.isPending && start.variables.dry_run !== true}
                  disabled={start.isPending}
                  onClick={() => void act(start.mutateAsync({ provider, full: run?.failed !== 0 }))}
                >
                  Sync now
                </Button>
              </>
            ) : null}
          </div>
        </div>
        {isRunning ? (
          <Progress
            value={run.compared}
            max={Math.max(1, run.total ?? 1)}
            label="People compared"
            tone={run.state === "waiting" ? "warning" : "accent"}
          />
        ) : null}
        {run?.message && !(said && run.message.startsWith(said)) ? (
          <p role="status" className="text-pretty text-sm text-warning-text">
            <LocalTimes>{run.message}</LocalTimes>
          </p>
        ) : null}
      </section>
      {opened === "rules" ? (
        <CrmRulesDialog workspaceId={workspaceId} crm={crm} onClose={() => setOpened(null)} />
      ) : null}
      {opened === "people" && run ? (
        <CrmRunSheet workspaceId={workspaceId} run={run} name={name} onClose={() => setOpened(null)} />
      ) : null}
    </>
  );
}
