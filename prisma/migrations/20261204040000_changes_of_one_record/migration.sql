CREATE INDEX "observations_entity_written_idx" ON "observations"("workspace_id", "entity_id", "written_in", "seq");
COMMENT ON INDEX "observations_entity_written_idx" IS 'GET /v2/changes?focus=: what was recorded of one record, in the order it became visible';
