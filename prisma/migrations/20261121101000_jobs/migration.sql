-- Jobs live in graphile-worker's own schema, which its release migrates (lib/jobs/schema.ts) and which only the owner of
-- the database may touch. The app reaches them through these functions, each for the workspace of its transaction only;
-- they run with their owner's rights, so a connection that was switched to rapport_app may use them too.
CREATE FUNCTION "rapport_enqueue"(task text, ids jsonb, queue text, run_at timestamptz, attempts int, key text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
DECLARE workspace uuid := rapport_workspace();
BEGIN
    IF workspace IS NULL THEN
        RAISE EXCEPTION 'a job belongs to a workspace';
    END IF;
    PERFORM graphile_worker.add_job(
        identifier => task,
        payload => (ids || jsonb_build_object('workspace_id', workspace))::json,
        queue_name => workspace || ':' || queue,
        run_at => rapport_enqueue.run_at,
        max_attempts => attempts,
        job_key => workspace || ':' || key);
END $$;

CREATE FUNCTION "rapport_job_state"(locked_at timestamptz, attempts int, max_attempts int, run_at timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN locked_at IS NOT NULL THEN 'running'
        WHEN attempts >= max_attempts THEN 'failed'
        WHEN attempts > 0 THEN 'retrying'
        WHEN run_at > now() THEN 'scheduled'
        ELSE 'waiting' END
$$;

CREATE FUNCTION "rapport_jobs"(most int)
    RETURNS TABLE (id bigint, task text, state text, attempts int, max_attempts int, last_error text, run_at timestamptz, created_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
    RETURN QUERY SELECT j.id, t.identifier, rapport_job_state(j.locked_at, j.attempts::int, j.max_attempts::int, j.run_at),
            j.attempts::int, j.max_attempts::int, j.last_error, j.run_at, j.created_at
        FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE j.payload ->> 'workspace_id' = rapport_workspace()::text
        ORDER BY (j.attempts >= j.max_attempts AND j.locked_at IS NULL) DESC, (j.attempts > 0) DESC, j.run_at, j.id
        LIMIT most;
END $$;

CREATE FUNCTION "rapport_job_counts"() RETURNS TABLE (task text, state text, jobs int)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
    RETURN QUERY SELECT t.identifier, rapport_job_state(j.locked_at, j.attempts::int, j.max_attempts::int, j.run_at), count(*)::int
        FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
        WHERE j.payload ->> 'workspace_id' = rapport_workspace()::text
        GROUP BY 1, 2;
END $$;

-- False when the workspace has no such job, or it is running.
CREATE FUNCTION "rapport_retry_job"(job bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
BEGIN
    PERFORM FROM graphile_worker._private_jobs j
        WHERE j.id = job AND j.payload ->> 'workspace_id' = rapport_workspace()::text AND j.locked_at IS NULL FOR UPDATE;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM graphile_worker.reschedule_jobs(job_ids => ARRAY[job], run_at => now(), attempts => 0);
    PERFORM pg_notify('jobs:insert', '{"count":1}');
    RETURN true;
END $$;

REVOKE ALL ON FUNCTION "rapport_enqueue"(text, jsonb, text, timestamptz, int, text) FROM PUBLIC;
REVOKE ALL ON FUNCTION "rapport_jobs"(int) FROM PUBLIC;
REVOKE ALL ON FUNCTION "rapport_job_counts"() FROM PUBLIC;
REVOKE ALL ON FUNCTION "rapport_retry_job"(bigint) FROM PUBLIC;
