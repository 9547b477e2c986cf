-- Who owns a person or company. Empty and not null where nobody does: the index is in order for those too.
ALTER TABLE "companies" ADD COLUMN     "owner" TEXT NOT NULL DEFAULT '';
ALTER TABLE "people" ADD COLUMN     "owner" TEXT NOT NULL DEFAULT '';

CREATE INDEX "people_owner_activity_idx" ON "people"("workspace_id", "status", "owner", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "people_owner_activity_idx" IS 'GET /v2/people?owner= by last activity';
CREATE INDEX "companies_owner_activity_idx" ON "companies"("workspace_id", "status", "owner", "last_activity_at" DESC NULLS LAST, "id" DESC);
COMMENT ON INDEX "companies_owner_activity_idx" IS 'GET /v2/companies?owner= by last activity';

-- Values that were kept under that name before are the owner's from now on.
UPDATE "people" SET "owner" = "custom" ->> 'owner' WHERE jsonb_typeof("custom" -> 'owner') = 'string';
UPDATE "companies" SET "owner" = "custom" ->> 'owner' WHERE jsonb_typeof("custom" -> 'owner') = 'string';
