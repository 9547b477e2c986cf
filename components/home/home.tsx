import type { TaskPage } from "#components/tasks/calls.ts";
import { MyTasksCard } from "#components/tasks/my-tasks-card.tsx";
import { ActivityCard } from "./activity-card.tsx";
import { AttentionCard } from "./attention-card.tsx";
import type { Attention, LearnedPage, Overview, Status, Week } from "./calls.ts";
import { FunnelCard } from "./funnel-card.tsx";
import { NewestCard } from "./newest-card.tsx";
import { StepsCard } from "./steps-card.tsx";
import { WeekNumbers } from "./week-numbers.tsx";

export type HomeProps = {
  workspaceId: string;
  readAt: number;
  tasks: TaskPage;
  attention: Attention;
  overview: Overview;
  week: Week;
  learned: LearnedPage;
  status: Status;
  example: string;
};

/** For the two minutes between calls: the numbers of the week, what needs attention, people by stage, what is new, what is left to set up. */
export function Home({ workspaceId, readAt, tasks, attention, overview, week, learned, status, example }: HomeProps) {
  return (
    <div className="flex flex-col gap-5">
      {overview.people > 0 ? <WeekNumbers workspaceId={workspaceId} initial={week} readAt={readAt} /> : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem] xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <MyTasksCard workspaceId={workspaceId} read={{ initial: tasks, readAt }} />
          <AttentionCard workspaceId={workspaceId} initial={attention} readAt={readAt} />
          <ActivityCard workspaceId={workspaceId} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <StepsCard workspaceId={workspaceId} initial={status} readAt={readAt} />
          <FunnelCard workspaceId={workspaceId} initial={overview} readAt={readAt} />
          <NewestCard workspaceId={workspaceId} initial={learned} readAt={readAt} example={example} />
        </div>
      </div>
    </div>
  );
}
