-- Of a bulk action that gives records to a member: the member's e-mail address, or '' for no one.
ALTER TABLE "bulk_actions" ADD COLUMN "owner" TEXT;
