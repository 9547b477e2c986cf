CREATE INDEX "observations_feed_idx" ON "observations"("workspace_id", "property", "seq" DESC) WHERE "kind" = 'event';
COMMENT ON INDEX "observations_feed_idx" IS 'GET /v2/activities?type=: what was reported of one kind, the latest first';
