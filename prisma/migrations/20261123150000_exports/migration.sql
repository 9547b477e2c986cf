-- Files made of lists, and the hashes that keep erased people from being created again.
CREATE TYPE "export_state" AS ENUM ('queued', 'running', 'done', 'failed', 'cancelled', 'expired');

CREATE TABLE "exports" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "what" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "filters" JSONB NOT NULL DEFAULT '{}',
    "columns" TEXT[],
    "state" "export_state" NOT NULL DEFAULT 'queued',
    "run" UUID,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "message" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"exports"');

CREATE TABLE "export_chunks" (
    "workspace_id" UUID NOT NULL,
    "export_id" UUID NOT NULL,
    "start" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "export_chunks_pkey" PRIMARY KEY ("workspace_id","export_id","start")
);
SELECT rapport_tenant_table('"export_chunks"');

CREATE TABLE "tombstones" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tombstones_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"tombstones"');

CREATE UNIQUE INDEX "tombstones_workspace_id_hash_key" ON "tombstones"("workspace_id", "hash");

ALTER TABLE "exports" ADD CONSTRAINT "exports_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "export_chunks" ADD CONSTRAINT "export_chunks_workspace_id_export_id_fkey" FOREIGN KEY ("workspace_id", "export_id") REFERENCES "exports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "tombstones" ADD CONSTRAINT "tombstones_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "tombstones_workspace_id_hash_key" IS 'whether an address that a webhook or import would create a person for is that of an erased one';
