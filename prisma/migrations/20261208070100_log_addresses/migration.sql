-- Addresses that members send copies to: what arrives there is kept as mail of theirs that everybody may see.
ALTER TABLE "mailboxes" ADD COLUMN "is_log" BOOLEAN NOT NULL DEFAULT false;
CREATE TYPE "log_refusal_reason" AS ENUM ('not_a_member', 'not_authentic', 'no_contact', 'unreadable');

CREATE TABLE "log_addresses" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3),
    CONSTRAINT "log_addresses_pkey" PRIMARY KEY ("workspace_id", "user_id")
);
SELECT rapport_tenant_table('"log_addresses"');
CREATE UNIQUE INDEX "log_addresses_workspace_id_token_hash_key" ON "log_addresses"("workspace_id", "token_hash");
COMMENT ON INDEX "log_addresses_workspace_id_token_hash_key" IS 'whose address a mail was sent to';
ALTER TABLE "log_addresses" ADD CONSTRAINT "log_addresses_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "log_refusals" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "sender" TEXT,
    "reason" "log_refusal_reason" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "log_refusals_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"log_refusals"');
CREATE INDEX "log_refusals_user_idx" ON "log_refusals"("workspace_id", "user_id", "id");
COMMENT ON INDEX "log_refusals_user_idx" IS 'the last mails to a member''s address that were refused';
ALTER TABLE "log_refusals" ADD CONSTRAINT "log_refusals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "log_places" (
    "mailbox" TEXT NOT NULL,
    "uid_validity" TEXT NOT NULL,
    "next_uid" BIGINT NOT NULL,
    CONSTRAINT "log_places_pkey" PRIMARY KEY ("mailbox")
);
