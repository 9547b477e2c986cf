import type { Schedule } from "#lib/jobs/handler.ts";
import { pgOf } from "./connection.ts";

const KEPT_DAYS = 30;

/** Once a day: deletes failures that no one retried for a month, and names of empty queues. */
export const tidySchedule: Schedule = {
  name: "jobs:tidy",
  pattern: "17 3 * * *",
  run: () =>
    pgOf(async (client) => {
      await client.query(
        `DELETE FROM graphile_worker._private_jobs
         WHERE locked_at IS NULL AND attempts >= max_attempts AND updated_at < now() - make_interval(days => $1)`,
        [KEPT_DAYS],
      );
      await client.query(
        `DELETE FROM graphile_worker._private_job_queues q WHERE locked_at IS NULL
           AND NOT EXISTS (SELECT FROM graphile_worker._private_jobs j WHERE j.job_queue_id = q.id)`,
      );
    }),
};
