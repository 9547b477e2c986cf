-- When the credentials of a connection end, where the provider says so, and when it last said whether it accepts them.
ALTER TABLE "connections" ADD COLUMN "credentials_end_at" TIMESTAMPTZ(3);
ALTER TABLE "connections" ADD COLUMN "asked_at" TIMESTAMPTZ(3);
