-- As before, but a job that waits keeps its place when it is asked for again with less urgency: news of a mailbox are read before
-- mailboxes that are only due, also when someone asks to check it meanwhile. Its row is held, so the place cannot change in between.
CREATE OR REPLACE FUNCTION "rapport_enqueue"(task text, ids jsonb, queue text, shared boolean, run_at timestamptz, attempts int, key text, priority int, gather_ms int) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public
AS $$
DECLARE
    workspace uuid := rapport_workspace();
    key_of_job text := workspace || ':' || key;
    due timestamptz := coalesce(rapport_enqueue.run_at, now() + make_interval(secs => gather_ms / 1000.0));
    waiting int;
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
    IF key_of_job IS NOT NULL THEN
        SELECT j.priority INTO waiting FROM graphile_worker._private_jobs j
            WHERE j.key = key_of_job AND j.is_available FOR UPDATE;
    END IF;
    PERFORM graphile_worker.add_job(
        identifier => task,
        payload => (ids || jsonb_build_object('workspace_id', workspace))::json,
        queue_name => CASE WHEN shared THEN queue ELSE workspace || ':' || queue END,
        run_at => due,
        max_attempts => attempts,
        job_key => key_of_job,
        priority => least(rapport_enqueue.priority, waiting));
END $$;
