-- AlterTable
ALTER TABLE "imports" ADD COLUMN "list_id" UUID;

-- AlterTable
ALTER TABLE "leads" ADD COLUMN "import_id" UUID;
