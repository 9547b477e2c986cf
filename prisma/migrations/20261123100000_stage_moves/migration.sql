CREATE INDEX "observations_moves_idx" ON "observations"("workspace_id", "caused_by") WHERE "property" = 'pipeline_stage' AND "caused_by" IS NOT NULL;
COMMENT ON INDEX "observations_moves_idx" IS 'which stage an activity led to (GET /v2/accounts/:focus/timeline)';
