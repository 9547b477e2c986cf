-- Programs that a person signs in by a code (POST /api/cli/auth/start). No tenant's rows: nobody has chosen a workspace yet.
CREATE TABLE "device_logins" (
    "id" UUID NOT NULL,
    "device_code_hash" BYTEA NOT NULL,
    "user_code_hash" BYTEA NOT NULL,
    "host" TEXT,
    "client" TEXT,
    "ip" TEXT NOT NULL,
    "scopes" "scope"[],
    "poll_seconds" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_polled_at" TIMESTAMPTZ(3),
    "approved_at" TIMESTAMPTZ(3),
    "approved_by" UUID,
    "approved_for" UUID,
    "denied_at" TIMESTAMPTZ(3),
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "device_logins_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "device_logins_device_code_hash_key" ON "device_logins"("device_code_hash");
COMMENT ON INDEX "device_logins_device_code_hash_key" IS 'POST /api/cli/auth/poll: the login of a program''s own code';
CREATE UNIQUE INDEX "device_logins_user_code_hash_key" ON "device_logins"("user_code_hash");
COMMENT ON INDEX "device_logins_user_code_hash_key" IS '/device: the login of the code that a person sees';
CREATE INDEX "device_logins_expires_at_idx" ON "device_logins"("expires_at");
COMMENT ON INDEX "device_logins_expires_at_idx" IS 'hourly: logins that ended a day ago are deleted';
