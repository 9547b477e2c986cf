-- Both hold only the few rows that somebody should look at, so writing the others costs nothing.
CREATE INDEX "claims_conflicts_idx" ON "claims"("workspace_id", "last_observed_at" DESC, "id" DESC) WHERE "ended_at" IS NULL AND "conflicts" <> '[]'::jsonb;
COMMENT ON INDEX "claims_conflicts_idx" IS 'claims in dispute (GET /v2/attention)';
CREATE INDEX "observations_meetings_idx" ON "observations"("workspace_id", "observed_at", "seq") WHERE "property" = 'interaction.meeting_scheduled';
COMMENT ON INDEX "observations_meetings_idx" IS 'meetings that are still to come (GET /v2/attention)';
