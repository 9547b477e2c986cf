-- Who made an Idempotency-Key: it is theirs. Null for the answers of the day before this, which still serve the whole workspace.
ALTER TABLE "idempotency" ADD COLUMN     "caller" TEXT;
