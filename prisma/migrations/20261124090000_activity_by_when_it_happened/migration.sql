-- What happened, in its order, filtered by property and source without reading the table.
DROP INDEX "observations_happened_idx";
CREATE INDEX "observations_happened_idx" ON "observations"("workspace_id", "observed_at", "seq") INCLUDE ("property", "source") WHERE "kind" = 'event';
COMMENT ON INDEX "observations_happened_idx" IS 'the activity page, by when it happened; what happened in a workspace by day (the chart of the home page), read alone';
