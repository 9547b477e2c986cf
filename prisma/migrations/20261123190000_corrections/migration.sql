-- Which identifier of a kind a record shows: the one made primary last, else the latest.
ALTER TABLE "identifiers" ADD COLUMN "preferred_at" TIMESTAMPTZ(3);

CREATE INDEX "observations_retired_idx" ON "observations"("workspace_id", "caused_by", "seq" DESC) WHERE "property" LIKE 'retired.%' AND "caused_by" IS NOT NULL;
COMMENT ON INDEX "observations_retired_idx" IS 'which events were removed or corrected, and are not shown';
