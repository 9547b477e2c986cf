-- The order of the feed of changes: by the transaction that wrote a row, then by its number. A row is handed out once no
-- transaction that is as old can still commit. Where a database was restored elsewhere, both functions add how far the
-- numbers of its transactions had come before (lib/db/transactions.ts), so that they never go back.
CREATE FUNCTION "rapport_transaction"() RETURNS bigint LANGUAGE sql STABLE
    AS $$ SELECT pg_current_xact_id()::text::bigint $$;
CREATE FUNCTION "rapport_settled"() RETURNS bigint LANGUAGE sql STABLE
    AS $$ SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint $$;

-- What is there already comes before everything new; a constant default rewrites no row.
ALTER TABLE "observations" ADD COLUMN "written_in" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "observations" ALTER COLUMN "written_in" SET DEFAULT "rapport_transaction"();
CREATE INDEX "observations_written_idx" ON "observations"("workspace_id", "written_in", "seq");
COMMENT ON INDEX "observations_written_idx" IS 'GET /v2/changes: what was recorded, in the order it became visible';

CREATE FUNCTION "rapport_observation_number"() RETURNS bigint LANGUAGE sql VOLATILE
    AS $$ SELECT nextval('observations_seq_seq'::regclass) $$;

-- What changed and is no observation: records that were created, merged, separated or erased. Numbered with the
-- observations, so that both have one order.
CREATE TABLE "changes" (
    "workspace_id" UUID NOT NULL,
    "written_in" BIGINT NOT NULL DEFAULT "rapport_transaction"(),
    "seq" BIGINT NOT NULL DEFAULT "rapport_observation_number"(),
    "type" TEXT NOT NULL,
    "entity_id" UUID NOT NULL,
    "other_id" UUID,
    "merge_id" UUID,
    "source" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "changes_pkey" PRIMARY KEY ("workspace_id", "written_in", "seq")
);

-- Where each reader of `since_last` is.
CREATE TABLE "change_readers" (
    "workspace_id" UUID NOT NULL,
    "reader" TEXT NOT NULL,
    "client" TEXT NOT NULL,
    "began_in" BIGINT NOT NULL,
    "began_seq" BIGINT NOT NULL,
    "reached_in" BIGINT NOT NULL,
    "reached_seq" BIGINT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "change_readers_pkey" PRIMARY KEY ("workspace_id", "reader", "client")
);

-- Records that are there already: before the evidence about them, in the order they were created; then their merges. Who
-- migrates may be subject to row level security itself, and is not meanwhile.
ALTER TABLE "entities" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "merges" NO FORCE ROW LEVEL SECURITY;
INSERT INTO "changes" ("workspace_id", "written_in", "seq", "type", "entity_id", "source", "actor", "at")
SELECT "workspace_id", 0, row_number() OVER (ORDER BY "created_at", "id") - 2000000000000, "type"::text || '.created', "id", 'unknown', 'unknown', "created_at"
FROM "entities" WHERE "type" <> 'workspace';
INSERT INTO "changes" ("workspace_id", "written_in", "seq", "type", "entity_id", "other_id", "merge_id", "source", "actor", "at")
SELECT "workspace_id", 0, row_number() OVER (ORDER BY "at", "id") - 1000000000000, "type", "keep_id", "drop_id", "id", 'unknown', "actor", "at"
FROM (
    SELECT "workspace_id", "id", 'merge' AS "type", "keep_id", "drop_id", "actor", "merged_at" AS "at" FROM "merges"
    UNION ALL
    SELECT "workspace_id", "id", 'unmerge', "keep_id", "drop_id", 'unknown', "undone_at" FROM "merges" WHERE "undone_at" IS NOT NULL
) AS "happened";
ALTER TABLE "entities" FORCE ROW LEVEL SECURITY;
ALTER TABLE "merges" FORCE ROW LEVEL SECURITY;

SELECT rapport_tenant_table('"changes"');
SELECT rapport_tenant_table('"change_readers"');

ALTER TABLE "changes" ADD CONSTRAINT "changes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
ALTER TABLE "change_readers" ADD CONSTRAINT "change_readers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE INDEX "changes_entity_idx" ON "changes"("workspace_id", "entity_id");
COMMENT ON INDEX "changes_entity_idx" IS 'GET /v2/changes?focus=, and erasure of a person';
CREATE INDEX "changes_other_idx" ON "changes"("workspace_id", "other_id") WHERE "other_id" IS NOT NULL;
COMMENT ON INDEX "changes_other_idx" IS 'GET /v2/changes?focus= and erasure of one that was merged';

CREATE TRIGGER "changes_append_only" BEFORE UPDATE OR DELETE ON "changes" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_change"();
CREATE TRIGGER "changes_no_truncate" BEFORE TRUNCATE ON "changes" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_refuse_change"();
