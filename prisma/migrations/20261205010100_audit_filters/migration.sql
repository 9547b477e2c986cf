CREATE INDEX "audit_log_workspace_id_action_at_id_idx" ON "audit_log"("workspace_id", "action", "at", "id");
COMMENT ON INDEX "audit_log_workspace_id_action_at_id_idx" IS 'the audit log by action, newest first';
CREATE INDEX "audit_log_workspace_id_actor_at_id_idx" ON "audit_log"("workspace_id", "actor", "at", "id");
COMMENT ON INDEX "audit_log_workspace_id_actor_at_id_idx" IS 'the audit log by who acted, newest first';
CREATE INDEX "audit_log_workspace_id_subject_at_id_idx" ON "audit_log"("workspace_id", "subject", "at", "id");
COMMENT ON INDEX "audit_log_workspace_id_subject_at_id_idx" IS 'the audit log by what it happened to, newest first';
