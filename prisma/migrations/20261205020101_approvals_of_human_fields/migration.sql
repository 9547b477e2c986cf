-- A third mode: what no person said is written at once, what would change a person's word waits.
ALTER TYPE "approval_mode" ADD VALUE 'human_fields';

-- One value that was kept back from a call while the rest of it was done.
ALTER TABLE "approvals" ADD COLUMN     "entity_id" UUID,
ADD COLUMN     "property" TEXT;

-- What a person allowed for good: this key or client may set this property.
CREATE TABLE "approval_rules" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "asker_id" UUID NOT NULL,
    "property" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_rules_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"approval_rules"');

CREATE UNIQUE INDEX "approval_rules_workspace_id_asker_id_property_key" ON "approval_rules"("workspace_id", "asker_id", "property");

CREATE INDEX "approvals_workspace_id_entity_id_property_idx" ON "approvals"("workspace_id", "entity_id", "property");

ALTER TABLE "approval_rules" ADD CONSTRAINT "approval_rules_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "approval_rules_workspace_id_asker_id_property_key" IS 'one rule for each property of a key or client; which properties it may set';

COMMENT ON INDEX "approvals_workspace_id_entity_id_property_idx" IS 'whether a value that a write would set on a record waits already, or was rejected';
