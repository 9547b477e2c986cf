-- How many requests were turned away since the provider's last verified delivery, and since when: what its card warns of.
ALTER TABLE "inbound_refusals" ADD COLUMN "standing" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "standing_since" TIMESTAMPTZ(3);
