-- CreateTable
CREATE TABLE "hidden_items" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "item_id" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3),
    "hidden_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hidden_items_pkey" PRIMARY KEY ("workspace_id","user_id","item_id")
);
SELECT rapport_tenant_table('"hidden_items"');

-- CreateIndex
CREATE INDEX "hidden_items_entity_idx" ON "hidden_items"("workspace_id", "entity_id");

-- AddForeignKey
ALTER TABLE "hidden_items" ADD CONSTRAINT "hidden_items_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "hidden_items" ADD CONSTRAINT "hidden_items_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "hidden_items_entity_idx" IS 'erasing a person, and the foreign key'; 

-- Without those that every new person begins with.
CREATE INDEX "observations_advances_idx" ON "observations"("workspace_id", "recorded_at") WHERE "property" = 'pipeline_stage' AND "kind" = 'state' AND "value" <> '"identified"'::jsonb;
COMMENT ON INDEX "observations_advances_idx" IS 'Home: people who moved forward in the last weeks';
