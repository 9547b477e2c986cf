-- A member may let a client only propose what it would change, as with API keys.
ALTER TABLE "oauth_grants" ADD COLUMN     "approval" "approval_mode" NOT NULL DEFAULT 'none';

ALTER TABLE "oauth_codes" ADD COLUMN     "approval" "approval_mode" NOT NULL DEFAULT 'none';
