-- The words of messages, for their search, as hashes for those who may see them. Those of messages that are stored are read by a job.
CREATE TABLE "message_words" (
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "key" TEXT,
    "words" BIGINT[],
    CONSTRAINT "message_words_pkey" PRIMARY KEY ("workspace_id", "message_id")
);
SELECT rapport_tenant_table('"message_words"');
CREATE INDEX "message_words_unread_idx" ON "message_words"("workspace_id", "message_id") WHERE "key" IS NULL;
COMMENT ON INDEX "message_words_unread_idx" IS 'job: messages whose words are to be read';
CREATE INDEX "message_words_words_idx" ON "message_words" USING GIN ("words") WITH (fastupdate = off);
COMMENT ON INDEX "message_words_words_idx" IS 'search: messages with some words; a hash is that of one workspace';
ALTER TABLE "message_words" ADD CONSTRAINT "message_words_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE;

-- As for LIKE: without this, words are never an index condition under row level security.
DO $$ BEGIN
    ALTER FUNCTION pg_catalog.arrayoverlap(anyarray, anyarray) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN NULL;
END $$;
