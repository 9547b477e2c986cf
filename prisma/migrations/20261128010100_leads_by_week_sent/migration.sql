-- The week in which a lead was last sent to, for lists by creation of those sent since a moment, or before, that come late in the
-- list: each week is read in the list's order. The year 1 stands for never, so that those leads are a week too.
ALTER TABLE "leads"
  ADD COLUMN "sent_week" timestamptz(3) GENERATED ALWAYS AS (coalesce(date_bin('7 days', "sent_at", '2001-01-01T00:00:00Z'::timestamptz), '0001-01-01T00:00:00Z'::timestamptz)) STORED;
CREATE INDEX "leads_sent_week_idx" ON "leads"("workspace_id", "sent_week", "created_at", "id") INCLUDE ("sent_at", "list_id", "status", "hidden");
COMMENT ON INDEX "leads_sent_week_idx" IS 'GET /v2/leads?sent_within= and sent_before= by created, from week to week';
