CREATE TYPE "inbound_status" AS ENUM ('pending', 'processed', 'skipped', 'failed');

-- What providers delivered, written before they are told that it arrived.
CREATE TABLE "inbound_deliveries" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "event" TEXT,
    "status" "inbound_status" NOT NULL,
    "answer" JSONB NOT NULL,
    "message" TEXT,
    "headers" JSONB NOT NULL,
    "payload" TEXT NOT NULL,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "contact_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "inbound_deliveries_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "inbound_deliveries_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "inbound_deliveries_workspace_id_provider_key_key" ON "inbound_deliveries"("workspace_id", "provider", "key");
COMMENT ON INDEX "inbound_deliveries_workspace_id_provider_key_key" IS 'a delivery repeated by its sender is kept and processed once';
CREATE INDEX "inbound_deliveries_received_idx" ON "inbound_deliveries"("workspace_id", "received_at" DESC, "id" DESC);
COMMENT ON INDEX "inbound_deliveries_received_idx" IS 'the delivery log, newest first, its cursor, and what its retention ends';
CREATE INDEX "inbound_deliveries_provider_idx" ON "inbound_deliveries"("workspace_id", "provider", "received_at" DESC, "id" DESC);
COMMENT ON INDEX "inbound_deliveries_provider_idx" IS 'the delivery log of one provider, as its card shows it';

-- One row a reason, whatever number of requests: forged deliveries must not fill the database.
CREATE TABLE "inbound_refusals" (
    "workspace_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "inbound_refusals_pkey" PRIMARY KEY ("workspace_id", "provider", "code"),
    CONSTRAINT "inbound_refusals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['inbound_deliveries', 'inbound_refusals'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;
