-- AlterTable
ALTER TABLE "merges" ADD COLUMN     "preferred" JSONB NOT NULL DEFAULT '[]';
