-- A new tenant table's rows go where the entities of their workspace are. Workspaces themselves, their members and keys are
-- on every machine, so that one that is away does not keep the others' callers out.
CREATE OR REPLACE FUNCTION "rapport_tenant_table"("tenant" regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN workspace_id SET STATISTICS 0', tenant);
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'entities'::regclass AND partmethod = 'h') THEN
            PERFORM create_distributed_table(tenant::text, 'workspace_id', colocate_with => 'entities');
        END IF;
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY tenant ON %s USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
END $$;
