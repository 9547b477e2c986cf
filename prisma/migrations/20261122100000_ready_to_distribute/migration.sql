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
-- The statements that change a key, a plan or a name do it themselves now.
DROP TRIGGER "api_keys_changed" ON "api_keys";
DROP TRIGGER "workspaces_changed" ON "workspaces";
DROP FUNCTION "rapport_notify_keys"();
DROP FUNCTION "rapport_notify_workspace"();
DROP TRIGGER "people_renamed_in_notes" ON "people";
DROP TRIGGER "companies_renamed_in_notes" ON "companies";
DROP TRIGGER "entities_merged_in_notes" ON "entities";
DROP FUNCTION "rapport_rename_in_notes"();
DROP FUNCTION "rapport_merge_in_notes"();
DROP FUNCTION "rapport_note_names"(uuid, text);
