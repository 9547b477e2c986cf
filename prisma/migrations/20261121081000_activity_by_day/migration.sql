CREATE INDEX "observations_happened_idx" ON "observations"("workspace_id", "observed_at") INCLUDE ("property") WHERE "kind" = 'event';
COMMENT ON INDEX "observations_happened_idx" IS 'what happened in a workspace by day (the chart of the home page), read alone';
