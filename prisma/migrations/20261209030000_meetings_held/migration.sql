-- Who knows whom counts meetings too: those that were held with a contact.
ALTER TABLE "meeting_contacts" ADD COLUMN "held" BOOLEAN NOT NULL DEFAULT false;
-- A job looks at the meetings that are there already.
ALTER TABLE "meeting_copies" NO FORCE ROW LEVEL SECURITY;
UPDATE "meeting_copies" SET "stale" = true;
ALTER TABLE "meeting_copies" FORCE ROW LEVEL SECURITY;
