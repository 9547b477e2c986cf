-- Which identifier of a kind a record shows: the one made primary last, else the latest.
ALTER TABLE "identifiers" ADD COLUMN "preferred_at" TIMESTAMPTZ(3);
