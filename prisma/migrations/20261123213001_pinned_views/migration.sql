-- A view can be in the sidebar of those who see it.
ALTER TABLE "saved_views" ADD COLUMN "pinned" BOOLEAN NOT NULL DEFAULT false;
