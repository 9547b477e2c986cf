-- How members must have signed in to open a workspace; read with the memberships of a session.
CREATE TYPE "sign_in_demand" AS ENUM ('any', 'second_factor', 'oidc');
ALTER TABLE "workspaces" ADD COLUMN "sign_in_demand" "sign_in_demand" NOT NULL DEFAULT 'any';

-- What the person of a session gave. Of a session that began before this, nothing is known: a code or a new sign-in says it.
ALTER TABLE "sessions" ADD COLUMN "second_factor" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "sessions" ADD COLUMN "by_oidc" BOOLEAN NOT NULL DEFAULT false;

-- Passkeys of people. No tenant's rows: one user may belong to several workspaces.
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" BYTEA NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");
COMMENT ON INDEX "passkeys_credential_id_key" IS 'sign-in by passkey: whose it is';
CREATE INDEX "passkeys_user_id_idx" ON "passkeys"("user_id");
COMMENT ON INDEX "passkeys_user_id_idx" IS 'sign-in by password, and the profile: the passkeys of the person';
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;

-- Challenges that were answered, until they expire.
CREATE TABLE "used_challenges" (
    "hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "used_challenges_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "used_challenges_expires_at_idx" ON "used_challenges"("expires_at");
COMMENT ON INDEX "used_challenges_expires_at_idx" IS 'an answered challenge: those that have expired are deleted';
