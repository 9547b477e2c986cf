import { jobAuthority } from "#lib/auth/jobs.ts";
import { log } from "#lib/core/log.ts";
import type { JobHandler, Schedule } from "#lib/jobs/handler.ts";
import { pgOf } from "./connection.ts";

type GivenUpJob = { kind: string; payload: Record<string, string> };

// One attempt more than there are says that the record was told; a retry counts from 0 again.
const UNTOLD = "j.locked_at IS NULL AND j.attempts = j.max_attempts";

const find = `SELECT j.id FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE ${UNTOLD} AND t.identifier = ANY($1) ORDER BY j.id`;

// Held until the record says it, so that a retry begins before or after that.
const hold = `SELECT t.identifier AS kind, j.payload FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE j.id = $1 AND ${UNTOLD} FOR UPDATE OF j SKIP LOCKED`;

const told = `UPDATE graphile_worker._private_jobs SET attempts = attempts + 1,
  last_error = coalesce(last_error, 'The process ended while it ran, each time.') WHERE id = $1`;

/**
 * Says of jobs that were given up that they were, where the job itself could not: its process was killed in the last attempt, or
 * the database was away. What is said already stays.
 */
export const givenUpSchedule = (handlers: readonly JobHandler[]): Schedule => {
  const ending = new Map(handlers.flatMap(({ kind, giveUp }) => (giveUp ? [[kind.name, giveUp]] : [])));
  return {
    name: "jobs:given-up",
    pattern: "*/5 * * * *",
    run: (signal) =>
      pgOf(async (client) => {
        const { rows } = await client.query<{ id: string }>(find, [[...ending.keys()]]);
        for (const { id } of rows) {
          if (signal.aborted) return;
          await client.query("BEGIN");
          const [job] = (await client.query<GivenUpJob>(hold, [id])).rows;
          if (job && (await end(job, id, ending))) await client.query(told, [id]);
          await client.query("COMMIT");
        }
      }),
  };
};

/** False: it did not work, and is tried again. */
async function end(
  { kind, payload }: GivenUpJob,
  id: string,
  ending: ReadonlyMap<string, NonNullable<JobHandler["giveUp"]>>,
): Promise<boolean> {
  const { workspace_id, ...ids } = payload;
  const caller = await jobAuthority(workspace_id ?? "", id);
  if (!caller) return true; // the workspace was deleted
  try {
    await ending.get(kind)?.({ caller }, ids);
    return true;
  } catch (error) {
    log.error({ err: error, job_id: id, job: kind }, "a job that was given up stays");
    return false;
  }
}
