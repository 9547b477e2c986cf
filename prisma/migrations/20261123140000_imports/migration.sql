-- CreateTable
CREATE TABLE "imports" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "file_name" TEXT,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "kept" BOOLEAN NOT NULL DEFAULT true,
    "encoding" TEXT,
    "delimiter" TEXT,
    "header_row" INTEGER,
    "rows" INTEGER,
    "columns" JSONB NOT NULL DEFAULT '[]',
    "stage_values" JSONB NOT NULL DEFAULT '{}',
    "stages_seen" JSONB NOT NULL DEFAULT '[]',
    "policy" TEXT NOT NULL DEFAULT 'fill_blanks',
    "creates" BOOLEAN NOT NULL DEFAULT true,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "problem" TEXT,
    "check" JSONB,
    "run" JSONB,
    "undo" JSONB,
    "run_by" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "backfill_id" UUID,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "imports_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"imports"');

-- CreateTable
CREATE TABLE "import_chunks" (
    "workspace_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "import_chunks_pkey" PRIMARY KEY ("workspace_id","import_id","place")
);
SELECT rapport_tenant_table('"import_chunks"');

-- CreateTable
CREATE TABLE "import_batches" (
    "workspace_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "first_row" INTEGER NOT NULL,
    "cells" TEXT NOT NULL,
    "checked" TEXT,
    "ran" TEXT,
    "check_counts" INTEGER[],
    "run_counts" INTEGER[],
    "touched" UUID[],
    "created" UUID[],
    "before" TEXT,

    CONSTRAINT "import_batches_pkey" PRIMARY KEY ("workspace_id","import_id","place")
);
SELECT rapport_tenant_table('"import_batches"');

-- CreateTable
CREATE TABLE "retired_observations" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seq" BIGINT NOT NULL,
    "entity_id" UUID NOT NULL,
    "kind" "observation_kind" NOT NULL,
    "property" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "source" TEXT NOT NULL,
    "method" "method" NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "external_id" TEXT,
    "caused_by" UUID,
    "actor" TEXT NOT NULL,
    "client" TEXT,

    CONSTRAINT "retired_observations_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"retired_observations"');

-- CreateIndex
CREATE INDEX "retired_observations_entity_idx" ON "retired_observations"("workspace_id", "entity_id");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_chunks" ADD CONSTRAINT "import_chunks_workspace_id_import_id_fkey" FOREIGN KEY ("workspace_id", "import_id") REFERENCES "imports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "import_batches" ADD CONSTRAINT "import_batches_workspace_id_import_id_fkey" FOREIGN KEY ("workspace_id", "import_id") REFERENCES "imports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "retired_observations" ADD CONSTRAINT "retired_observations_workspace_id_import_id_fkey" FOREIGN KEY ("workspace_id", "import_id") REFERENCES "imports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "retired_observations_entity_idx" IS 'evidence of undone imports about a person who is erased';
