-- Entries are sealed in the order of the transactions that wrote them, once none that is as old can still commit, as the feed of
-- changes is handed out: no entry waits for another, and none comes late. What is there already comes first.
ALTER TABLE "audit_log" ADD COLUMN "written_in" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "audit_log" ALTER COLUMN "written_in" SET DEFAULT "rapport_transaction"();
CREATE INDEX "audit_log_written_idx" ON "audit_log"("workspace_id", "written_in", "id");
COMMENT ON INDEX "audit_log_written_idx" IS 'which entries are not sealed yet, and what a block should have';

-- A link of the chain: the entries that it seals with their hashes, and the hash of all of them with the block before.
CREATE TABLE "audit_blocks" (
    "workspace_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "entry_ids" UUID[] NOT NULL,
    "digests" BYTEA NOT NULL,
    "previous" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "reaches_in" BIGINT NOT NULL,
    "reaches_id" UUID NOT NULL,
    "latest_at" TIMESTAMPTZ(3) NOT NULL,
    "sealed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "audit_blocks_pkey" PRIMARY KEY ("workspace_id", "number")
);
SELECT rapport_tenant_table('"audit_blocks"');
ALTER TABLE "audit_blocks" ADD CONSTRAINT "audit_blocks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
CREATE TRIGGER "audit_blocks_append_only" BEFORE UPDATE OR DELETE ON "audit_blocks" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_change"();
CREATE TRIGGER "audit_blocks_no_truncate" BEFORE TRUNCATE ON "audit_blocks" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_refuse_change"();

-- How far each workspace was sent to where the operator wants its audit log.
CREATE TABLE "audit_pushes" (
    "workspace_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "audit_pushes_pkey" PRIMARY KEY ("workspace_id")
);
SELECT rapport_tenant_table('"audit_pushes"');
ALTER TABLE "audit_pushes" ADD CONSTRAINT "audit_pushes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
