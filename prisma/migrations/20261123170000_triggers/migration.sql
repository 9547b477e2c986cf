-- Outbound webhooks: triggers, what goes out for them in what order, and counts by the hour.
CREATE TYPE "trigger_status" AS ENUM ('active', 'paused', 'disabled');

CREATE TYPE "trigger_delivery_status" AS ENUM ('pending', 'delivered', 'failed', 'skipped');

ALTER TABLE "workspaces" ADD COLUMN     "has_triggers" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "triggers" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "filters" JSONB NOT NULL DEFAULT '{}',
    "secret" TEXT NOT NULL,
    "old_secret" TEXT,
    "old_secret_until" TIMESTAMPTZ(3),
    "status" "trigger_status" NOT NULL DEFAULT 'active',
    "message" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "given_up" INTEGER NOT NULL DEFAULT 0,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "triggers_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"triggers"');

CREATE TABLE "trigger_deliveries" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "trigger_id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "type" TEXT NOT NULL,
    "entity_id" UUID,
    "body" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "status" "trigger_delivery_status" NOT NULL DEFAULT 'pending',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "trigger_deliveries_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"trigger_deliveries"');

CREATE TABLE "trigger_hours" (
    "workspace_id" UUID NOT NULL,
    "trigger_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,

    CONSTRAINT "trigger_hours_pkey" PRIMARY KEY ("workspace_id","trigger_id","hour")
);
SELECT rapport_tenant_table('"trigger_hours"');

CREATE INDEX "trigger_deliveries_log_idx" ON "trigger_deliveries"("workspace_id", "trigger_id", "seq" DESC);

CREATE INDEX "trigger_deliveries_entity_idx" ON "trigger_deliveries"("workspace_id", "entity_id");

ALTER TABLE "triggers" ADD CONSTRAINT "triggers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "trigger_deliveries" ADD CONSTRAINT "trigger_deliveries_workspace_id_trigger_id_fkey" FOREIGN KEY ("workspace_id", "trigger_id") REFERENCES "triggers"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "trigger_deliveries" ADD CONSTRAINT "trigger_deliveries_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "trigger_hours" ADD CONSTRAINT "trigger_hours_workspace_id_trigger_id_fkey" FOREIGN KEY ("workspace_id", "trigger_id") REFERENCES "triggers"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "trigger_deliveries_log_idx" IS 'the log of a trigger, newest first; the maintenance: what is older than its days';

COMMENT ON INDEX "trigger_deliveries_entity_idx" IS 'what erasing a person deletes';

CREATE INDEX "trigger_deliveries_pending_idx" ON "trigger_deliveries"("workspace_id", "trigger_id", "seq") WHERE status = 'pending';

COMMENT ON INDEX "trigger_deliveries_pending_idx" IS 'what goes out next for each trigger, in order; how much of it waits';

CREATE INDEX "workspaces_has_triggers_idx" ON "workspaces"("id") WHERE has_triggers;

COMMENT ON INDEX "workspaces_has_triggers_idx" IS 'every few seconds: the workspaces whose events are delivered';
