COMMENT ON INDEX "users_email_key" IS 'signing in; one account per address';
COMMENT ON INDEX "accounts_provider_provider_account_id_key" IS 'signing in with a provider; one user per outside account';
COMMENT ON INDEX "accounts_user_id_idx" IS 'the outside accounts of a user, and their deletion with the user';
COMMENT ON INDEX "sessions_user_id_idx" IS 'where a user is signed in; ending every session of a user';
COMMENT ON INDEX "password_resets_token_hash_key" IS 'opening a reset link';
COMMENT ON INDEX "password_resets_user_id_idx" IS 'withdrawing the open reset links of a user';
COMMENT ON INDEX "members_workspace_id_user_id_key" IS 'a person is a member of a workspace once';
COMMENT ON INDEX "idempotency_workspace_id_key_key" IS 'the answer kept for an Idempotency-Key';
COMMENT ON INDEX "claims_workspace_id_entity_id_property_key" IS 'one belief per property of an entity; reading the claims of an entity';

-- Row triggers do not see TRUNCATE.
CREATE TRIGGER "audit_log_no_truncate" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_refuse_change"();
