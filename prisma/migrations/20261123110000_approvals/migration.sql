-- A key may be made so that what it writes waits until a person approves it.
CREATE TYPE "approval_mode" AS ENUM ('none', 'writes');

CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected', 'expired', 'failed', 'cancelled');

ALTER TABLE "api_keys" ADD COLUMN     "approval" "approval_mode" NOT NULL DEFAULT 'none';

CREATE TABLE "approvals" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "encrypted" BOOLEAN NOT NULL,
    "size" INTEGER NOT NULL,
    "actor" TEXT NOT NULL,
    "asker_id" UUID NOT NULL,
    "scopes" "scope"[],
    "client" TEXT,
    "request_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "decided_at" TIMESTAMPTZ(3),
    "decided_by" UUID,
    "reason" TEXT,
    "result" TEXT,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"approvals"');

CREATE INDEX "approvals_workspace_id_status_id_idx" ON "approvals"("workspace_id", "status", "id");

CREATE INDEX "approvals_workspace_id_asker_id_id_idx" ON "approvals"("workspace_id", "asker_id", "id");

ALTER TABLE "approvals" ADD CONSTRAINT "approvals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "approvals_workspace_id_status_id_idx" IS 'the changes that wait, newest first, and their count; the maintenance: what is overdue or was decided long ago';

COMMENT ON INDEX "approvals_workspace_id_asker_id_id_idx" IS 'what a key asked for, newest first; how much of it waits';
