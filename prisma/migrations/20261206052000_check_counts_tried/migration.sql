-- A count that takes longer than a statement may is tried again as rarely as one that ends, and leaves what was counted before.
ALTER TABLE "check_counts"
    ALTER COLUMN "counted_at" DROP NOT NULL,
    ADD COLUMN "tried_at" TIMESTAMPTZ(3) NOT NULL DEFAULT now();
