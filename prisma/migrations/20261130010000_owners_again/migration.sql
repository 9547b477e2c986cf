-- 20261123200002_owners did this too, and changed no row: the owner of the tables is not exempt from row level security.
ALTER TABLE "people" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "companies" NO FORCE ROW LEVEL SECURITY;

-- A record that was changed since has no such value: owner is a column of its own, and the values are derived again.
UPDATE "people" SET "owner" = "custom" ->> 'owner' WHERE "owner" = '' AND jsonb_typeof("custom" -> 'owner') = 'string';
UPDATE "companies" SET "owner" = "custom" ->> 'owner' WHERE "owner" = '' AND jsonb_typeof("custom" -> 'owner') = 'string';

ALTER TABLE "people" FORCE ROW LEVEL SECURITY;
ALTER TABLE "companies" FORCE ROW LEVEL SECURITY;
