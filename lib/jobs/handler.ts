import type { Caller } from "#lib/core/context.ts";
import type { WorkspaceId } from "#lib/core/ids.ts";
import type { JobKind } from "./queue.ts";

/** One run of a job, with the authority to act in its workspace. */
export type JobRun = {
  caller: Caller;
  /** 1 for the first */
  attempt: number;
  /** this is the last attempt */
  last: boolean;
  /** aborted when the process stops: a long job ends at its next step and queues the rest */
  signal: AbortSignal;
};

export type JobHandler = {
  kind: JobKind;
  run(job: JobRun, ids: Readonly<Record<string, string>>): Promise<void>;
  /** No attempt is left: the record of the work says so, if it does not yet. It may run twice. */
  giveUp?(job: Pick<JobRun, "caller">, ids: Readonly<Record<string, string>>): Promise<void>;
};

/**
 * Binds a kind of job to its work. It may run twice, and at the same time as another of its kind unless it has a queue.
 */
export const handles = <Id extends string>(
  kind: JobKind<Id>,
  run: (job: JobRun, ids: Readonly<Record<Id, string>>) => Promise<void>,
  giveUp?: (job: Pick<JobRun, "caller">, ids: Readonly<Record<Id, string>>) => Promise<void>,
): JobHandler => ({
  kind,
  run: run as JobHandler["run"],
  ...(giveUp && { giveUp: giveUp as NonNullable<JobHandler["giveUp"]> }),
});

/**
 * One part of the maintenance of a workspace. `step` does one short step; true means that more is left, call again. It
 * may run twice, and the next hour does what it left undone.
 */
export type Maintenance = { name: string; step(workspaceId: WorkspaceId): Promise<boolean> };

/** Parts of the maintenance that are done in every workspace in turn: at set times, and when a process starts to run jobs. */
export type Walk = {
  name: string;
  parts: readonly Maintenance[];
  /** UTC, five fields as in crontab */
  pattern?: string;
  /** called at the start: whether to run then */
  atStart?: () => boolean;
};

/** Work of the whole installation at set times (UTC, five fields as in crontab). */
export type Schedule = {
  name: string;
  pattern: string;
  /** asked when a process starts to run jobs; absent: always */
  isNeeded?(): boolean;
  run(signal: AbortSignal): Promise<void>;
};
