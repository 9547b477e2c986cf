-- Where an entry came from; null for what no request asked for, and for entries of releases before.
ALTER TABLE "audit_log" ADD COLUMN "ip" TEXT;
