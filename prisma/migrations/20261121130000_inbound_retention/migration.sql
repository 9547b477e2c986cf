-- How many days a workspace keeps the log of what providers delivered; null: as the server does.
ALTER TABLE "workspaces" ADD COLUMN "inbound_retention_days" INTEGER;
ALTER TABLE "workspaces" ADD CONSTRAINT "workspaces_inbound_retention_days" CHECK ("inbound_retention_days" BETWEEN 1 AND 365);
