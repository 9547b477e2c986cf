-- Queues a job of the transaction's workspace, as rapport_enqueue with six arguments does, which stays for instances of the
-- release before this one. `shared`: the queue is one for all workspaces. `priority`: higher ones come later.
-- `gather_ms`: the job waits so long for more of the same. While it waits, another transaction only holds on to its row:
-- workers pass over a job that is held, so it runs after each of them, and none of them waits for another.
CREATE FUNCTION "rapport_enqueue"(task text, ids jsonb, queue text, shared boolean, run_at timestamptz, attempts int, key text, priority int, gather_ms int) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
DECLARE
    workspace uuid := rapport_workspace();
    key_of_job text := workspace || ':' || key;
    due timestamptz := coalesce(rapport_enqueue.run_at, now() + make_interval(secs => gather_ms / 1000.0));
BEGIN
    IF workspace IS NULL THEN
        RAISE EXCEPTION 'a job belongs to a workspace';
    END IF;
    IF gather_ms IS NOT NULL THEN
        PERFORM FROM graphile_worker._private_jobs j
            WHERE j.key = key_of_job AND j.is_available AND j.run_at <= due FOR SHARE SKIP LOCKED;
        IF FOUND THEN
            RETURN;
        END IF;
    END IF;
    PERFORM graphile_worker.add_job(
        identifier => task,
        payload => (ids || jsonb_build_object('workspace_id', workspace))::json,
        queue_name => CASE WHEN shared THEN queue ELSE workspace || ':' || queue END,
        run_at => due,
        max_attempts => attempts,
        job_key => key_of_job,
        priority => rapport_enqueue.priority);
END $$;

REVOKE ALL ON FUNCTION "rapport_enqueue"(text, jsonb, text, boolean, timestamptz, int, text, int, int) FROM PUBLIC;
