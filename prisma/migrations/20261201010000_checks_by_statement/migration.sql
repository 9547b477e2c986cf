-- The tables with the most rows are checked against entities once a statement instead of once a row: a foreign key starts a
-- statement of its own for each row. What a foreign key with ON DELETE CASCADE holds stays true.

-- A row of an entity that is not there is refused with a foreign key's error. All entities are locked until the transaction ends, so
-- that none is deleted meanwhile; one that another transaction deletes is waited for, and missing once that commits. Each entity is looked
-- up by its key, whatever a plan says of the tables' sizes.
CREATE FUNCTION "rapport_require_entities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT workspace_id, entity_id FROM added ORDER BY workspace_id, entity_id) AS a
        LEFT JOIN LATERAL (
            SELECT e.id FROM entities e WHERE e.workspace_id = a.workspace_id AND e.id = a.entity_id FOR KEY SHARE
        ) AS e ON true
        WHERE e.id IS NULL
    ) THEN
        RAISE EXCEPTION '%: the entity of a row is not there', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END $$;

-- The rows of deleted entities go with them. The cascade from a workspace may run without its setting, which row level security
-- reads: it is set meanwhile, to the workspace of entities that are already deleted. Planned each time, for so many entities and for
-- tables as large as they are: a plan from when they were small would read all rows of the workspace for each entity.
CREATE FUNCTION "rapport_remove_of_entities"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before text := coalesce(current_setting('rapport.workspace_id', true), '');
    gone record;
    tenant text;
BEGIN
    FOR gone IN SELECT workspace_id, array_agg(id) AS ids FROM removed GROUP BY workspace_id LOOP
        PERFORM set_config('rapport.workspace_id', gone.workspace_id::text, true);
        FOREACH tenant IN ARRAY ARRAY['property_values', 'claims', 'observations'] LOOP
            EXECUTE format('DELETE FROM %I WHERE workspace_id = $1 AND entity_id = ANY($2)', tenant) USING gone.workspace_id, gone.ids;
        END LOOP;
    END LOOP;
    PERFORM set_config('rapport.workspace_id', before, true);
    RETURN NULL;
END $$;

CREATE FUNCTION "rapport_refuse_move"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: ids never change', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- Where tenants are spread over several machines, these tables keep their foreign keys: a trigger may not look into other tables there.
DO $$
DECLARE tenant text;
BEGIN
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'entities'::regclass AND partmethod = 'h') THEN
            RETURN;
        END IF;
    END IF;
    FOREACH tenant IN ARRAY ARRAY['observations', 'claims', 'property_values'] LOOP
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', tenant, tenant || '_workspace_id_entity_id_fkey');
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rapport_require_entities()', tenant || '_of_entities', tenant);
    END LOOP;
    CREATE TRIGGER "entities_take_their_rows" AFTER DELETE ON "entities" REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_remove_of_entities"();
    -- Observations refuse every change. With a list of columns no ordinary UPDATE starts these.
    CREATE TRIGGER "claims_stay" AFTER UPDATE OF "workspace_id", "entity_id" ON "claims" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_move"();
    CREATE TRIGGER "property_values_stay" AFTER UPDATE OF "workspace_id", "entity_id" ON "property_values" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_move"();
    CREATE TRIGGER "entities_stay" AFTER UPDATE OF "workspace_id", "id" ON "entities" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_move"();
END $$;
