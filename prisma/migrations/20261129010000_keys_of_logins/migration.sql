-- The member whose `rapport login` made a key: the key ends with their membership. Null: the key is the workspace's.
ALTER TABLE "api_keys" ADD COLUMN     "login_user_id" UUID;

-- The owner of the tables is not exempt from row level security, and this is for all workspaces.
ALTER TABLE "api_keys" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "audit_log" NO FORCE ROW LEVEL SECURITY;

-- Keys of logins before this, as the audit log has them; then the keys that replaced such a key.
UPDATE "api_keys" k SET "login_user_id" = substr(a."actor", 6)::uuid FROM "audit_log" a
WHERE a."workspace_id" = k."workspace_id" AND a."subject" = k."id"::text AND a."action" = 'api_key.minted'
  AND a."detail" ? 'device_login' AND a."actor" LIKE 'user:%';

WITH RECURSIVE line AS (
  SELECT "workspace_id", "replaced_by" AS id, "login_user_id" FROM "api_keys"
  WHERE "login_user_id" IS NOT NULL AND "replaced_by" IS NOT NULL
  UNION
  SELECT k."workspace_id", k."replaced_by", line."login_user_id" FROM line
  JOIN "api_keys" k ON k."workspace_id" = line."workspace_id" AND k."id" = line.id
  WHERE k."replaced_by" IS NOT NULL
)
UPDATE "api_keys" k SET "login_user_id" = line."login_user_id" FROM line
WHERE k."workspace_id" = line."workspace_id" AND k."id" = line.id;

ALTER TABLE "api_keys" FORCE ROW LEVEL SECURITY;
ALTER TABLE "audit_log" FORCE ROW LEVEL SECURITY;
