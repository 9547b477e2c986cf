-- Which provider a session began at, and what that calls its own session: a logout token names them.
ALTER TABLE "sessions" ADD COLUMN "oidc_issuer" TEXT, ADD COLUMN "oidc_sid" TEXT;
CREATE INDEX "sessions_oidc_sid_idx" ON "sessions"("oidc_sid") WHERE "oidc_sid" IS NOT NULL;
COMMENT ON INDEX "sessions_oidc_sid_idx" IS 'a logout token that names no person: the sessions that it ends';

-- The provider whose groups bring members, and what they gave to each.
ALTER TABLE "workspaces" ADD COLUMN "oidc_issuer" TEXT;
CREATE INDEX "workspaces_oidc_issuer_idx" ON "workspaces"("oidc_issuer") WHERE "oidc_issuer" IS NOT NULL;
COMMENT ON INDEX "workspaces_oidc_issuer_idx" IS 'a sign-in with an OIDC provider: the workspaces whose members it brings';
ALTER TABLE "members" ADD COLUMN "group_role" "role";

-- Groups that an admin wrote down for sign-ins; a directory that sends one takes it over.
ALTER TABLE "directory_groups" ADD COLUMN "by_hand" BOOLEAN NOT NULL DEFAULT false;
