-- The same change of every record that a list's filters mean, as a job that can be undone.
ALTER TABLE "entities" ADD COLUMN     "status_action" UUID;

-- CreateTable
CREATE TABLE "bulk_actions" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "what" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "stage" TEXT,
    "list_id" UUID,
    "filters" JSONB NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'queued',
    "total" INTEGER,
    "position" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "undone" INTEGER,
    "restored" INTEGER NOT NULL DEFAULT 0,
    "kept" INTEGER NOT NULL DEFAULT 0,
    "undone_by" TEXT,
    "message" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_actions_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"bulk_actions"');

-- CreateTable
CREATE TABLE "bulk_action_batches" (
    "workspace_id" UUID NOT NULL,
    "action_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "entity_ids" UUID[],
    "changes" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "bulk_action_batches_pkey" PRIMARY KEY ("workspace_id","action_id","place")
);
SELECT rapport_tenant_table('"bulk_action_batches"');

-- AddForeignKey
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bulk_action_batches" ADD CONSTRAINT "bulk_action_batches_workspace_id_action_id_fkey" FOREIGN KEY ("workspace_id", "action_id") REFERENCES "bulk_actions"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
