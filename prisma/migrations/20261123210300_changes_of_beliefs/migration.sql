-- What is believed of a property after evidence on it was retired: no observation says it, and readers of the feed have the old value.
ALTER TABLE "changes" ADD COLUMN "property" TEXT,
ADD COLUMN "value" JSONB;
