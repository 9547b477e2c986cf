-- Copies of mail that were sent to an address which no member has: how many, and when the last one came.
ALTER TABLE "workspaces" ADD COLUMN "unknown_log_mails" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "unknown_log_mail_at" TIMESTAMPTZ(3);
