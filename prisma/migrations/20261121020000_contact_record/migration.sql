-- Substring search: the trigram index also carries the tenant and the stage, so one index answers the whole condition.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Under row level security Postgres keeps operators it does not trust out of index conditions. LIKE reveals nothing but
-- its own pattern's form, and only Rapport's statements run here, so it is declared safe where the role may do that (a
-- superuser: the embedded database's bootstrap, or a container's login). Elsewhere search still answers, slower.
DO $$ BEGIN
    ALTER FUNCTION pg_catalog.textlike(text, text) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;

CREATE TYPE "pipeline_stage" AS ENUM ('identified', 'aware', 'interested', 'evaluating', 'client');

-- An entity that was merged into another keeps its evidence; readers follow merged_into, and the other lists it in absorbed.
ALTER TABLE "entities" ADD COLUMN "merged_into" UUID, ADD COLUMN "absorbed" UUID[] NOT NULL DEFAULT '{}';

CREATE TABLE "people" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "status" "entity_status" NOT NULL DEFAULT 'active',
    "email" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "job_title" TEXT,
    "company" TEXT,
    "company_id" UUID,
    "linkedin_url" TEXT,
    "phone" TEXT,
    "pipeline_stage" "pipeline_stage" NOT NULL DEFAULT 'identified',
    "icp_score" INTEGER,
    "last_activity_at" TIMESTAMPTZ(3),
    "source" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "custom" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT NOT NULL,
    "wire" TEXT NOT NULL,
    CONSTRAINT "people_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "people_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX "people_activity_idx" ON "people"("workspace_id", "status", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_activity_idx" IS 'GET /v2/people by last activity, both directions, and its cursor';
CREATE INDEX "people_stage_activity_idx" ON "people"("workspace_id", "status", "pipeline_stage", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_stage_activity_idx" IS 'GET /v2/people?pipeline_stage=, and the funnel';
CREATE INDEX "people_created_idx" ON "people"("workspace_id", "status", "created_at" DESC, "id" DESC);
COMMENT ON INDEX "people_created_idx" IS 'GET /v2/people?sort=created_desc|asc';
CREATE INDEX "people_score_idx" ON "people"("workspace_id", "status", "icp_score" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_score_idx" IS 'GET /v2/people?sort=icp_score_desc|asc and min_icp_score';
CREATE INDEX "people_source_activity_idx" ON "people"("workspace_id", "status", "source", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_source_activity_idx" IS 'GET /v2/people?source=';
CREATE INDEX "people_company_idx" ON "people"("workspace_id", "company_id", "last_activity_at" DESC NULLS LAST, "id" DESC) WHERE "company_id" IS NOT NULL;
COMMENT ON INDEX "people_company_idx" IS 'the people of a company (company_id filter, stakeholders, renaming)';
CREATE INDEX "people_search_idx" ON "people" USING GIN ("workspace_id", "pipeline_stage", "search" gin_trgm_ops) WITH (fastupdate = on);
COMMENT ON INDEX "people_search_idx" IS 'GET /v2/people?search=, alone or with pipeline_stage';

CREATE TABLE "companies" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "status" "entity_status" NOT NULL DEFAULT 'active',
    "domain" TEXT,
    "name" TEXT,
    "linkedin_url" TEXT,
    "industry" TEXT,
    "employee_count" INTEGER,
    "country" TEXT,
    "people_count" INTEGER NOT NULL DEFAULT 0,
    "icp_score" INTEGER,
    "last_activity_at" TIMESTAMPTZ(3),
    "source" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "custom" JSONB NOT NULL DEFAULT '{}',
    "search" TEXT NOT NULL,
    CONSTRAINT "companies_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "companies_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX "companies_activity_idx" ON "companies"("workspace_id", "status", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "companies_activity_idx" IS 'GET /v2/companies by last activity, both directions, and its cursor';
CREATE INDEX "companies_created_idx" ON "companies"("workspace_id", "status", "created_at" DESC, "id" DESC);
COMMENT ON INDEX "companies_created_idx" IS 'GET /v2/companies?sort=created_desc|asc';
CREATE INDEX "companies_score_idx" ON "companies"("workspace_id", "status", "icp_score" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "companies_score_idx" IS 'GET /v2/companies?sort=icp_score_desc|asc';
CREATE INDEX "companies_search_idx" ON "companies" USING GIN ("workspace_id", "search" gin_trgm_ops) WITH (fastupdate = on);
COMMENT ON INDEX "companies_search_idx" IS 'GET /v2/companies?search=, and finding a focus by name';

CREATE INDEX "observations_timeline_idx" ON "observations"("workspace_id", "entity_id", "observed_at" DESC, "seq" DESC) WHERE "kind" = 'event';
COMMENT ON INDEX "observations_timeline_idx" IS 'the timeline of an entity';
CREATE INDEX "observations_recent_idx" ON "observations"("workspace_id", "entity_id", "seq" DESC);
COMMENT ON INDEX "observations_recent_idx" IS 'the latest observations of an entity (GET /v2/accounts/:focus)';
CREATE INDEX "observations_learned_idx" ON "observations"("workspace_id", "seq" DESC);
COMMENT ON INDEX "observations_learned_idx" IS 'what was learned in a workspace, newest first (POST /v2/query)';

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['people', 'companies'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;
