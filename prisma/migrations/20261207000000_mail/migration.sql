-- Mail of members: their mailboxes, what was read of them, and the messages with contacts.
CREATE TYPE "share_level" AS ENUM ('nothing', 'metadata', 'subject', 'everything');
CREATE TYPE "mail_contacts" AS ENUM ('written_to', 'known');
CREATE TYPE "mailbox_state" AS ENUM ('connected', 'disconnected', 'leaving');
CREATE TYPE "mail_outcome" AS ENUM ('kept', 'no_contact', 'internal', 'group', 'blocked', 'unreadable');

ALTER TABLE "workspaces" ADD COLUMN "mail_ceiling" "share_level" NOT NULL DEFAULT 'everything';

CREATE TABLE "mailboxes" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "secure" BOOLEAN NOT NULL,
    "login" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "share" "share_level" NOT NULL DEFAULT 'metadata',
    "contacts" "mail_contacts" NOT NULL DEFAULT 'written_to',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "folders" TEXT[],
    "blocked" TEXT[],
    "keeps_bodies" BOOLEAN NOT NULL DEFAULT true,
    "message" TEXT,
    "state" "mailbox_state" NOT NULL DEFAULT 'connected',
    "is_verified" BOOLEAN NOT NULL DEFAULT true,
    "synced_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"mailboxes"');
CREATE UNIQUE INDEX "mailboxes_workspace_id_user_id_address_key" ON "mailboxes"("workspace_id", "user_id", "address");
COMMENT ON INDEX "mailboxes_workspace_id_user_id_address_key" IS 'mailboxes of a member, each address once';
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "mail_folders" (
    "workspace_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "uid_validity" TEXT NOT NULL,
    "next_uid" BIGINT NOT NULL,
    "at_server" INTEGER,
    "missing" INTEGER,
    "counted_at" TIMESTAMPTZ(3),
    CONSTRAINT "mail_folders_pkey" PRIMARY KEY ("workspace_id", "mailbox_id", "path")
);
SELECT rapport_tenant_table('"mail_folders"');
ALTER TABLE "mail_folders" ADD CONSTRAINT "mail_folders_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "mail_items" (
    "workspace_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "uid" BIGINT NOT NULL,
    "outcome" "mail_outcome" NOT NULL,
    "message_id" UUID,
    CONSTRAINT "mail_items_pkey" PRIMARY KEY ("workspace_id", "mailbox_id", "path", "uid")
);
SELECT rapport_tenant_table('"mail_items"');
ALTER TABLE "mail_items" ADD CONSTRAINT "mail_items_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "messages" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "thread" UUID NOT NULL,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "sender" TEXT NOT NULL,
    "recipients" TEXT[],
    "content" TEXT,
    "shared" "share_level" NOT NULL,
    CONSTRAINT "messages_pkey" PRIMARY KEY ("workspace_id", "id")
);
SELECT rapport_tenant_table('"messages"');
CREATE UNIQUE INDEX "messages_workspace_id_digest_key" ON "messages"("workspace_id", "digest");
COMMENT ON INDEX "messages_workspace_id_digest_key" IS 'sync: a message that another folder or mailbox brought already';
CREATE INDEX "messages_key_idx" ON "messages"("workspace_id", "key");
COMMENT ON INDEX "messages_key_idx" IS 'sync: the threads of messages that others answer';
CREATE INDEX "messages_thread_idx" ON "messages"("workspace_id", "thread", "sent_at");
COMMENT ON INDEX "messages_thread_idx" IS 'a thread, in the order of its messages';
ALTER TABLE "messages" ADD CONSTRAINT "messages_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;

CREATE TABLE "message_holders" (
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "share" "share_level" NOT NULL,
    "stale" BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT "message_holders_pkey" PRIMARY KEY ("workspace_id", "message_id", "mailbox_id")
);
SELECT rapport_tenant_table('"message_holders"');
CREATE INDEX "message_holders_mailbox_idx" ON "message_holders"("workspace_id", "mailbox_id", "message_id");
COMMENT ON INDEX "message_holders_mailbox_idx" IS 'messages of a mailbox, when its level changes or it is removed';
CREATE INDEX "message_holders_stale_idx" ON "message_holders"("workspace_id", "message_id") WHERE "stale";
COMMENT ON INDEX "message_holders_stale_idx" IS 'job: messages whose levels are to be worked out again';
ALTER TABLE "message_holders" ADD CONSTRAINT "message_holders_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "message_holders" ADD CONSTRAINT "message_holders_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "message_contacts" (
    "workspace_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "type" TEXT,
    "activity" UUID,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "message_contacts_pkey" PRIMARY KEY ("workspace_id", "message_id", "entity_id")
);
SELECT rapport_tenant_table('"message_contacts"');
CREATE INDEX "message_contacts_entity_idx" ON "message_contacts"("workspace_id", "entity_id", "sent_at", "message_id");
COMMENT ON INDEX "message_contacts_entity_idx" IS 'the latest messages of a contact';
ALTER TABLE "message_contacts" ADD CONSTRAINT "message_contacts_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "messages"("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "message_contacts" ADD CONSTRAINT "message_contacts_workspace_id_entity_id_fkey" FOREIGN KEY ("workspace_id", "entity_id") REFERENCES "entities"("workspace_id", "id") ON DELETE CASCADE;

CREATE TABLE "mail_shares" (
    "workspace_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "subject" UUID NOT NULL,
    "share" "share_level" NOT NULL,
    CONSTRAINT "mail_shares_pkey" PRIMARY KEY ("workspace_id", "user_id", "subject")
);
SELECT rapport_tenant_table('"mail_shares"');
ALTER TABLE "mail_shares" ADD CONSTRAINT "mail_shares_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("id") ON DELETE CASCADE;
