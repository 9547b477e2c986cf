import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import { setLabel } from "./labels.ts";

/** A kind of job: its name, what it is called on the page of jobs, and the ids it is told. */
export type JobKind<Id extends string = string> = {
  /** `<slice>:<verb>` */
  readonly name: string;
  readonly label: string;
  readonly ids: readonly Id[];
  /** Tries before it is given up; the pauses between them grow from 3 s to 6 h. */
  readonly attempts: number;
  /** Jobs of one queue and workspace run one after the other. */
  readonly queue: string | null;
  /** While one with the same ids waits, a second is not queued: the first gets its time. */
  readonly once: boolean;
};

type Declared<Id extends string> = {
  label: string;
  ids: readonly Id[];
  attempts?: number;
  queue?: string;
  once?: boolean;
};

export function jobKind<const Id extends string>(
  name: string,
  { label, ids, attempts = 12, queue, once = false }: Declared<Id>,
): JobKind<Id> {
  setLabel(name, label);
  return { name, label, ids, attempts, queue: queue ?? null, once };
}

const add = sql("job_enqueue", "SELECT rapport_enqueue($1, $2, $3, $4, $5, $6)");

/**
 * Queues a job of the transaction's workspace: it exists exactly when the transaction commits. A job is told ids and looks
 * up the rest when it runs, which may be twice. `at`: not before then.
 */
export async function enqueue<Id extends string>(
  db: Db,
  kind: JobKind<Id>,
  ids: Readonly<Record<Id, string>>,
  at: Date | null = null,
): Promise<void> {
  const key = kind.once ? [kind.name, ...kind.ids.map((id) => ids[id])].join(":") : null;
  await db.query(add, [kind.name, JSON.stringify(ids), kind.queue, at, kind.attempts, key]);
}

/** Thrown by a job that must wait for a known time (a rate limit): it is queued again for then, and no attempt is counted. */
export class RetryLater extends Error {
  readonly ms: number;

  constructor(ms: number, message: string) {
    super(message);
    this.name = "RetryLater";
    this.ms = ms;
  }
}
