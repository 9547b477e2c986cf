import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "./database.ts";

/** Kinds of jobs that are due within a second (some gather for a moment) or under way, and scores for which one is about to be queued. */
const UNDER_WAY = `
  SELECT t.identifier AS kind FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.payload ->> 'workspace_id' = $1::text
     AND (j.locked_at IS NOT NULL OR (j.is_available AND j.run_at <= now() + interval '1 second'))
  UNION ALL SELECT 'scoring' WHERE EXISTS (SELECT FROM score_queue WHERE workspace_id = $1::uuid)
     AND EXISTS (SELECT FROM scoring_models WHERE workspace_id = $1::uuid)`;

/** A retry after a failure, the next look at a CRM. */
const PUT_OFF = `
  UPDATE graphile_worker._private_jobs SET run_at = run_at + interval '1 day'
   WHERE payload ->> 'workspace_id' = $1 AND is_available
     AND run_at > now() + interval '1 second' AND run_at < now() + interval '1 hour'`;

/** Longer than any job of these tests takes on a slow machine. */
const MOST_REST_MS = 60_000;

/**
 * Resolves when no job of a workspace is due or under way in this process's worker. What is due later is put off, so that it
 * does not begin meanwhile.
 */
export async function restOfJobs(workspaceId: string): Promise<void> {
  const end = performance.now() + MOST_REST_MS;
  for (;;) {
    await inspect(PUT_OFF, [workspaceId]);
    const kinds = await inspect<{ kind: string }>(UNDER_WAY, [workspaceId]);
    if (kinds.length === 0) return;
    if (performance.now() > end) throw new Error(`still under way: ${kinds.map(({ kind }) => kind).join(", ")}`);
    await sleep(10);
  }
}

const HURRY = `
  WITH later AS (
    SELECT j.id, j.run_at FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE j.payload ->> 'workspace_id' = $1 AND j.is_available AND j.run_at > now() AND t.identifier <> 'audit:seal' FOR UPDATE OF j SKIP LOCKED
  )
  UPDATE graphile_worker._private_jobs j SET run_at = now() FROM later WHERE j.id = later.id
  RETURNING extract(epoch FROM later.run_at) * 1000 AS due, pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}')`;

/**
 * Lets the jobs of a workspace that wait for a later time begin now, but for the sealing of the audit log, which follows most
 * changes. Returns when they would have begun, in milliseconds: their times are still what a test can check, without waiting for them.
 */
export const hurryJobs = async (workspaceId: string): Promise<number[]> =>
  (await inspect<{ due: string }>(HURRY, [workspaceId])).map(({ due }) => Number(due));
