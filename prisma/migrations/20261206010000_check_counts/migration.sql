-- What the checks of a workspace count by reading everyone: counted by the maintenance, so that no one waits for it.
CREATE TABLE "check_counts" (
    "workspace_id" UUID NOT NULL,
    "silent_sources" JSONB NOT NULL,
    "duplicates" JSONB NOT NULL,
    "took_ms" INTEGER NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "check_counts_pkey" PRIMARY KEY ("workspace_id")
);
SELECT rapport_tenant_table('"check_counts"');
ALTER TABLE "check_counts" ADD CONSTRAINT "check_counts_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
