-- A scope of keys that a company's directory uses: it manages members and reads nothing else.
ALTER TYPE "scope" ADD VALUE 'directory';

-- People and groups as a company's directory describes them (SCIM).
CREATE TABLE "directory_users" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "active" BOOLEAN NOT NULL,
    "attributes" JSONB NOT NULL,
    "given_role" "role",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "directory_users_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"directory_users"');
CREATE UNIQUE INDEX "directory_users_workspace_id_user_name_key" ON "directory_users"("workspace_id", "user_name");
COMMENT ON INDEX "directory_users_workspace_id_user_name_key" IS 'SCIM: a person by their user name, which is unique';
CREATE UNIQUE INDEX "directory_users_workspace_id_user_id_key" ON "directory_users"("workspace_id", "user_id");
COMMENT ON INDEX "directory_users_workspace_id_user_id_key" IS 'SCIM: what the directory says of a member; one entry each';
ALTER TABLE "directory_users" ADD CONSTRAINT "directory_users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "directory_groups" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "role" "role",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "directory_groups_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"directory_groups"');
CREATE UNIQUE INDEX "directory_groups_workspace_id_display_name_key" ON "directory_groups"("workspace_id", "display_name");
COMMENT ON INDEX "directory_groups_workspace_id_display_name_key" IS 'SCIM: a group by its name, which is unique';
ALTER TABLE "directory_groups" ADD CONSTRAINT "directory_groups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "directory_group_members" (
    "workspace_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "directory_user_id" UUID NOT NULL,
    CONSTRAINT "directory_group_members_pkey" PRIMARY KEY ("workspace_id", "group_id", "directory_user_id")
);
SELECT rapport_tenant_table('"directory_group_members"');
CREATE INDEX "directory_group_members_workspace_id_directory_user_id_idx" ON "directory_group_members"("workspace_id", "directory_user_id");
COMMENT ON INDEX "directory_group_members_workspace_id_directory_user_id_idx" IS 'SCIM: the groups of a person, which give them their role';
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "directory_groups"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_workspace_id_directory_user_id_fkey" FOREIGN KEY ("workspace_id", "directory_user_id") REFERENCES "directory_users"("workspace_id", "id") ON DELETE CASCADE;
