-- CreateTable
CREATE TABLE "client_calls" (
    "workspace_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "caller_id" UUID NOT NULL,
    "client" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "client_calls_pkey" PRIMARY KEY ("workspace_id","day","caller_id","client")
);
SELECT rapport_tenant_table('"client_calls"');

-- AddForeignKey
ALTER TABLE "client_calls" ADD CONSTRAINT "client_calls_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
