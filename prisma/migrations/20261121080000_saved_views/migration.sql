CREATE TYPE "listed" AS ENUM ('people', 'companies');

CREATE TABLE "saved_views" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "list" "listed" NOT NULL,
    "owner_id" UUID,
    "name" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "saved_views_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "saved_views_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "saved_views_name_key" ON "saved_views"("workspace_id", "list", "owner_id", lower("name")) NULLS NOT DISTINCT;
COMMENT ON INDEX "saved_views_name_key" IS 'a name once among the shared views of a list and once among those of a person; the views of a list';

ALTER TABLE "saved_views" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "saved_views" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "saved_views" USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace());
