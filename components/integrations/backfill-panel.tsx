"use client";

import { useState } from "react";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Button } from "#components/ui/button.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Progress } from "#components/ui/progress.tsx";
import { type Backfill, type BackfillList, useBackfillAction, useBackfills } from "./calls.ts";

const BackfillSheet = onDemand("The contacts", () =>
  import("./backfill-sheet.tsx").then((module) => module.BackfillSheet),
);

type BackfillPanelProps = {
  workspaceId: string;
  initial: BackfillList;
  /** What the card shows already. */
  problem: string | undefined;
};

/** Finds past bookings for all contacts: start, progress, result, contact by contact. */
export function BackfillPanel({ workspaceId, initial, problem: said }: BackfillPanelProps) {
  const { data } = useBackfills(workspaceId, initial);
  const action = useBackfillAction(workspaceId);
  const [shown, setShown] = useState(false);
  const [backfill] = data.backfills;
  const isUnderWay = backfill !== undefined && ["queued", "running", "waiting"].includes(backfill.state);
  const canResume = backfill?.state === "failed" || backfill?.state === "cancelled";

  async function run(wish: "start" | "cancel" | "resume") {
    try {
      await action.mutateAsync({ wish, ...(backfill ? { id: backfill.id } : {}) });
    } catch (error) {
      toastProblem(error);
    }
  }

  return (
    <section aria-label="Past bookings" className="flex flex-col gap-2 border-t px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-60 flex-1">
          <h3 className="font-medium">Past bookings</h3>
          <p className="text-pretty text-muted-foreground text-sm">
            {backfill ? <Outcome backfill={backfill} /> : "Bookings made before you connected, on everyone's timeline."}
          </p>
        </div>
        <div className="flex items-center gap-2">
          {backfill && backfill.looked_up > 0 ? (
            <Button size="sm" variant="ghost" onClick={() => setShown(true)}>
              By contact
            </Button>
          ) : null}
          {isUnderWay ? (
            <Button size="sm" loading={action.isPending} onClick={() => void run("cancel")}>
              Stop
            </Button>
          ) : (
            <>
              {canResume ? (
                <Button size="sm" loading={action.isPending} onClick={() => void run("resume")}>
                  Resume
                </Button>
              ) : null}
              <Button size="sm" disabled={action.isPending} onClick={() => void run("start")}>
                {backfill ? "Look again" : "Look for past bookings"}
              </Button>
            </>
          )}
        </div>
      </div>
      {isUnderWay ? (
        <Progress
          value={backfill.looked_up}
          max={Math.max(1, backfill.contacts)}
          label="Contacts looked up"
          tone={backfill.state === "waiting" ? "warning" : "accent"}
        />
      ) : null}
      {backfill?.message && !(said && isSaid(backfill.message, said)) ? (
        <p role="status" className="text-pretty text-sm text-warning-text">
          {backfill.message}
        </p>
      ) : null}
      {shown && backfill ? (
        <BackfillSheet workspaceId={workspaceId} backfill={backfill} onClose={() => setShown(false)} />
      ) : null}
    </section>
  );
}

/** True when both are about the same problem: the card may add another, the backfill its next step. */
const isSaid = (message: string, said: string): boolean => message.startsWith(said) || said.startsWith(message);

/** Contacts a minute, set by the provider's rate limit. */
const PACE = 100;

const durationOf = (minutes: number): string => {
  if (minutes <= 1) return "a minute";
  return minutes < 90 ? `${minutes} min` : `${numeral(Math.round(minutes / 60))} h`;
};

function Outcome({ backfill }: { backfill: Backfill }) {
  const { state, contacts, looked_up, logged, present, skipped, failed } = backfill;
  const left = Math.ceil((contacts - looked_up) / PACE);
  const counts = [
    `${numeral(logged)} logged`,
    `${numeral(present)} already there`,
    ...(skipped > 0 ? [`${numeral(skipped)} skipped`] : []),
    ...(failed > 0 ? [`${numeral(failed)} could not be looked up`] : []),
  ].join(", ");
  const all = contacts === 1 ? "1 contact" : `${numeral(contacts)} contacts`;
  const place = `${numeral(looked_up)} of ${all}`;
  if (state === "done")
    return (
      <>
        {all} looked up <RelativeTime value={backfill.finished_at ?? backfill.created_at} />: {counts}.
      </>
    );
  if (state === "failed" || state === "cancelled")
    return (
      <>
        Stopped after {place}: {counts}.
      </>
    );
  return (
    <>
      {place}, about {durationOf(left)} left: {counts}.
    </>
  );
}
