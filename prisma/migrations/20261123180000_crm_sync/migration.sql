-- How a workspace syncs with CRMs: its rules, its runs, and which record is which person.
CREATE TYPE "crm_run_state" AS ENUM ('queued', 'running', 'waiting', 'blocked', 'done', 'failed', 'cancelled');

CREATE TYPE "crm_outcome" AS ENUM ('created', 'updated', 'unchanged', 'skipped', 'finding', 'failed');

CREATE TABLE "crm_configs" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "auto_sync" BOOLEAN NOT NULL,
    "push_activities" BOOLEAN NOT NULL,
    "create_in_crm" BOOLEAN NOT NULL,
    "create_trigger" TEXT NOT NULL,
    "create_require_icp_fit" BOOLEAN NOT NULL,
    "create_icp_threshold" INTEGER NOT NULL,
    "hygiene_enabled" BOOLEAN NOT NULL,
    "hygiene_cadence" TEXT NOT NULL,
    "matched_account" TEXT,
    "compared_account" TEXT,
    "compared_to" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_by" TEXT NOT NULL,

    CONSTRAINT "crm_configs_pkey" PRIMARY KEY ("workspace_id","provider")
);
SELECT rapport_tenant_table('"crm_configs"');

CREATE TABLE "crm_runs" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "everyone" BOOLEAN NOT NULL,
    "state" "crm_run_state" NOT NULL DEFAULT 'queued',
    "total" INTEGER,
    "listed_at" TIMESTAMPTZ(3),
    "matching" TEXT,
    "position" INTEGER NOT NULL DEFAULT 0,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "unchanged" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "findings" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "matched" INTEGER NOT NULL DEFAULT 0,
    "notes" INTEGER NOT NULL DEFAULT 0,
    "activities" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "crm_runs_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"crm_runs"');

CREATE TABLE "crm_run_rows" (
    "workspace_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "contact_id" UUID NOT NULL,
    "outcome" "crm_outcome",
    "record_id" TEXT,
    "record_url" TEXT,
    "fields" TEXT[],
    "notes" INTEGER NOT NULL DEFAULT 0,
    "activities" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT,
    "is_done" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "crm_run_rows_pkey" PRIMARY KEY ("workspace_id","run_id","place")
);
SELECT rapport_tenant_table('"crm_run_rows"');

CREATE TABLE "crm_records" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "record_id" TEXT NOT NULL,
    "record_url" TEXT,
    "pushed" JSONB NOT NULL,
    "gone_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "crm_records_pkey" PRIMARY KEY ("workspace_id","provider","account","entity_id")
);
SELECT rapport_tenant_table('"crm_records"');

CREATE TABLE "crm_pushes" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "remote_id" TEXT,
    "problem" TEXT,
    "begun_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "crm_pushes_pkey" PRIMARY KEY ("workspace_id","provider","account","source_id")
);
SELECT rapport_tenant_table('"crm_pushes"');

CREATE INDEX "crm_run_rows_contact_idx" ON "crm_run_rows"("workspace_id", "contact_id");

CREATE INDEX "crm_records_entity_idx" ON "crm_records"("workspace_id", "entity_id");

CREATE UNIQUE INDEX "crm_records_record_key" ON "crm_records"("workspace_id", "provider", "account", "record_id");

CREATE INDEX "crm_pushes_entity_idx" ON "crm_pushes"("workspace_id", "entity_id");

ALTER TABLE "crm_configs" ADD CONSTRAINT "crm_configs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "crm_runs" ADD CONSTRAINT "crm_runs_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "crm_run_rows" ADD CONSTRAINT "crm_run_rows_workspace_id_run_id_fkey" FOREIGN KEY ("workspace_id", "run_id") REFERENCES "crm_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "crm_run_rows" ADD CONSTRAINT "crm_run_rows_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "crm_records" ADD CONSTRAINT "crm_records_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "crm_pushes" ADD CONSTRAINT "crm_pushes_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "crm_run_rows_contact_idx" IS 'what hangs on a contact that is erased';

COMMENT ON INDEX "crm_records_entity_idx" IS 'the records of a person and of those merged into it; what hangs on a contact that is erased';

COMMENT ON INDEX "crm_records_record_key" IS 'one record of a CRM is one person';

COMMENT ON INDEX "crm_pushes_entity_idx" IS 'what of a person was pushed; what hangs on a contact that is erased';
