-- Only records that have an owner: where no one owns any, an activity writes nothing here.
CREATE INDEX "people_owner_score_idx" ON "people"("workspace_id", "status", "owner", "icp_score" DESC NULLS LAST, "id" DESC) WHERE "owner" <> '';
COMMENT ON INDEX "people_owner_score_idx" IS 'GET /v2/people?owner= by ICP score';
CREATE INDEX "companies_owner_score_idx" ON "companies"("workspace_id", "status", "owner", "icp_score" DESC NULLS LAST, "id" DESC) WHERE "owner" <> '';
COMMENT ON INDEX "companies_owner_score_idx" IS 'GET /v2/companies?owner= by ICP score';
