-- CreateTable
CREATE TABLE "latest_calls" (
    "workspace_id" UUID NOT NULL,
    "caller_id" UUID NOT NULL,
    "calls" JSONB NOT NULL,
    "oldest_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "latest_calls_pkey" PRIMARY KEY ("workspace_id","caller_id")
);
SELECT rapport_tenant_table('"latest_calls"');

-- AddForeignKey
ALTER TABLE "latest_calls" ADD CONSTRAINT "latest_calls_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
