-- Which properties of `property_values` a record has: equal for records that have the same, of which there are few kinds. A
-- column rather than an expression, so that the index is used under row level security; the database makes it, so that no
-- writer can forget it. Keys of a jsonb value are always in the same order.
ALTER TABLE "people"
  ADD COLUMN "property_set" uuid GENERATED ALWAYS AS (md5(
    CASE WHEN "first_name" IS NULL THEN '-' ELSE '+' END || CASE WHEN "last_name" IS NULL THEN '-' ELSE '+' END || CASE WHEN "job_title" IS NULL THEN '-' ELSE '+' END
    || CASE WHEN "linkedin_url" IS NULL THEN '-' ELSE '+' END || CASE WHEN "phone" IS NULL THEN '-' ELSE '+' END
    || jsonb_path_query_array("custom", '$.keyvalue().key')::text)::uuid) STORED;
ALTER TABLE "companies"
  ADD COLUMN "property_set" uuid GENERATED ALWAYS AS (md5(
    CASE WHEN "linkedin_url" IS NULL THEN '-' ELSE '+' END || CASE WHEN "industry" IS NULL THEN '-' ELSE '+' END
    || CASE WHEN "employee_count" IS NULL THEN '-' ELSE '+' END || CASE WHEN "country" IS NULL THEN '-' ELSE '+' END
    || jsonb_path_query_array("custom", '$.keyvalue().key')::text)::uuid) STORED;

CREATE INDEX "people_property_set_idx" ON "people"("workspace_id", "status", "property_set", "last_activity_at" DESC NULLS LAST, "id" DESC) INCLUDE ("created_at");
COMMENT ON INDEX "people_property_set_idx" IS 'GET /v2/people?property.<name>=exists:false and has_linkedin=false, from set to set';
CREATE INDEX "companies_property_set_idx" ON "companies"("workspace_id", "status", "property_set", "last_activity_at" DESC NULLS LAST, "id" DESC) INCLUDE ("created_at");
COMMENT ON INDEX "companies_property_set_idx" IS 'GET /v2/companies?property.<name>=exists:false, from set to set';
