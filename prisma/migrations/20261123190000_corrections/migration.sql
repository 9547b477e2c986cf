-- Which identifier of a kind a record shows: the one made primary last, else the latest.
ALTER TABLE "identifiers" ADD COLUMN "preferred_at" TIMESTAMPTZ(3);

CREATE INDEX "observations_retired_idx" ON "observations"("workspace_id", "caused_by", "seq" DESC) WHERE "property" LIKE 'retired.%' AND "caused_by" IS NOT NULL;
COMMENT ON INDEX "observations_retired_idx" IS 'which events were removed or corrected, and are not shown';

-- The note that a corrected one replaces. One note has one successor.
ALTER TABLE "notes" ADD COLUMN "supersedes" UUID;
CREATE UNIQUE INDEX "notes_supersedes_key" ON "notes"("workspace_id", "supersedes") WHERE "supersedes" IS NOT NULL;
COMMENT ON INDEX "notes_supersedes_key" IS 'whether a note was corrected, and by which; exactly one';
