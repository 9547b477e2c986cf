CREATE INDEX "outbox_entity_idx" ON "outbox"("workspace_id", "entity_id");
COMMENT ON INDEX "outbox_entity_idx" IS 'the events of a record that is deleted: each deletion looks for them';
