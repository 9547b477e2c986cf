-- Types
CREATE TYPE "plan" AS ENUM ('free', 'growth', 'scale');
CREATE TYPE "role" AS ENUM ('member', 'admin', 'owner');
CREATE TYPE "scope" AS ENUM ('read', 'write', 'admin');
CREATE TYPE "entity_type" AS ENUM ('workspace', 'person', 'company');
CREATE TYPE "entity_status" AS ENUM ('active', 'archived');
CREATE TYPE "observation_kind" AS ENUM ('event', 'state');
CREATE TYPE "method" AS ENUM ('asserted', 'observed', 'inferred');

-- People who sign in: no tenant's rows
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "password_hash" TEXT,
    "password_changed_at" TIMESTAMPTZ(3),
    "email_verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "accounts_provider_provider_account_id_key" ON "accounts"("provider", "provider_account_id");
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "ip" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

CREATE TABLE "password_resets" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "password_resets_token_hash_key" ON "password_resets"("token_hash");
CREATE INDEX "password_resets_user_id_idx" ON "password_resets"("user_id");

CREATE TABLE "throttles" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,
    CONSTRAINT "throttles_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "workspaces" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "website" TEXT,
    "business_type" TEXT,
    "plan_model" TEXT,
    "default_signup_stage" TEXT,
    "plan" "plan" NOT NULL DEFAULT 'scale',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("id")
);

-- Tenant tables
CREATE TABLE "members" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "members_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "members_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "members_workspace_id_user_id_key" ON "members"("workspace_id", "user_id");
CREATE INDEX "members_user_id_idx" ON "members"("user_id");
COMMENT ON INDEX "members_user_id_idx" IS 'the workspaces of a user (switcher, every page)';

CREATE TABLE "invitations" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT,
    "role" "role" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    CONSTRAINT "invitations_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "invitations_token_hash_idx" ON "invitations"("token_hash");
COMMENT ON INDEX "invitations_token_hash_idx" IS 'opening an invitation link';

CREATE TABLE "api_keys" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "scopes" "scope"[],
    "allowed_cidrs" TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "replaced_by" UUID,
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_client" TEXT,
    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "api_keys_key_hash_idx" ON "api_keys" USING HASH ("key_hash");
COMMENT ON INDEX "api_keys_key_hash_idx" IS 'authentication: which key is this';

CREATE TABLE "audit_log" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "client" TEXT,
    "request_id" TEXT,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "audit_log_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "audit_log_workspace_id_at_id_idx" ON "audit_log"("workspace_id", "at" DESC, "id" DESC);
COMMENT ON INDEX "audit_log_workspace_id_at_id_idx" IS 'the audit log, newest first';

CREATE TABLE "idempotency" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "encrypted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "idempotency_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "idempotency_workspace_id_key_key" ON "idempotency"("workspace_id", "key");
CREATE INDEX "idempotency_workspace_id_created_at_idx" ON "idempotency"("workspace_id", "created_at");
COMMENT ON INDEX "idempotency_workspace_id_created_at_idx" IS 'removal of answers older than 24 hours';

CREATE TABLE "entities" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" "entity_type" NOT NULL,
    "status" "entity_status" NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "entities_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "entities_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "identifiers" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),
    CONSTRAINT "identifiers_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "identifiers_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "identifiers_active_key" ON "identifiers"("workspace_id", "kind", "value") WHERE "retired_at" IS NULL;
COMMENT ON INDEX "identifiers_active_key" IS 'one active identifier names exactly one entity; resolving a focus';
CREATE INDEX "identifiers_workspace_id_entity_id_idx" ON "identifiers"("workspace_id", "entity_id");
COMMENT ON INDEX "identifiers_workspace_id_entity_id_idx" IS 'the identifiers of an entity';

CREATE TABLE "observations" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "entity_id" UUID NOT NULL,
    "kind" "observation_kind" NOT NULL,
    "property" TEXT COLLATE "C" NOT NULL,
    "value" JSONB NOT NULL,
    "source" TEXT NOT NULL,
    "method" "method" NOT NULL,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "external_id" TEXT,
    "caused_by" UUID,
    "actor" TEXT NOT NULL,
    "client" TEXT,
    CONSTRAINT "observations_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "observations_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "observations_workspace_id_entity_id_property_seq_idx" ON "observations"("workspace_id", "entity_id", "property", "seq");
COMMENT ON INDEX "observations_workspace_id_entity_id_property_seq_idx" IS 'derivation and history of one property of one entity';
CREATE UNIQUE INDEX "observations_external_id_key" ON "observations"("workspace_id", "entity_id", "source", "external_id") WHERE "external_id" IS NOT NULL;
COMMENT ON INDEX "observations_external_id_key" IS 'a report repeated with the same external id is recorded once';

CREATE TABLE "claims" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "property" TEXT COLLATE "C" NOT NULL,
    "value" JSONB NOT NULL,
    "category" TEXT,
    "method" "method" NOT NULL,
    "source" TEXT NOT NULL,
    "observation_id" UUID NOT NULL,
    "observation_count" INTEGER NOT NULL,
    "source_count" INTEGER NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "last_observed_at" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "conflicts" JSONB NOT NULL DEFAULT '[]',
    "ended_at" TIMESTAMPTZ(3),
    "ended_by" UUID,
    "superseded_by" UUID,
    "supersedes" UUID,
    CONSTRAINT "claims_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "claims_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "claims_workspace_id_entity_id_property_key" ON "claims"("workspace_id", "entity_id", "property");
CREATE INDEX "claims_current_facts_idx" ON "claims"("workspace_id", "seq" DESC) WHERE "category" IS NOT NULL AND "ended_at" IS NULL;
COMMENT ON INDEX "claims_current_facts_idx" IS 'the current GTM profile, newest first (GET /v2/workspace/facts and the tab)';

-- The workspace of the running transaction; null when none is set, and then no tenant row is visible.
CREATE FUNCTION "rapport_workspace"() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT NULLIF(current_setting('rapport.workspace_id', true), '')::uuid $$;

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['members', 'invitations', 'api_keys', 'audit_log', 'idempotency', 'entities', 'identifiers', 'observations', 'claims'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;

-- Who holds the secret may see its row before the workspace is known: an API key, an invitation link; and a signed-in
-- user sees their own memberships.
CREATE POLICY holder ON "api_keys" FOR SELECT USING (key_hash = decode(NULLIF(current_setting('rapport.key_hash', true), ''), 'hex'));
CREATE POLICY holder ON "invitations" FOR SELECT USING (token_hash = decode(NULLIF(current_setting('rapport.token_hash', true), ''), 'hex'));
CREATE POLICY own ON "members" FOR SELECT USING (user_id = NULLIF(current_setting('rapport.user_id', true), '')::uuid);

-- Evidence is append-only; only the privacy operation (erasure, workspace deletion) sets rapport.erasing.
CREATE FUNCTION "rapport_refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('rapport.erasing', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "observations_append_only" BEFORE UPDATE OR DELETE ON "observations" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_change"();
CREATE TRIGGER "observations_no_truncate" BEFORE TRUNCATE ON "observations" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_refuse_change"();
CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_change"();

-- Every instance drops its cached copy of a key as soon as what the key may do changes.
CREATE FUNCTION "rapport_notify_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('rapport_keys', OLD.workspace_id::text);
    RETURN NULL;
END $$;
CREATE FUNCTION "rapport_notify_workspace"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('rapport_keys', OLD.id::text);
    RETURN NULL;
END $$;
CREATE TRIGGER "api_keys_changed" AFTER UPDATE OF "scopes", "allowed_cidrs", "expires_at", "revoked_at" OR DELETE ON "api_keys" FOR EACH ROW EXECUTE FUNCTION "rapport_notify_keys"();
CREATE TRIGGER "workspaces_changed" AFTER UPDATE OF "plan" OR DELETE ON "workspaces" FOR EACH ROW EXECUTE FUNCTION "rapport_notify_workspace"();
