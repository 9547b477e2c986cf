CREATE TYPE "backfill_state" AS ENUM ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled');
CREATE TABLE "backfills" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "everyone" BOOLEAN NOT NULL,
    "state" "backfill_state" NOT NULL DEFAULT 'queued',
    "total" INTEGER NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,
    "logged" INTEGER NOT NULL DEFAULT 0,
    "present" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "message" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    CONSTRAINT "backfills_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "backfills_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE "backfill_contacts" (
    "workspace_id" UUID NOT NULL,
    "backfill_id" UUID NOT NULL,
    "place" INTEGER NOT NULL,
    "contact_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "logged" INTEGER,
    "present" INTEGER,
    "skipped" INTEGER,
    "problem" TEXT,
    CONSTRAINT "backfill_contacts_pkey" PRIMARY KEY ("workspace_id", "backfill_id", "place"),
    CONSTRAINT "backfill_contacts_workspace_id_backfill_id_fkey" FOREIGN KEY ("workspace_id", "backfill_id") REFERENCES "backfills"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "backfill_contacts_workspace_id_contact_id_fkey" FOREIGN KEY ("workspace_id", "contact_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "backfill_contacts_contact_idx" ON "backfill_contacts"("workspace_id", "contact_id");
COMMENT ON INDEX "backfill_contacts_contact_idx" IS 'what hangs on a contact that is erased';

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['backfills', 'backfill_contacts'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;
