-- Tasks: of members, about people and companies or about neither.
CREATE TABLE "tasks" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "due_on_day" BOOLEAN NOT NULL DEFAULT false,
    "entity_id" UUID,
    "added_to" UUID,
    "assignee_id" UUID,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "done_at" TIMESTAMPTZ(3),
    "done_by" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"tasks"');

CREATE INDEX "tasks_due_idx" ON "tasks"("workspace_id", "done", "due_at", "id");

CREATE INDEX "tasks_assignee_idx" ON "tasks"("workspace_id", "assignee_id", "done", "due_at", "id");

CREATE INDEX "tasks_entity_idx" ON "tasks"("workspace_id", "entity_id", "done", "due_at", "id");

CREATE INDEX "tasks_created_idx" ON "tasks"("workspace_id", "done", "created_at", "id");

ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

COMMENT ON INDEX "tasks_due_idx" IS 'GET /v2/tasks, and what is due for attention';
COMMENT ON INDEX "tasks_assignee_idx" IS 'GET /v2/tasks?assignee=; a member who leaves';
COMMENT ON INDEX "tasks_entity_idx" IS 'GET /v2/tasks?focus=; merges, erasure';
COMMENT ON INDEX "tasks_created_idx" IS 'GET /v2/tasks?sort=created_desc';
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_done_check" CHECK ("done" = ("done_at" IS NOT NULL));
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_due_check" CHECK ("due_at" IS NOT NULL OR NOT "due_on_day");
