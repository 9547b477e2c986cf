import type { Db } from "#lib/db/handle.ts";
import { sql } from "#lib/db/statement.ts";
import type { JobState } from "./contract.ts";

export type JobRow = {
  id: number;
  kind: string;
  state: JobState;
  attempts: number;
  maxAttempts: number;
  lastError: string | null;
  runAt: Date;
  createdAt: Date;
};

// rapport_jobs_workspace
const some = sql(
  "jobs_of_workspace",
  `SELECT id, task AS kind, state, attempts, max_attempts AS "maxAttempts", last_error AS "lastError", run_at AS "runAt",
     created_at AS "createdAt" FROM rapport_jobs($1)`,
);

/** The workspace's jobs, failures first, then by time. */
export const findJobs = (db: Db, most: number): Promise<JobRow[]> => db.query<JobRow>(some, [most]);

// rapport_jobs_workspace
const counts = sql("job_counts_of_workspace", "SELECT task AS kind, state, jobs FROM rapport_job_counts()");

export const countJobs = (db: Db) => db.query<{ kind: string; state: JobState; jobs: number }>(counts);

// jobs_pkey1 of graphile_worker
const retry = sql("job_retry", "SELECT rapport_retry_job($1) AS done");

/** False when the workspace has no such job that waits or has failed. */
export const retryNow = async (db: Db, id: string): Promise<boolean> =>
  (await db.query<{ done: boolean }>(retry, [id]))[0]?.done === true;
