-- Which deliveries found no contact was told by their message.
ALTER TABLE "inbound_deliveries" ADD COLUMN "without_contact" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "inbound_deliveries" NO FORCE ROW LEVEL SECURITY;
UPDATE "inbound_deliveries" SET "without_contact" = true
    WHERE "status" = 'processed' AND "message" IN ('None of the invitees is a contact.', 'None of the attendees is a contact.');
ALTER TABLE "inbound_deliveries" FORCE ROW LEVEL SECURITY;
CREATE INDEX "inbound_deliveries_without_contact_idx" ON "inbound_deliveries"("workspace_id", "received_at", "id") WHERE "without_contact";
COMMENT ON INDEX "inbound_deliveries_without_contact_idx" IS 'the deliveries that found no contact, listed and counted';
