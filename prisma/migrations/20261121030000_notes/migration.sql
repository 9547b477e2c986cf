CREATE TYPE "note_type" AS ENUM ('note', 'meeting_brief', 'transcript', 'meeting_notes', 'pre_meeting', 'research');

-- The documents themselves: immutable, like evidence.
CREATE TABLE "notes" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "type" "note_type" NOT NULL,
    "title" TEXT,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "date_only" BOOLEAN NOT NULL,
    "content" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "client" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "notes_pkey" PRIMARY KEY ("workspace_id", "id"),
    CONSTRAINT "notes_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "notes_date_idx" ON "notes"("workspace_id", "date" DESC, "id" DESC);
COMMENT ON INDEX "notes_date_idx" IS 'GET /v2/notes, newest first, and its cursor';
CREATE INDEX "notes_type_date_idx" ON "notes"("workspace_id", "type", "date" DESC, "id" DESC);
COMMENT ON INDEX "notes_type_date_idx" IS 'GET /v2/notes?type=';
CREATE INDEX "notes_entity_date_idx" ON "notes"("workspace_id", "entity_id", "date" DESC, "id" DESC);
COMMENT ON INDEX "notes_entity_date_idx" IS 'GET /v2/notes?focus=, and the documents of an account';

CREATE TRIGGER "notes_append_only" BEFORE UPDATE OR DELETE ON "notes" FOR EACH ROW EXECUTE FUNCTION "rapport_refuse_change"();
CREATE TRIGGER "notes_no_truncate" BEFORE TRUNCATE ON "notes" FOR EACH STATEMENT EXECUTE FUNCTION "rapport_refuse_change"();

-- From here on all is derived from notes and may be dropped and built again.
-- Every condition is an equality or a range of uuid, text, integer or time: operators that Postgres trusts under row
-- level security, so that the plain b-tree indexes below are used on any server, without a superuser's help.

-- What ranking reads of a note. A note longer than a part (some 45 minutes of talk) has several.
CREATE TABLE "note_parts" (
    "workspace_id" UUID NOT NULL,
    "note_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "number" INTEGER,
    "entity_id" UUID NOT NULL,
    "type" "note_type" NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "length" INTEGER NOT NULL,
    "words" BYTEA NOT NULL,
    "pending" TEXT,
    CONSTRAINT "note_parts_pkey" PRIMARY KEY ("workspace_id", "note_id", "part"),
    CONSTRAINT "note_parts_workspace_id_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "notes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "note_parts" ALTER COLUMN "words" SET STORAGE EXTERNAL;
CREATE UNIQUE INDEX "note_parts_workspace_id_number_key" ON "note_parts"("workspace_id", "number");
COMMENT ON INDEX "note_parts_workspace_id_number_key" IS 'search: the parts that the postings point at';
CREATE INDEX "note_parts_pending_idx" ON "note_parts"("workspace_id", "note_id", "part") WHERE "pending" IS NOT NULL;
COMMENT ON INDEX "note_parts_pending_idx" IS 'search: the latest parts, which the postings do not hold yet';
CREATE INDEX "note_parts_entity_idx" ON "note_parts"("workspace_id", "entity_id", "date" DESC) INCLUDE ("number");
COMMENT ON INDEX "note_parts_entity_idx" IS 'search: the parts of a focus, and of the people and companies a question names';
CREATE INDEX "note_parts_date_idx" ON "note_parts"("workspace_id", "date" DESC) INCLUDE ("number");
COMMENT ON INDEX "note_parts_date_idx" IS 'search: the parts of the days a question names';

-- Each word the workspace knows, with the latest part numbers it stands in; the older ones are in note_postings.
CREATE TABLE "note_terms" (
    "workspace_id" UUID NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "parts" INTEGER NOT NULL,
    "blocks" INTEGER NOT NULL,
    "entries" BYTEA NOT NULL,
    CONSTRAINT "note_terms_pkey" PRIMARY KEY ("workspace_id", "term"),
    CONSTRAINT "note_terms_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "note_terms" ALTER COLUMN "entries" SET STORAGE EXTERNAL;

CREATE TABLE "note_postings" (
    "workspace_id" UUID NOT NULL,
    "term" TEXT COLLATE "C" NOT NULL,
    "block" INTEGER NOT NULL,
    "entries" BYTEA NOT NULL,
    CONSTRAINT "note_postings_pkey" PRIMARY KEY ("workspace_id", "term", "block"),
    CONSTRAINT "note_postings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "note_postings" ALTER COLUMN "entries" SET STORAGE EXTERNAL;

-- What the postings of a workspace hold in all. Written only by whoever merges, never by an ordinary save.
CREATE TABLE "note_totals" (
    "workspace_id" UUID NOT NULL,
    "next_number" INTEGER NOT NULL,
    "parts" INTEGER NOT NULL,
    "length" BIGINT NOT NULL,
    CONSTRAINT "note_totals_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "note_totals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- How far a very long note has been read; the row goes when its end is reached.
CREATE TABLE "note_remainders" (
    "workspace_id" UUID NOT NULL,
    "note_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    CONSTRAINT "note_remainders_pkey" PRIMARY KEY ("workspace_id", "note_id"),
    CONSTRAINT "note_remainders_workspace_id_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "notes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The words of the names of people and companies that have notes.
CREATE TABLE "note_names" (
    "workspace_id" UUID NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "entity_id" UUID NOT NULL,
    CONSTRAINT "note_names_pkey" PRIMARY KEY ("workspace_id", "word", "entity_id"),
    CONSTRAINT "note_names_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "note_names_entity_idx" ON "note_names"("workspace_id", "entity_id");
COMMENT ON INDEX "note_names_entity_idx" IS 'renaming: the words an entity was known by';

-- Embeddings, when an endpoint is configured. The queue says what has none yet, so a restart loses nothing.
CREATE TABLE "note_vectors" (
    "workspace_id" UUID NOT NULL,
    "note_id" UUID NOT NULL,
    "chunk" INTEGER NOT NULL,
    "entity_id" UUID NOT NULL,
    "type" "note_type" NOT NULL,
    "model" TEXT NOT NULL,
    "dimension" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "signs" BIT VARYING NOT NULL,
    "vector" REAL[] NOT NULL,
    CONSTRAINT "note_vectors_pkey" PRIMARY KEY ("workspace_id", "note_id", "chunk"),
    CONSTRAINT "note_vectors_workspace_id_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "notes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
) WITH (toast_tuple_target = 512);
ALTER TABLE "note_vectors" ALTER COLUMN "vector" SET STORAGE EXTERNAL;
CREATE INDEX "note_vectors_model_idx" ON "note_vectors"("workspace_id", "model");
COMMENT ON INDEX "note_vectors_model_idx" IS 'semantic search, and what an older model embedded';

CREATE TABLE "note_embedding_queue" (
    "workspace_id" UUID NOT NULL,
    "note_id" UUID NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "note_embedding_queue_pkey" PRIMARY KEY ("workspace_id", "note_id"),
    CONSTRAINT "note_embedding_queue_workspace_id_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "notes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "note_embedding_queue_due_idx" ON "note_embedding_queue"("workspace_id", "due_at", "note_id");
COMMENT ON INDEX "note_embedding_queue_due_idx" IS 'the notes to embed next';

DO $$
DECLARE tenant text;
BEGIN
    FOREACH tenant IN ARRAY ARRAY['notes', 'note_parts', 'note_terms', 'note_postings', 'note_totals', 'note_remainders', 'note_names', 'note_vectors', 'note_embedding_queue'] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant);
        EXECUTE format('CREATE POLICY tenant ON %I USING (workspace_id = rapport_workspace()) WITH CHECK (workspace_id = rapport_workspace())', tenant);
    END LOOP;
END $$;

-- Names: the folded search text of a people or companies row, as words.
CREATE FUNCTION "rapport_note_names"("entity" uuid, "search" text) RETURNS void LANGUAGE sql AS $$
    DELETE FROM note_names WHERE workspace_id = rapport_workspace() AND entity_id = entity;
    INSERT INTO note_names (workspace_id, word, entity_id)
    SELECT DISTINCT rapport_workspace(), left(word, 64), entity FROM regexp_split_to_table(search, '[^[:alnum:]]+') AS word
    WHERE length(word) > 1 ON CONFLICT DO NOTHING;
$$;

-- A person or company that is renamed is found by its new name, also through notes saved before.
CREATE FUNCTION "rapport_rename_in_notes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM notes WHERE workspace_id = NEW.workspace_id AND entity_id = NEW.id) THEN
        PERFORM rapport_note_names(NEW.id, NEW.search);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "people_renamed_in_notes" AFTER UPDATE OF "search" ON "people" FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION "rapport_rename_in_notes"();
CREATE TRIGGER "companies_renamed_in_notes" AFTER UPDATE OF "search" ON "companies" FOR EACH ROW WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION "rapport_rename_in_notes"();
