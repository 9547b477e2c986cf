CREATE TYPE "webhook_status" AS ENUM ('none', 'pending', 'live', 'failed');
CREATE TABLE "connections" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT,
    "credentials" TEXT NOT NULL,
    "signing_secret" TEXT,
    "account_id" TEXT,
    "account" TEXT,
    "is_verified" BOOLEAN NOT NULL,
    "webhook_status" "webhook_status" NOT NULL DEFAULT 'none',
    "webhook_id" TEXT,
    "last_event_at" TIMESTAMPTZ(3),
    "message" TEXT,
    "own_addresses" TEXT[],
    "reconciled_to" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),
    CONSTRAINT "connections_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "connections_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "connections_standing_key" ON "connections"("workspace_id", "provider") WHERE "removed_at" IS NULL;
COMMENT ON INDEX "connections_standing_key" IS 'one connection per provider and workspace; found by provider for every delivery';

ALTER TABLE "connections" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "connections" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "connections" USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace());
