-- Who knows whom: counts of mail between a member and a contact, kept with the messages.
ALTER TABLE "messages" ADD COLUMN "answers" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "message_holders" ADD COLUMN "wrote" BOOLEAN;
CREATE INDEX "message_holders_uncounted_idx" ON "message_holders"("workspace_id", "message_id") WHERE "wrote" IS NULL;
COMMENT ON INDEX "message_holders_uncounted_idx" IS 'job: messages of an earlier version, which no relationship counts yet';

CREATE TABLE "relationships" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "open" BOOLEAN NOT NULL,
    "entity_id" UUID NOT NULL,
    "sent" INTEGER NOT NULL,
    "received" INTEGER NOT NULL,
    "replies" INTEGER NOT NULL,
    "meetings" INTEGER NOT NULL,
    "last_sent_at" TIMESTAMPTZ(3),
    "last_received_at" TIMESTAMPTZ(3),
    "last_met_at" TIMESTAMPTZ(3),
    "given" DOUBLE PRECISION NOT NULL,
    "got" DOUBLE PRECISION NOT NULL,
    CONSTRAINT "relationships_pkey" PRIMARY KEY ("workspace_id", "user_id", "open", "entity_id")
);
SELECT rapport_tenant_table('"relationships"');
CREATE INDEX "relationships_entity_idx" ON "relationships"("workspace_id", "entity_id");
COMMENT ON INDEX "relationships_entity_idx" IS 'who knows a person; erasure';
ALTER TABLE "relationships" ADD CONSTRAINT "relationships_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE;
