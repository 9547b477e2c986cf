-- A range of scores, or of times of creation, in a list by last activity: all that are in it are found and sorted by what the index
-- holds, without reading their rows.
DROP INDEX "people_score_idx";
CREATE INDEX "people_score_idx" ON "people"("workspace_id", "status", "icp_score" NULLS FIRST, "id") INCLUDE ("last_activity_at");
COMMENT ON INDEX "people_score_idx" IS 'GET /v2/people?sort=icp_score_desc|asc, and min_icp_score= and max_icp_score= by last activity';
DROP INDEX "people_created_idx";
CREATE INDEX "people_created_idx" ON "people"("workspace_id", "status", "created_at", "id") INCLUDE ("last_activity_at");
COMMENT ON INDEX "people_created_idx" IS 'GET /v2/people?sort=created_desc|asc, and created_after= and created_before= by last activity';
