import { isUnavailable } from "#lib/core/unavailable.ts";
import { withWorkspace } from "#lib/db/transaction.ts";
import { handles, type JobHandler, type JobRun } from "./handler.ts";
import { enqueue, enqueueAtLatest, type JobKind } from "./queue.ts";

/** What a step leaves: more to do now, nothing, or nothing to do for a while. */
export type StepResult = "more" | "done" | { waitMs: number };

export type Step = (turn: Turn) => Promise<StepResult>;

/** A job ends after this long in any case, so that its failed attempts are not those of hours of work. */
const LONGEST_MS = 60_000;

/** How often open pages are told about progress. */
const TELL_MS = 300;

type Terms = { ms: number; signal: AbortSignal; tell?: () => void };

/** The time a job works before others get theirs. It is over at once when the process stops. */
export class Turn {
  private readonly terms: Terms;
  private readonly end = performance.now() + LONGEST_MS;
  private until: number;
  private told = Number.NEGATIVE_INFINITY;

  /** `ms`: negative for a turn of one step. `tell`: tells open pages how far the work is. */
  constructor(terms: Terms) {
    this.terms = terms;
    this.until = performance.now() + terms.ms;
  }

  isOver(): boolean {
    return this.terms.signal.aborted || performance.now() > this.until;
  }

  /** There was progress: open pages are told now and then. `how`: not as the kind of job tells it. */
  tell(how = this.terms.tell): void {
    if (performance.now() - this.told < TELL_MS) return;
    this.told = performance.now();
    how?.();
  }

  /** Repeats a step until nothing is left to do now, or the turn is over. */
  async take(step: Step): Promise<StepResult> {
    for (;;) {
      const left = await step(this);
      if (left !== "more" || this.isOver()) return left;
      this.tell();
    }
  }

  /** Repeats a step in turn after turn, while no one else waits for theirs. */
  async takeWhile(isAlone: () => Promise<boolean>, step: Step): Promise<StepResult> {
    for (;;) {
      const left = await this.take(step);
      const mayGoOn = left === "more" && !this.terms.signal.aborted && performance.now() < this.end;
      if (!mayGoOn || !(await isAlone())) return left;
      this.until = performance.now() + this.terms.ms;
    }
  }
}

type Resumable<Id extends string> = {
  /** How long one job works before it queues the rest, in milliseconds; absent: for one step. */
  turnMs?: number;
  /**
   * Begins a run and returns its step. A step is short, and stores how far it came in the transaction that does the work: killed
   * anywhere, the next run goes on there. A step that takes long looks at its turn. When the work was cancelled nothing is left.
   */
  begin(job: JobRun, ids: Readonly<Record<Id, string>>): Step;
  /** True when no other job waits for its turn, so that this one goes on without a pause, for a minute at most. */
  isAlone?(job: JobRun, ids: Readonly<Record<Id, string>>): Promise<boolean>;
  /** Tells open pages how far it is: now and then, and at the end. */
  tell?(job: JobRun): void;
  /** The last attempt failed, or its process was killed: the record of the work should say so. It may run twice. */
  giveUp?(job: Pick<JobRun, "caller">, ids: Readonly<Record<Id, string>>): Promise<void>;
};

/**
 * Binds a kind of job to work of many steps: it works for a turn, then queues itself for what is left, so that other jobs get
 * theirs.
 */
export const resumable = <Id extends string>(
  kind: JobKind<Id>,
  { turnMs = 0, begin, isAlone = async () => false, tell, giveUp }: Resumable<Id>,
): JobHandler => {
  const run = async (job: JobRun, ids: Readonly<Record<Id, string>>): Promise<void> => {
    const turn = new Turn({ ms: turnMs, signal: job.signal, tell: () => tell?.(job) });
    let left: StepResult;
    try {
      left = await turn.takeWhile(() => isAlone(job, ids), begin(job, ids));
    } catch (error) {
      if (job.last && !isUnavailable(error)) await giveUp?.(job, ids);
      throw error;
    }
    if (left === "done") return tell?.(job);
    await withWorkspace(job.caller.workspaceId, (db) =>
      left === "more"
        ? enqueue(db, kind, ids)
        : // What was asked for while this ran is not put off.
          enqueueAtLatest(db, kind, ids, new Date(Date.now() + Math.max(0, left.waitMs))),
    );
  };
  return handles(kind, run, giveUp);
};
