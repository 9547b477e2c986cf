-- What was done with the meetings of each object of a calendar, so that its counts follow what changes. Null: an earlier release read it.
ALTER TABLE "calendar_collections" ADD COLUMN "objects" jsonb;
