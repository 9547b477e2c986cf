"use client";

import { ListChecks } from "lucide-react";
import { LoadProblem } from "#components/records/load-problem.tsx";
import { RelativeTime } from "#components/records/relative-time.tsx";
import { toastProblem } from "#components/records/toast-problem.ts";
import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { numeral } from "#components/ui/numbers.ts";
import { toast } from "#components/ui/toaster.tsx";
import type { Job, JobQueue, JobState } from "#lib/domain/integrations/jobs/contract.ts";
import { type JobList, useJobs, useRetryJob } from "./jobs-calls.ts";

const looks: Record<JobState, { label: string; tone: BadgeProps["tone"] }> = {
  waiting: { label: "Waiting", tone: "neutral" },
  scheduled: { label: "Scheduled", tone: "neutral" },
  running: { label: "Running", tone: "accent" },
  retrying: { label: "Retrying", tone: "accent" },
  failed: { label: "Failed", tone: "danger" },
};
const states = Object.keys(looks) as JobState[];

/** The workspace's background work: queues with their jobs, and failures with a button to run them again. */
export function JobsCard({ workspaceId, initial }: { workspaceId: string; initial: JobList }) {
  const query = useJobs(workspaceId, initial);
  const { data } = query;
  return (
    <Card aria-labelledby="jobs">
      <CardHeader
        titleId="jobs"
        title="Jobs"
        description="Background jobs of this workspace. Finished jobs are not listed. Failed ones are tried again with growing pauses."
      />
      <LoadProblem
        title="The list could not be refreshed"
        query={query}
        note="What you see may be out of date."
        className="border-t"
      />
      {data.jobs.length === 0 ? (
        <EmptyState icon={<ListChecks />} className="border-t">
          Nothing is waiting and nothing has failed.
        </EmptyState>
      ) : (
        <>
          <ul aria-label="Queues" className="border-t">
            {data.queues.map((queue) => (
              <QueueRow key={queue.kind} queue={queue} />
            ))}
          </ul>
          <ol aria-label="Jobs" className="border-t bg-muted/30">
            {data.jobs.map((job) => (
              <JobRow key={job.id} job={job} workspaceId={workspaceId} />
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}

function QueueRow({ queue }: { queue: JobQueue }) {
  return (
    <li className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-t px-4 py-1.5 first:border-t-0">
      <span className="min-w-40 flex-1 font-medium">{queue.label}</span>
      {states.map((state) =>
        queue[state] > 0 ? (
          <Badge key={state} tone={looks[state].tone}>
            {numeral(queue[state])} {looks[state].label.toLowerCase()}
          </Badge>
        ) : null,
      )}
    </li>
  );
}

function JobRow({ job, workspaceId }: { job: Job; workspaceId: string }) {
  const retry = useRetryJob(workspaceId);
  const { label, tone } = looks[job.state];
  const again = () =>
    retry.mutate(job.id, {
      onSuccess: () => toast.success("The job runs again."),
      onError: toastProblem,
    });
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 border-t px-4 py-2.5 first:border-t-0">
      <div className="min-w-60 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span>{job.label}</span>
          <Badge tone={tone}>{label}</Badge>
        </div>
        <p className="wrap-anywhere text-muted-foreground text-sm">
          {job.attempts > 0 ? `Attempt ${job.attempts} of ${job.max_attempts}. ` : null}
          {job.last_error}
        </p>
      </div>
      <span className="text-muted-foreground text-sm leading-5">
        {job.state === "running" ? "since " : job.state === "failed" ? "failed " : "due "}
        <RelativeTime value={job.run_at} />
      </span>
      {job.state === "running" || job.state === "waiting" ? null : (
        <Button size="sm" loading={retry.isPending} onClick={again}>
          {job.state === "failed" ? "Retry" : "Run now"}
        </Button>
      )}
    </li>
  );
}
