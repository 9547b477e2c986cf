-- The ICP score: a model as data, what it gave to whom and when, and who is to be scored again.
-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "scored" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "people" ADD COLUMN     "scored" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "scoring_models" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "signals" JSONB NOT NULL,
    "builder" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "stage" TEXT NOT NULL DEFAULT 'companies',
    "after" UUID,
    "scored" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "scoring_models_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"scoring_models"');

-- CreateTable
CREATE TABLE "score_changes" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "model_version" INTEGER NOT NULL,
    "score" INTEGER,
    "previous" INTEGER,
    "cause" TEXT NOT NULL,
    "observation_id" UUID,
    "points" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "score_changes_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"score_changes"');

-- CreateTable
CREATE TABLE "score_queue" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "entity_id" UUID NOT NULL,

    CONSTRAINT "score_queue_pkey" PRIMARY KEY ("workspace_id","seq")
);
SELECT rapport_tenant_table('"score_queue"');

-- CreateIndex
CREATE UNIQUE INDEX "scoring_models_workspace_id_version_key" ON "scoring_models"("workspace_id", "version");

-- CreateIndex
CREATE INDEX "score_changes_entity_idx" ON "score_changes"("workspace_id", "entity_id", "at");

-- AddForeignKey
ALTER TABLE "scoring_models" ADD CONSTRAINT "scoring_models_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "score_changes" ADD CONSTRAINT "score_changes_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "score_queue" ADD CONSTRAINT "score_queue_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "scoring_models_workspace_id_version_key" IS 'the current scoring model, and its versions';

COMMENT ON INDEX "score_changes_entity_idx" IS 'the score history of one person or company';
