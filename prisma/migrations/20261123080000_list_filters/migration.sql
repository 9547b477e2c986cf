-- When a record was last updated: GET /v2/people and GET /v2/companies with updated_after and updated_before.
ALTER TABLE "people" ADD COLUMN "updated_at" TIMESTAMPTZ(3);
ALTER TABLE "companies" ADD COLUMN "updated_at" TIMESTAMPTZ(3);

-- What property filters look in, beside the columns that have indexes of their own.
CREATE TABLE "property_values" (
    "workspace_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "property" TEXT NOT NULL,
    "subject" "entity_type" NOT NULL,
    "folded" TEXT NOT NULL,
    "number" DOUBLE PRECISION,
    "time" TIMESTAMPTZ(3),
    CONSTRAINT "property_values_pkey" PRIMARY KEY ("workspace_id", "entity_id", "property")
);

-- Who migrates may be subject to row level security itself, and is not meanwhile.
ALTER TABLE "people" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "companies" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "entities" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "observations" NO FORCE ROW LEVEL SECURITY;

-- Of records that are there already: the latest evidence about them and what was merged into them.
UPDATE "people" p SET "updated_at" = greatest(p."created_at", (
    SELECT max(o."recorded_at") FROM "observations" o JOIN "entities" e ON e."workspace_id" = p."workspace_id" AND e."id" = p."id"
    WHERE o."workspace_id" = p."workspace_id" AND o."entity_id" = ANY(array_prepend(p."id", e."absorbed"))));
UPDATE "companies" c SET "updated_at" = greatest(c."created_at", c."last_activity_at", (
    SELECT max(o."recorded_at") FROM "observations" o JOIN "entities" e ON e."workspace_id" = c."workspace_id" AND e."id" = c."id"
    WHERE o."workspace_id" = c."workspace_id" AND o."entity_id" = ANY(array_prepend(c."id", e."absorbed"))));

-- As `fold` in lib/core/fold.ts has it; `rapport admin rebuild` writes what this does not get right in rare scripts.
CREATE FUNCTION "rapport_fold"("given" text) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT btrim(regexp_replace(normalize(lower(regexp_replace(normalize(given, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]', '', 'g')), NFKC), '\s+', ' ', 'g')) $$;
-- Null for text that looks like a time and is none.
CREATE FUNCTION "rapport_time"("given" text) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE
    AS $$ BEGIN RETURN given::timestamptz; EXCEPTION WHEN others THEN RETURN NULL; END $$;
INSERT INTO "property_values" ("workspace_id", "entity_id", "property", "subject", "folded", "number", "time")
SELECT v."workspace_id", v."id", v."property", v."subject"::"entity_type",
    left(E'\n' || CASE jsonb_typeof(v."value")
        WHEN 'array' THEN (SELECT coalesce(string_agg("rapport_fold"(item) || E'\n', '' ORDER BY place), '') FROM jsonb_array_elements_text(v."value") WITH ORDINALITY AS i(item, place))
        ELSE "rapport_fold"(v."value" #>> '{}') || E'\n' END, 2001),
    CASE WHEN jsonb_typeof(v."value") = 'number' OR v."own" AND jsonb_typeof(v."value") = 'string' AND v."value" #>> '{}' ~ '^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$'
        THEN (v."value" #>> '{}')::double precision END,
    CASE WHEN v."own" AND jsonb_typeof(v."value") = 'string' AND v."value" #>> '{}' ~ '^\d{4}-\d{2}-\d{2}([Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2}))?$'
        THEN "rapport_time"(replace(v."value" #>> '{}', ' ', 'T') || CASE WHEN length(v."value" #>> '{}') = 10 THEN 'T00:00:00Z' ELSE '' END) END
FROM (
    SELECT p."workspace_id", p."id", 'person' AS "subject", k."property", k."value", k."own" FROM "people" p CROSS JOIN LATERAL (
        SELECT "key" AS "property", "value", true AS "own" FROM jsonb_each(p."custom")
        UNION ALL SELECT f."key", f."value", false FROM jsonb_each(jsonb_build_object('first_name', p."first_name", 'last_name', p."last_name", 'job_title', p."job_title", 'phone', p."phone", 'linkedin_url', p."linkedin_url")) AS f WHERE f."value" <> 'null') AS k
    UNION ALL
    SELECT c."workspace_id", c."id", 'company', k."property", k."value", k."own" FROM "companies" c CROSS JOIN LATERAL (
        SELECT "key" AS "property", "value", true AS "own" FROM jsonb_each(c."custom")
        UNION ALL SELECT f."key", f."value", false FROM jsonb_each(jsonb_build_object('linkedin_url', c."linkedin_url", 'industry', c."industry", 'country', c."country", 'employee_count', c."employee_count")) AS f WHERE f."value" <> 'null') AS k
) AS v;
DROP FUNCTION "rapport_fold"(text);
DROP FUNCTION "rapport_time"(text);

ALTER TABLE "people" FORCE ROW LEVEL SECURITY;
ALTER TABLE "companies" FORCE ROW LEVEL SECURITY;
ALTER TABLE "entities" FORCE ROW LEVEL SECURITY;
ALTER TABLE "observations" FORCE ROW LEVEL SECURITY;
ALTER TABLE "people" ALTER COLUMN "updated_at" SET NOT NULL;
ALTER TABLE "companies" ALTER COLUMN "updated_at" SET NOT NULL;

CREATE INDEX "people_updated_idx" ON "people"("workspace_id", "status", "updated_at");
COMMENT ON INDEX "people_updated_idx" IS 'GET /v2/people?updated_after= and updated_before=';
CREATE INDEX "companies_updated_idx" ON "companies"("workspace_id", "status", "updated_at");
COMMENT ON INDEX "companies_updated_idx" IS 'GET /v2/companies?updated_after= and updated_before=';

SELECT rapport_tenant_table('"property_values"');
ALTER TABLE "property_values" ADD CONSTRAINT "property_values_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
CREATE INDEX "property_values_name_idx" ON "property_values"("workspace_id", "subject", "property", "number");
COMMENT ON INDEX "property_values_name_idx" IS 'property.<name>= with exists, and with numbers; the names of GET /v2/properties';
CREATE INDEX "property_values_time_idx" ON "property_values"("workspace_id", "subject", "property", "time") WHERE "time" IS NOT NULL;
COMMENT ON INDEX "property_values_time_idx" IS 'property.<name>= with dates';
CREATE INDEX "property_values_text_idx" ON "property_values" USING GIN ("workspace_id", "property", "folded" gin_trgm_ops) WITH (fastupdate = on);
COMMENT ON INDEX "property_values_text_idx" IS 'property.<name>= with a text, and with contains';
