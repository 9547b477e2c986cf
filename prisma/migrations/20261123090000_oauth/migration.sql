-- Access of programs to workspaces (OAuth 2.1).

-- Makes a table one of the tenants' that is needed before the workspace of a request is known. Where tenants are spread over
-- several machines, every machine has all of its rows, as with members and keys (lib/db/distribute.ts).
CREATE FUNCTION "rapport_access_table"("tenant" regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ALTER COLUMN workspace_id SET STATISTICS 0', tenant);
    IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
        IF EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'entities'::regclass AND partmethod = 'h') THEN
            PERFORM create_reference_table(tenant::text);
        END IF;
    END IF;
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', tenant);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', tenant);
    EXECUTE format('CREATE POLICY tenant ON %s USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
END $$;

CREATE TYPE "token_kind" AS ENUM ('access', 'refresh');

CREATE TABLE "oauth_clients" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "grant_types" TEXT[],
    "auth_method" TEXT NOT NULL,
    "secret_hash" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "fetched_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "oauth_grants" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "client_host" TEXT NOT NULL,
    "scopes" "scope"[],
    "resource" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_access_table('"oauth_grants"');

CREATE TABLE "oauth_codes" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "client_host" TEXT NOT NULL,
    "scopes" "scope"[],
    "resource" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_codes_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_access_table('"oauth_codes"');

CREATE TABLE "oauth_tokens" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "grant_id" UUID NOT NULL,
    "kind" "token_kind" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "scopes" "scope"[],
    "parent_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_tokens_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_access_table('"oauth_tokens"');

CREATE INDEX "oauth_codes_code_hash_idx" ON "oauth_codes" USING HASH ("code_hash");

CREATE INDEX "oauth_codes_workspace_id_expires_at_idx" ON "oauth_codes"("workspace_id", "expires_at");

CREATE INDEX "oauth_tokens_token_hash_idx" ON "oauth_tokens" USING HASH ("token_hash");

CREATE INDEX "oauth_tokens_workspace_id_grant_id_idx" ON "oauth_tokens"("workspace_id", "grant_id");

CREATE INDEX "oauth_tokens_workspace_id_expires_at_idx" ON "oauth_tokens"("workspace_id", "expires_at");

ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_workspace_id_grant_id_fkey" FOREIGN KEY ("workspace_id", "grant_id") REFERENCES "oauth_grants"("workspace_id", "id") ON DELETE CASCADE;

COMMENT ON INDEX "oauth_codes_code_hash_idx" IS 'POST /oauth/token: which code is this';

COMMENT ON INDEX "oauth_codes_workspace_id_expires_at_idx" IS 'removal of codes that have expired';

COMMENT ON INDEX "oauth_tokens_token_hash_idx" IS 'authentication: which token is this';

COMMENT ON INDEX "oauth_tokens_workspace_id_grant_id_idx" IS 'the tokens of a grant, when it ends or is renewed';

COMMENT ON INDEX "oauth_tokens_workspace_id_expires_at_idx" IS 'removal of tokens that have expired';

-- Who holds a code or token may see its row before the workspace is known.
CREATE POLICY holder ON "oauth_codes" FOR SELECT USING (code_hash = decode(NULLIF(current_setting('rapport.token_hash', true), ''), 'hex'));
CREATE POLICY holder ON "oauth_tokens" FOR SELECT USING (token_hash = decode(NULLIF(current_setting('rapport.token_hash', true), ''), 'hex'));
