-- Mailboxes that are read by a sign-in with Google or Microsoft, and what a member removes of a mailbox by blocking somebody.
CREATE TYPE "mail_provider" AS ENUM ('google', 'microsoft');

ALTER TABLE "mailboxes" ADD COLUMN "provider" "mail_provider";
ALTER TABLE "message_holders" ADD COLUMN "leaving" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "mail_sign_ins" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "provider" "mail_provider" NOT NULL,
    "state_hash" BYTEA NOT NULL,
    "verifier" TEXT NOT NULL,
    "mailbox_id" UUID,
    "address" TEXT,
    "terms" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "mail_sign_ins_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"mail_sign_ins"');
ALTER TABLE "mail_sign_ins" ADD CONSTRAINT "mail_sign_ins_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
