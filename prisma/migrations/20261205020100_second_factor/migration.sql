-- When the person of a session last proved who they are. A session that began before this was known proved it when it began.
ALTER TABLE "sessions" ADD COLUMN "proven_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "sessions" SET "proven_at" = "created_at";

-- The second factor of a person's password. No tenant's rows: one user may belong to several workspaces.
CREATE TABLE "second_factors" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "last_step" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(3),
    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "second_factors_user_id_key" ON "second_factors"("user_id");
COMMENT ON INDEX "second_factors_user_id_key" IS 'sign-in by password: the second factor of the person';
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;

CREATE TABLE "recovery_codes" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "recovery_codes_user_id_code_hash_key" ON "recovery_codes"("user_id", "code_hash");
COMMENT ON INDEX "recovery_codes_user_id_code_hash_key" IS 'sign-in by password: one code of the person';
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE;
