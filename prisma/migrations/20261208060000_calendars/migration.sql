-- Calendars of members: how far they were read, and the meetings with contacts.
CREATE TYPE "calendar_kind" AS ENUM ('caldav', 'ics');

CREATE TABLE "calendars" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "calendar_kind" NOT NULL,
    "server" TEXT NOT NULL,
    "login" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "share" "share_level" NOT NULL DEFAULT 'metadata',
    "adds_contacts" BOOLEAN NOT NULL DEFAULT true,
    "chosen" TEXT[],
    "blocked" TEXT[],
    "message" TEXT,
    "state" "mailbox_state" NOT NULL DEFAULT 'connected',
    "is_verified" BOOLEAN NOT NULL DEFAULT true,
    "synced_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "calendars_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"calendars"');
CREATE UNIQUE INDEX "calendars_workspace_id_user_id_key_key" ON "calendars"("workspace_id", "user_id", "key");
COMMENT ON INDEX "calendars_workspace_id_user_id_key_key" IS 'calendars of a member, each connected once';
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "calendar_collections" (
    "workspace_id" UUID NOT NULL,
    "calendar_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "position" JSONB NOT NULL,
    "read_to" TIMESTAMPTZ(3) NOT NULL,
    "outcomes" JSONB NOT NULL,
    CONSTRAINT "calendar_collections_pkey" PRIMARY KEY ("workspace_id", "calendar_id", "url")
);
SELECT rapport_tenant_table('"calendar_collections"');
ALTER TABLE "calendar_collections" ADD CONSTRAINT "calendar_collections_workspace_id_calendar_id_fkey" FOREIGN KEY ("workspace_id", "calendar_id") REFERENCES "calendars"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "meetings" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "planned" TIMESTAMPTZ(3),
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    CONSTRAINT "meetings_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"meetings"');
CREATE UNIQUE INDEX "meetings_workspace_id_key_key" ON "meetings"("workspace_id", "key");
COMMENT ON INDEX "meetings_workspace_id_key_key" IS 'sync: a meeting that another calendar brought already';
CREATE INDEX "meetings_due_idx" ON "meetings"("workspace_id", "due_at") WHERE "due_at" IS NOT NULL;
COMMENT ON INDEX "meetings_due_idx" IS 'job: meetings that are over, and may have been held';
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "meeting_copies" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "meeting_id" UUID NOT NULL,
    "calendar_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "collection" TEXT NOT NULL,
    "object" TEXT NOT NULL,
    "occurrence" TEXT NOT NULL,
    "share" "share_level" NOT NULL,
    "stale" BOOLEAN NOT NULL DEFAULT false,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "all_day" BOOLEAN NOT NULL,
    "sequence" INTEGER NOT NULL,
    "cancelled" BOOLEAN NOT NULL,
    "declined" BOOLEAN NOT NULL,
    "answered" BOOLEAN NOT NULL,
    "organizes" BOOLEAN NOT NULL,
    "gone" BOOLEAN NOT NULL DEFAULT false,
    "organizer" TEXT,
    "guests" JSONB NOT NULL,
    "content" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "meeting_copies_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"meeting_copies"');
CREATE UNIQUE INDEX "meeting_copies_workspace_id_calendar_id_object_occurrence_key" ON "meeting_copies"("workspace_id", "calendar_id", "object", "occurrence");
COMMENT ON INDEX "meeting_copies_workspace_id_calendar_id_object_occurrence_key" IS 'sync: the meetings of an object; those of a calendar, when its level changes or it is removed';
CREATE INDEX "meeting_copies_meeting_idx" ON "meeting_copies"("workspace_id", "meeting_id");
COMMENT ON INDEX "meeting_copies_meeting_idx" IS 'a meeting as each calendar has it, and who may see it';
CREATE INDEX "meeting_copies_user_idx" ON "meeting_copies"("workspace_id", "user_id", "starts_at");
COMMENT ON INDEX "meeting_copies_user_idx" IS 'attention: the meetings to come of a member that nobody else may know of';
CREATE INDEX "meeting_copies_stale_idx" ON "meeting_copies"("workspace_id", "meeting_id") WHERE "stale";
COMMENT ON INDEX "meeting_copies_stale_idx" IS 'job: meetings whose levels are to be worked out again';
ALTER TABLE "meeting_copies" ADD CONSTRAINT "meeting_copies_workspace_id_meeting_id_fkey" FOREIGN KEY ("workspace_id", "meeting_id") REFERENCES "meetings"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "meeting_copies" ADD CONSTRAINT "meeting_copies_workspace_id_calendar_id_fkey" FOREIGN KEY ("workspace_id", "calendar_id") REFERENCES "calendars"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "meeting_contacts" (
    "workspace_id" UUID NOT NULL,
    "meeting_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "addresses" TEXT[],
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "meeting_contacts_pkey" PRIMARY KEY ("workspace_id", "meeting_id", "entity_id")
);
SELECT rapport_tenant_table('"meeting_contacts"');
CREATE INDEX "meeting_contacts_entity_idx" ON "meeting_contacts"("workspace_id", "entity_id", "starts_at", "meeting_id");
COMMENT ON INDEX "meeting_contacts_entity_idx" IS 'the meetings of a contact, by when they are';
ALTER TABLE "meeting_contacts" ADD CONSTRAINT "meeting_contacts_workspace_id_meeting_id_fkey" FOREIGN KEY ("workspace_id", "meeting_id") REFERENCES "meetings"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "meeting_contacts" ADD CONSTRAINT "meeting_contacts_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "meeting_activities" (
    "workspace_id" UUID NOT NULL,
    "meeting_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "activity" UUID NOT NULL,
    "hidden" BOOLEAN NOT NULL,
    CONSTRAINT "meeting_activities_pkey" PRIMARY KEY ("workspace_id", "meeting_id", "entity_id", "external_id")
);
SELECT rapport_tenant_table('"meeting_activities"');
CREATE INDEX "meeting_activities_entity_idx" ON "meeting_activities"("workspace_id", "entity_id");
COMMENT ON INDEX "meeting_activities_entity_idx" IS 'those of a contact that is erased';
CREATE INDEX "meeting_activities_at_idx" ON "meeting_activities"("workspace_id", "at") WHERE NOT "hidden";
COMMENT ON INDEX "meeting_activities_at_idx" IS 'job: what is on timelines, to be compared with what others reported meanwhile';
ALTER TABLE "meeting_activities" ADD CONSTRAINT "meeting_activities_workspace_id_meeting_id_fkey" FOREIGN KEY ("workspace_id", "meeting_id") REFERENCES "meetings"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "meeting_activities" ADD CONSTRAINT "meeting_activities_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE;
