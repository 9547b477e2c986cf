CREATE TABLE "merges" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "keep_id" UUID NOT NULL,
    "drop_id" UUID NOT NULL,
    "identifier_ids" UUID[] NOT NULL,
    "followers" UUID[] NOT NULL,
    "actor" TEXT NOT NULL,
    "merged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undone_at" TIMESTAMPTZ(3),
    CONSTRAINT "merges_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "merges_workspace_id_keep_id_fkey" FOREIGN KEY ("workspace_id", "keep_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "merges_workspace_id_drop_id_fkey" FOREIGN KEY ("workspace_id", "drop_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "merges_standing_key" ON "merges"("workspace_id", "drop_id") WHERE "undone_at" IS NULL;
COMMENT ON INDEX "merges_standing_key" IS 'a record is merged into at most one other at a time';
CREATE INDEX "merges_keep_idx" ON "merges"("workspace_id", "keep_id", "merged_at" DESC);
COMMENT ON INDEX "merges_keep_idx" IS 'the merges into a record, which its page offers to undo';

ALTER TABLE "merges" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "merges" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "merges" USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace());

CREATE INDEX "entities_merged_into_idx" ON "entities"("workspace_id", "merged_into") WHERE "merged_into" IS NOT NULL;
COMMENT ON INDEX "entities_merged_into_idx" IS 'the records that were merged into one, when that one is merged further';
