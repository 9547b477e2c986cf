-- A record's notes include those of the records merged into it: its name finds them too, before and after a renaming.
CREATE OR REPLACE FUNCTION "rapport_rename_in_notes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM entities e JOIN notes n ON n.workspace_id = e.workspace_id AND n.entity_id = ANY(array_prepend(e.id, e.absorbed))
               WHERE e.workspace_id = NEW.workspace_id AND e.id = NEW.id) THEN
        PERFORM rapport_note_names(NEW.id, NEW.search);
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION "rapport_merge_in_notes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM notes WHERE workspace_id = NEW.workspace_id AND entity_id = ANY(array_prepend(NEW.id, NEW.absorbed))) THEN
        PERFORM rapport_note_names(named.id, named.search) FROM (
            SELECT id, search FROM people WHERE workspace_id = NEW.workspace_id AND id = NEW.id
            UNION ALL SELECT id, search FROM companies WHERE workspace_id = NEW.workspace_id AND id = NEW.id) AS named;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "entities_merged_in_notes" AFTER UPDATE OF "absorbed" ON "entities" FOR EACH ROW WHEN (OLD.absorbed IS DISTINCT FROM NEW.absorbed) EXECUTE FUNCTION "rapport_merge_in_notes"();
