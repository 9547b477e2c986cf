-- Lists of leads. A capture about a contact that was never a lead does not look for leads: the entity says so.
CREATE TYPE "lead_status" AS ENUM ('pending', 'sent', 'replied', 'bounced');

CREATE TYPE "reply_outcome" AS ENUM ('interested', 'objection', 'wrong_fit', 'unsubscribe');

ALTER TABLE "entities" ADD COLUMN     "is_lead" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "lead_lists" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "columns" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lead_lists_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"lead_lists"');

CREATE TABLE "leads" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "list_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "added_as" UUID NOT NULL,
    "hidden" BOOLEAN NOT NULL DEFAULT false,
    "email" TEXT,
    "name" TEXT,
    "company" TEXT,
    "linkedin_url" TEXT,
    "status" "lead_status" NOT NULL DEFAULT 'pending',
    "sent_at" TIMESTAMPTZ(3),
    "replied_at" TIMESTAMPTZ(3),
    "bounced_at" TIMESTAMPTZ(3),
    "reply_outcome" "reply_outcome",
    "given_score" DOUBLE PRECISION,
    "score" DOUBLE PRECISION,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leads_pkey" PRIMARY KEY ("workspace_id","id")
);
SELECT rapport_tenant_table('"leads"');

CREATE INDEX "leads_entity_idx" ON "leads"("workspace_id", "entity_id");
COMMENT ON INDEX "leads_entity_idx" IS 'the leads of a person: GET /v2/leads?entity_id=, signals, scores, merges, erasure';
-- What is included lets a page be found in the index alone before its rows are read.
CREATE UNIQUE INDEX "leads_person_key" ON "leads"("workspace_id", "list_id", "entity_id") WHERE NOT "hidden";
COMMENT ON INDEX "leads_person_key" IS 'a person once in a list; GET /v2/people?list_id=';
CREATE UNIQUE INDEX "leads_email_key" ON "leads"("workspace_id", "list_id", "email") WHERE NOT "hidden";
COMMENT ON INDEX "leads_email_key" IS 'an e-mail address once in a list';
CREATE INDEX "leads_created_idx" ON "leads"("workspace_id", "created_at", "id") INCLUDE ("sent_at", "score", "hidden");
COMMENT ON INDEX "leads_created_idx" IS 'GET /v2/leads by created';
CREATE INDEX "leads_list_created_idx" ON "leads"("workspace_id", "list_id", "created_at", "id") INCLUDE ("sent_at", "score", "hidden");
COMMENT ON INDEX "leads_list_created_idx" IS 'GET /v2/leads?list_id= by created; deleting a list';
CREATE INDEX "leads_status_idx" ON "leads"("workspace_id", "status", "created_at", "id") INCLUDE ("sent_at", "score", "hidden");
COMMENT ON INDEX "leads_status_idx" IS 'GET /v2/leads?status= and has_replied=';
CREATE INDEX "leads_list_status_idx" ON "leads"("workspace_id", "list_id", "status", "created_at", "id") INCLUDE ("sent_at", "score", "hidden");
COMMENT ON INDEX "leads_list_status_idx" IS 'GET /v2/leads?list_id= with status= or has_replied=; how many leads of a list have which status';
CREATE INDEX "leads_outcome_idx" ON "leads"("workspace_id", "reply_outcome", "created_at", "id") INCLUDE ("list_id", "score", "hidden") WHERE "reply_outcome" IS NOT NULL;
COMMENT ON INDEX "leads_outcome_idx" IS 'GET /v2/leads?reply_outcome=';
CREATE INDEX "leads_score_idx" ON "leads"("workspace_id", "score" DESC NULLS LAST, "id" DESC) INCLUDE ("list_id", "created_at", "hidden");
COMMENT ON INDEX "leads_score_idx" IS 'GET /v2/leads by score, and score_gte=';
CREATE INDEX "leads_list_score_idx" ON "leads"("workspace_id", "list_id", "score" DESC NULLS LAST, "id" DESC) INCLUDE ("created_at", "hidden");
COMMENT ON INDEX "leads_list_score_idx" IS 'GET /v2/leads?list_id= by score, and with score_gte=';
CREATE INDEX "leads_sent_idx" ON "leads"("workspace_id", "sent_at") INCLUDE ("list_id", "status", "created_at", "score", "id", "hidden");
COMMENT ON INDEX "leads_sent_idx" IS 'GET /v2/leads?sent_within= and sent_before=';
CREATE INDEX "leads_without_email_idx" ON "leads"("workspace_id", "created_at", "id") WHERE "email" IS NULL;
COMMENT ON INDEX "leads_without_email_idx" IS 'GET /v2/leads?has_email=false';
ALTER TABLE "leads" ADD CONSTRAINT "leads_replied_check" CHECK (("status" = 'replied') = ("replied_at" IS NOT NULL));
ALTER TABLE "leads" ADD CONSTRAINT "leads_score_check" CHECK ("score" BETWEEN 0 AND 1 AND "given_score" BETWEEN 0 AND 1);

ALTER TABLE "lead_lists" ADD CONSTRAINT "lead_lists_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "leads" ADD CONSTRAINT "leads_workspace_id_list_id_fkey" FOREIGN KEY ("workspace_id", "list_id") REFERENCES "lead_lists"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "leads" ADD CONSTRAINT "leads_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
