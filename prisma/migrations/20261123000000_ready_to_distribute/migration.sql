-- What a database that spreads tenants over several machines refuses, and this one does not need.

-- Ids never change.
DO $$
DECLARE fk record;
BEGIN
    FOR fk IN
        SELECT k.conrelid::regclass AS tab, k.conname, pg_get_constraintdef(k.oid) AS def FROM pg_constraint k
        WHERE k.contype = 'f' AND k.confupdtype = 'c' AND k.connamespace = current_schema()::regnamespace ORDER BY 1, 2
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', fk.tab, fk.conname, fk.conname, replace(fk.def, ' ON UPDATE CASCADE', ''));
    END LOOP;
END $$;

-- A trigger runs on the machine of its row: what it notifies is heard there, and what it asks of other tables is refused.
-- The statements that change a key, a plan or a name do it themselves now. rapport_note_names stays for instances of the
-- release before this one.
DROP TRIGGER "api_keys_changed" ON "api_keys";
DROP TRIGGER "workspaces_changed" ON "workspaces";
DROP FUNCTION "rapport_notify_keys"();
DROP FUNCTION "rapport_notify_workspace"();
DROP TRIGGER "people_renamed_in_notes" ON "people";
DROP TRIGGER "companies_renamed_in_notes" ON "companies";
DROP TRIGGER "entities_merged_in_notes" ON "entities";
DROP FUNCTION "rapport_rename_in_notes"();
DROP FUNCTION "rapport_merge_in_notes"();

-- Makes a table one of the tenants': each migration calls it for its new tables, before it gives them foreign keys. Where
-- tenants are spread over several machines (`npm run distribute`), the new table's rows go where their workspace is.
CREATE FUNCTION "rapport_tenant_table"("tenant" regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN workspace_id SET STATISTICS 0', tenant);
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'workspaces'::regclass AND partmethod = 'h') THEN
            PERFORM create_distributed_table(tenant::text, 'workspace_id', colocate_with => 'workspaces');
        END IF;
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY tenant ON %s USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
END $$;
