-- The planner is to know nothing of how many rows a workspace has. With a big workspace among its most common values it took
-- every other one for empty, and looked a contact up by walking all that the workspace has; and a connection keeps the plan it
-- made for one workspace for all others. Without statistics of the column every workspace has a two-hundredth of the rows.
-- People and companies keep theirs: whether a list is better searched or walked depends on how many there are.
DO $$
DECLARE
  tenant regclass;
BEGIN
  FOR tenant IN
    SELECT c.oid FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname NOT IN ('people', 'companies')
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN workspace_id SET STATISTICS 0', tenant);
    -- Before Postgres 18 only a superuser can take away what was gathered already.
    IF current_setting('server_version_num')::int >= 180000 THEN
      EXECUTE format('SELECT pg_clear_attribute_stats(%L, %L, ''workspace_id'', false)', current_schema(), (SELECT relname FROM pg_class WHERE oid = tenant));
    END IF;
  END LOOP;
END $$;
