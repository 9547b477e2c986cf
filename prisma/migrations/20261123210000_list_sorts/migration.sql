-- What lists are sorted by beside times, stages and scores. A column rather than an expression: functions are not
-- leakproof, so under row level security no index on an expression is used. A hundred letters fit into an index.
ALTER TABLE "people"
  ADD COLUMN "sort_name" text GENERATED ALWAYS AS (left(coalesce(nullif(split_part(search, E'\n', 2), ''), nullif(split_part(search, E'\n', 1), '')), 100)) STORED,
  ADD COLUMN "sort_company" text GENERATED ALWAYS AS (left(nullif(split_part(search, E'\n', 3), ''), 100)) STORED;
ALTER TABLE "companies"
  ADD COLUMN "sort_name" text GENERATED ALWAYS AS (left(coalesce(nullif(split_part(search, E'\n', 1), ''), nullif(split_part(search, E'\n', 2), '')), 100)) STORED;

CREATE INDEX "people_name_idx" ON "people"("workspace_id", "status", "sort_name" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_name_idx" IS 'GET /v2/people?sort=name_asc|desc';
CREATE INDEX "people_company_name_idx" ON "people"("workspace_id", "status", "sort_company" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_company_name_idx" IS 'GET /v2/people?sort=company_asc|desc';
CREATE INDEX "companies_name_idx" ON "companies"("workspace_id", "status", "sort_name" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "companies_name_idx" IS 'GET /v2/companies?sort=name_asc|desc';
CREATE INDEX "companies_source_activity_idx" ON "companies"("workspace_id", "status", "source", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "companies_source_activity_idx" IS 'GET /v2/companies?source=';

-- Those who have no address or company are few in most workspaces, and hard to find without an index.
CREATE INDEX "people_without_email_idx" ON "people"("workspace_id", "status") WHERE "email" IS NULL;
COMMENT ON INDEX "people_without_email_idx" IS 'GET /v2/people?has_email=false and property.email=exists:false';
CREATE INDEX "people_without_company_idx" ON "people"("workspace_id", "status") WHERE "company_id" IS NULL;
COMMENT ON INDEX "people_without_company_idx" IS 'GET /v2/people?company_id=exists:false';
CREATE INDEX "people_without_company_name_idx" ON "people"("workspace_id", "status") WHERE "company" IS NULL;
COMMENT ON INDEX "people_without_company_name_idx" IS 'GET /v2/people?property.company=exists:false';
