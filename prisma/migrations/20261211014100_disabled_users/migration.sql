-- An operator can keep a person from signing in, and a password that an operator's command made up is replaced at the first sign-in.
ALTER TABLE "users" ADD COLUMN "disabled_at" TIMESTAMPTZ(3), ADD COLUMN "password_temporary" BOOLEAN NOT NULL DEFAULT false;
