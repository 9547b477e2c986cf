-- Where a person stood before and after an activity: the answer to whoever reports it again. Before is null when the
-- activity created the person.
ALTER TABLE "observations" ADD COLUMN "stage_before" "pipeline_stage", ADD COLUMN "stage_after" "pipeline_stage";

CREATE INDEX "observations_bookings_idx" ON "observations"("workspace_id", "source", "external_id") WHERE "property" = 'interaction.meeting_scheduled' AND "external_id" IS NOT NULL;
COMMENT ON INDEX "observations_bookings_idx" IS 'whose timelines hold a booking that was rescheduled';

-- What happened, for whoever is to be told: written with what happened, removed when told or old.
CREATE TABLE "outbox" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "observation_id" UUID,
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "outbox_pkey" PRIMARY KEY ("workspace_id", "seq"),
    CONSTRAINT "outbox_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The rules of a workspace that has its own; the others follow the standard table.
CREATE TABLE "stage_rules" (
    "workspace_id" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "max_age_days" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,
    CONSTRAINT "stage_rules_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "stage_rules_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['outbox', 'stage_rules'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;
