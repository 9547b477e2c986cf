import { Fault } from "#lib/core/errors.ts";
import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import { recordAudit } from "#lib/domain/records/audit/service.ts";
import { labelOf } from "#lib/jobs/labels.ts";
import { formatTime } from "#lib/text/time.ts";
import * as contract from "./contract.ts";
import { countJobs, findJobs, type JobRow, retryNow } from "./queries.ts";

const MOST = 200;

export const listJobs = implement(contract.listJobs, async ({ db }) => {
  const [rows, counts] = await together([findJobs(db, MOST), countJobs(db)]);
  const queues = new Map<string, contract.JobQueue>();
  for (const { kind, state, jobs } of counts) {
    const none = { waiting: 0, scheduled: 0, running: 0, retrying: 0, failed: 0 };
    const queue = queues.get(kind) ?? { kind, label: labelOf(kind), ...none };
    queues.set(kind, { ...queue, [state]: jobs });
  }
  return { queues: [...queues.values()].sort((a, b) => (a.label < b.label ? -1 : 1)), jobs: rows.map(jobOf) };
});

/** How many jobs of the workspace were given up. */
export const countFailed = async ({ db }: Pick<Ctx, "db">): Promise<number> =>
  (await countJobs(db)).reduce((sum, { state, jobs }) => (state === "failed" ? sum + jobs : sum), 0);

/** All jobs of the workspace that were given up. */
export async function findFailed({ db }: Pick<Ctx, "db">): Promise<{ id: string; kind: string }[]> {
  const rows = await findJobs(db, await countFailed({ db })); // failures come first
  return rows.filter(({ state }) => state === "failed").map(({ id, kind }) => ({ id: String(id), kind }));
}

export const retryJob = implement(contract.retryJob, async (ctx, { job }) => {
  if (!(await retryNow(ctx.db, job))) throw new Fault("job_not_found");
  await recordAudit(ctx, "job.retried", null, { job });
  return { ok: true as const };
});

const jobOf = ({ id, kind, state, attempts, maxAttempts, lastError, runAt, createdAt }: JobRow): contract.Job => ({
  id: String(id),
  kind,
  label: labelOf(kind),
  state,
  attempts: Math.min(attempts, maxAttempts), // one more is noted for one that was given up
  max_attempts: maxAttempts,
  last_error: lastError,
  run_at: formatTime(runAt),
  created_at: formatTime(createdAt),
});
