"use client";

import { useState } from "react";
import { useBelongsTo } from "#components/frame/here.ts";
import { usePaletteAsked } from "#components/frame/panels.ts";
import { LoadProblem } from "#components/records/load-problem.tsx";
import type { Editing } from "#components/tasks/task-list.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { onDemand } from "#components/ui/on-demand.tsx";
import { Loading, Skeleton } from "#components/ui/skeleton.tsx";

import { planHas } from "#lib/core/plans.ts";
import { AccountHeader } from "./account-header.tsx";
import { type AccountViewProps, useAccountPage } from "./account-page.ts";
import { AccountPanels } from "./account-panels.tsx";
import { AccountTabs } from "./account-tabs.tsx";
import { useAddCommands } from "./add-commands.ts";
import { PastBanner } from "./as-of.tsx";
import { examplesFor } from "./examples.ts";
import { Identifiers } from "./identifiers.tsx";
import { InShort } from "./in-short.tsx";
import { Related } from "./related.tsx";
import { StageStepper } from "./stage-stepper.tsx";

const AccountCommands = onDemand(
  null,
  () => import("./account-commands.tsx").then((module) => module.AccountCommands),
  { optional: true },
);
const PersonLists = onDemand("Lead lists", () =>
  import("#components/leads/person-lists.tsx").then((module) => module.PersonLists),
);

const KnownBy = onDemand(null, () => import("./known-by.tsx").then((module) => module.KnownBy), { optional: true });

/** The cards at the side begin with requests of their own, so their code is not waited for either. */
const TasksCard = onDemand(
  "The tasks",
  () => import("#components/tasks/tasks-card.tsx").then((module) => module.TasksCard),
  { loading: <LoadingCard title="Tasks" /> },
);
const companyCards = () => import("./company-cards.tsx");
const CompanyTrend = onDemand("The activity", () => companyCards().then((module) => module.CompanyTrend), {
  loading: <LoadingCard title="Activity" />,
});
const CompanyStages = onDemand("The people by stage", () => companyCards().then((module) => module.CompanyStages), {
  loading: <LoadingCard title="People by stage" />,
});

function LoadingCard({ title }: { title: string }) {
  return (
    <Card>
      <CardHeader title={title} />
      <Loading label={`Loading: ${title}`} className="flex flex-col gap-3 border-t px-4 py-3">
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
      </Loading>
    </Card>
  );
}

/** Everything known about a person or company, now or as of a day. */
export function AccountView(props: AccountViewProps) {
  const page = useAccountPage(props);
  const { workspaceId, id, account, moment, setPlace, changes, facts, record } = page;
  useBelongsTo(page.list);
  const [task, setTask] = useState<Editing>(null);
  const hasLeads = planHas(props.plan, "lead_lists");
  const isNewTask = page.place.open === "new-task";
  useAddCommands(page);
  const wasAsked = usePaletteAsked();
  return (
    <>
      <AccountHeader page={page} />
      {moment ? <PastBanner moment={moment} onNow={() => setPlace({ as_of: null, by: null })} /> : null}
      <LoadProblem card title="What you see may be out of date" query={record} />
      {page.isPerson ? (
        <StageStepper
          stage={account.pipeline_stage}
          onStage={moment === null ? (stage) => void changes.setStage(stage) : undefined}
        />
      ) : null}
      <div className="@container">
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-6 gap-y-4 @min-[52rem]:grid-cols-[minmax(0,1fr)_18rem] @min-[52rem]:grid-rows-[auto_1fr]">
          <InShort page={page} timeline={props.timeline} className="@min-[52rem]:col-start-2" />
          <AccountTabs
            page={page}
            timeline={props.timeline}
            examples={examplesFor(props.origin, account.identifiers[0]?.value ?? id)}
            className="@min-[52rem]:col-start-1 @min-[52rem]:row-span-2 @min-[52rem]:row-start-1"
          />
          <aside aria-label="Details" className="flex flex-col gap-4 @min-[52rem]:col-start-2">
            <Card>
              <Identifiers
                workspaceId={workspaceId}
                account={account}
                entityId={id}
                {...(moment === null ? { changes: facts, onUndoMerge: changes.unmerge } : {})}
              />
            </Card>
            {account.type === "company" && moment === null ? (
              <>
                <CompanyTrend workspaceId={workspaceId} id={id} />
                <CompanyStages workspaceId={workspaceId} id={id} onAdd={() => setPlace({ open: "new-person" })} />
              </>
            ) : null}
            {moment === null ? (
              <TasksCard
                workspaceId={workspaceId}
                id={id}
                editing={isNewTask ? "new" : task}
                onEdit={(next) => {
                  setTask(next);
                  if (isNewTask && next === null) setPlace({ open: null });
                }}
              />
            ) : null}
            {moment === null ? <KnownBy workspaceId={workspaceId} id={id} /> : null}
            <Related workspaceId={workspaceId} account={account} />
            {page.isPerson && hasLeads ? <PersonLists workspaceId={workspaceId} personId={id} /> : null}
          </aside>
        </div>
      </div>
      <AccountPanels page={page} plan={props.plan} />
      {wasAsked ? <AccountCommands page={page} hasLeads={hasLeads} /> : null}
    </>
  );
}
