-- A confirmation of who someone is gives the session's browser another token. `former_until`: until when a request may still bring the one before.
ALTER TABLE "sessions" ADD COLUMN "renewals" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "former_until" TIMESTAMPTZ(3);
